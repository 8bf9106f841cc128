import ForsettiCore
import ForsettiHTTP

/// The latest requests, so that a test sees what a client really asked for. Headers and bodies are left out: they may
/// hold secrets.
struct RequestJournal: Sendable {
  private struct Entry: Sendable {
    var method: String
    var path: String
    var query: String
    var status: Int
  }

  private var entries: [Entry] = []
  /// All of them, also those that are no longer kept.
  private var count = 0

  /// So many are kept.
  static let limit = 2_000

  mutating func note(_ request: ServerRequest, _ status: HTTPStatus) {
    count += 1
    if entries.count == Self.limit { entries.removeFirst() }
    let query = request.query.fields.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    entries.append(
      Entry(method: request.method, path: request.path, query: query, status: status.rawValue))
  }

  var json: JSONValue {
    .object([
      ("count", .integer(count)),
      (
        "requests",
        .array(
          entries.map {
            .object([
              ("method", .string($0.method)), ("path", .string($0.path)), ("query", .string($0.query)),
              ("status", .integer($0.status)),
            ])
          })
      ),
    ])
  }
}
