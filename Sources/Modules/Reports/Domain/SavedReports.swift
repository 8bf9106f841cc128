internal import ForsettiModuleKit

/// The reports that somebody keeps, in the order of their names.
struct SavedReports: Sendable, Equatable {
  private(set) var definitions: [ReportDefinition] = []

  /// Reports that are kept at most.
  static let limit = 100
  private static let jsonLimits = JSONLimits(bytes: 1 << 20, depth: 6, arrayElements: limit)

  /// Keeps a report; one of the same name gives way.
  mutating func keep(_ definition: ReportDefinition) throws(ReportFault) {
    var kept = definitions.filter { !$0.name.hasSameScalars(as: definition.name) }
    guard kept.count < Self.limit else { throw .tooManyReports }
    kept.append(definition)
    definitions = kept.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Deletes the report of a name, if there is one.
  mutating func delete(named name: String) { definitions.removeAll { $0.name.hasSameScalars(as: name) } }

  subscript(name: String) -> ReportDefinition? { definitions.first { $0.name.hasSameScalars(as: name) } }

  /// As it is kept in storage.
  var text: String { JSONWriter.text(.array(definitions.map(\.json))) }
}

extension SavedReports {
  /// Reads what was kept.
  /// - Throws: where it is another text, or a report in it would not be accepted today.
  init(text: String) throws(JSONFault) {
    let root = JSONCursor(try JSONParser.parse(Array(text.utf8), limits: Self.jsonLimits).root)
    for element in try root.array() {
      let definition = try ReportDefinition(element)
      do throws(ReportFault) { try keep(definition) } catch { throw element.fault(error.advice) }
    }
  }
}

extension ReportDefinition {
  /// As a member of a list, and of an export.
  var json: JSONValue {
    .object([
      ("name", .string(name)), ("scope", .string(scope.rawValue)), ("matching", .string(matching.rawValue)),
      ("criteria", .array(criteria.map(\.json))), ("grouping", .string(grouping.rawValue)),
      ("chart", .string(chart.rawValue)),
    ])
  }

  /// Reads a member of a list.
  init(_ cursor: JSONCursor) throws(JSONFault) {
    let name = try cursor.required("name")
    let text = try name.string()
    do throws(ReportFault) { self.init(name: try Self.name(text)) } catch { throw name.fault(error.advice) }
    scope = try cursor.required("scope").oneOf(ReportScope.self, called: "a scope")
    matching = try cursor.required("matching").oneOf(ReportMatching.self, called: "a way to match")
    grouping = try cursor.required("grouping").oneOf(ReportGrouping.self, called: "a grouping")
    chart = try cursor.required("chart").oneOf(ReportChart.self, called: "a chart")
    for element in try cursor.required("criteria").array() {
      let criterion = try ReportCriterion(element)
      do throws(ReportFault) { try add(criterion) } catch { throw element.fault(error.advice) }
    }
  }
}

extension ReportCriterion {
  fileprivate var json: JSONValue {
    .object([
      ("field", .string(field.rawValue)), ("comparison", .string(comparison.rawValue)),
      ("value", .string(value)),
    ])
  }

  fileprivate init(_ cursor: JSONCursor) throws(JSONFault) {
    let field = try cursor.required("field").oneOf(ReportField.self, called: "a field")
    let comparison = try cursor.required("comparison").oneOf(ReportComparison.self, called: "a comparison")
    let value = try cursor.optional("value")?.string() ?? ""
    do throws(ReportFault) { try self.init(field, comparison, value) } catch {
      throw cursor.fault(error.advice)
    }
  }
}
