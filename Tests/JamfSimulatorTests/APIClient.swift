import ForsettiCore
import ForsettiHTTP
import Testing

@testable import JamfSimulator

/// A client of a simulated server, without a network between them and with a clock of its own.
struct APIClient {
  var server: JamfServer
  var token: String?
  /// Milliseconds since 1970; long after the inventory's own time.
  var time: Int64 = 1_796_000_000_000

  init(
    _ options: JamfServer.Options = Self.small, faults: FaultSchedule = .none,
    as account: String? = "forsetti-demo"
  ) {
    server = JamfServer(options, faults: faults)
    if let account { token = logIn(account)["access_token"]?.stringValue }
  }

  static var small: JamfServer.Options {
    var options = JamfServer.Options()
    options.seed = 5
    options.computers = 120
    options.mobileDevices = 60
    return options
  }

  @discardableResult
  mutating func logIn(_ account: String) -> JSONValue {
    send(
      "POST", "/api/v1/oauth/token",
      body: Array("grant_type=client_credentials&client_id=\(account)&client_secret=\(account)-secret".utf8)
    ).json
  }

  struct Answer {
    var status: Int
    var json: JSONValue
    var served: ServedAnswer

    /// The code of its first error.
    var code: String? { json["errors"]?.elements?.first?["code"]?.stringValue }
    var field: String? { json["errors"]?.elements?.first?["field"]?.stringValue }
    var total: Int64? { json["totalCount"]?.integerValue }
    var results: [JSONValue] { json["results"]?.elements ?? [] }
  }

  mutating func send(
    _ method: String, _ path: String, _ query: [(String, String)] = [], headers: HTTPHeaders = [:],
    body: [UInt8] = []
  ) -> Answer {
    var headers = headers
    if let token { headers["Authorization"] = headers["Authorization"] ?? "Bearer \(token)" }
    let fields = query.map { HTTPField($0.0, $0.1) }
    let served = server.answer(
      ServerRequest(method: method, path: path, query: HTTPQuery(fields), headers: headers, body: body),
      at: time
    )
    let limits = JSONLimits(bytes: 1 << 26, arrayElements: 1 << 16)
    var json = JSONValue.null
    if case .bytes(let bytes) = served.response.body,
      let document = try? JSONParser.parse(bytes, limits: limits)
    {
      json = document.root
    }
    return Answer(status: served.response.status.rawValue, json: json, served: served)
  }

  mutating func get(_ path: String, _ query: [(String, String)] = []) -> Answer { send("GET", path, query) }

  mutating func post(_ path: String, _ body: JSONValue) -> Answer {
    send("POST", path, body: JSONWriter.bytes(body))
  }
}

extension JSONValue {
  /// A member of a member.
  func at(_ path: String...) -> JSONValue? {
    path.reduce(self) { (place: JSONValue?, step) in place?[step] }
  }
}
