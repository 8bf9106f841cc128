internal import ForsettiModuleKit

/// Where a value stands in a record: names of members with dots between, and `[]` behind one whose elements all count, as
/// `storage.disks[].sizeMegabytes`.
struct RecordPath: Sendable, Hashable {
  private struct Step: Sendable, Hashable {
    var member: String
    var isList: Bool
  }

  private let steps: [Step]

  /// Values of one path that are looked at, and bytes that a text of them may have: records are anybody's.
  private static let valueLimit = 100
  private static let byteLimit = 1_024

  init(_ text: String) {
    steps = text.split(separator: ".").map { part in
      part.hasSuffix("[]")
        ? Step(member: String(part.dropLast(2)), isList: true) : Step(member: String(part), isList: false)
    }
  }

  /// What stands there as one text, elements of lists with a comma between; nothing where nothing does.
  func text(in record: JSONValue) -> String? {
    var values = [record]
    for step in steps {
      values = values.compactMap { $0[step.member] }
      if step.isList { values = values.flatMap { ($0.elements ?? []).prefix(Self.valueLimit) } }
    }
    return Self.text(values)
  }

  /// Scalars as one text; lists of scalars count as their elements, objects as nothing.
  static func text(_ values: [JSONValue]) -> String? {
    let parts = values.prefix(valueLimit).flatMap { $0.elements ?? [$0] }.prefix(valueLimit)
      .compactMap(scalar)
    return parts.isEmpty ? nil : bounded(parts.joined(separator: ", "))
  }

  private static func scalar(_ value: JSONValue) -> String? {
    switch value.content {
    case .string(let text):
      let text = text.trimmedScalars
      return text.isEmpty ? nil : bounded(text)
    case .number(let number): return number.integer.map { String($0) } ?? number.ecmaScriptText
    case .bool(let flag): return flag ? "true" : "false"
    case .null, .array, .object: return nil
    }
  }

  /// Cut between two scalars.
  private static func bounded(_ text: String) -> String {
    guard text.utf8.count > byteLimit else { return text }
    var (kept, bytes) = (String.UnicodeScalarView(), 0)
    for scalar in text.unicodeScalars {
      bytes += UTF8.width(scalar)
      guard bytes <= byteLimit else { break }
      kept.append(scalar)
    }
    return String(kept) + "…"
  }
}
