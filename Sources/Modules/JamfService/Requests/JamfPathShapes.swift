/// Paths as reports show them: a segment stands there if some call that the modules are known to make has it in that place.
/// Everything else may be a serial number, an ID or a person's name, and is left out.
struct JamfPathShapes: Sendable {
  /// The segments of each known path; `{}` stands for one that differs.
  private let patterns: [[Substring]]

  /// The calls in the tables of the modules, and this module's own.
  static let known = JamfPathShapes(
    PermissionMatrix.tables.flatMap(\.actions).flatMap(\.steps).flatMap(\.endpoints).map(\.pattern)
      + JamfLogin.paths + JamfRoute.ownPaths)

  init(_ patterns: [String]) { self.patterns = patterns.map { $0.split(separator: "/") } }

  /// A path without what stands for one device, person or record.
  func shape(of path: String) -> String {
    var candidates = patterns
    var shape = ""
    for (place, segment) in path.split(separator: "/").enumerated() {
      candidates.removeAll { $0.count <= place }
      let literal = candidates.filter { $0[place] == segment }
      shape += literal.isEmpty ? "/{}" : "/\(segment)"
      candidates = literal.isEmpty ? candidates.filter { $0[place] == "{}" } : literal
    }
    return shape
  }
}
