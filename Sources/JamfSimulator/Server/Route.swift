import ForsettiHTTP

/// One call of the API: its path, what it takes, what it does.
struct Route: Sendable {
  typealias Handler = @Sendable (inout Tenant, Call) throws(APIFault) -> ServerResponse

  let method: String
  /// Segments; nothing for one that stands for itself, as `{id}` in the pattern.
  private let segments: [String?]
  /// All of them are needed.
  let privileges: [Privilege]
  let handler: Handler

  init(_ method: String, _ pattern: String, _ privileges: [Privilege] = [], _ handler: @escaping Handler) {
    self.method = method
    segments = pattern.split(separator: "/").map { $0.hasPrefix("{") ? nil : String($0) }
    self.privileges = privileges
    self.handler = handler
  }

  /// The same call in several versions of the API: `{version}` of the pattern is each of them in turn.
  static func versions(
    _ versions: ClosedRange<Int>, _ method: String, _ pattern: String, _ privileges: [Privilege],
    _ handler: @escaping @Sendable (inout Tenant, Call, Int) throws(APIFault) -> ServerResponse
  ) -> [Route] {
    versions.map { version in
      Route(method, "/api/v\(version)" + pattern, privileges) { (tenant, call) throws(APIFault) in
        try handler(&tenant, call, version)
      }
    }
  }

  /// What stands at the places of the braces; nothing where the path is another.
  func match(_ path: [Substring]) -> [String]? {
    guard path.count == segments.count else { return nil }
    var parameters: [String] = []
    for (segment, part) in zip(segments, path) {
      guard let segment else {
        parameters.append(String(part))
        continue
      }
      guard segment == part else { return nil }
    }
    return parameters
  }
}
