import ForsettiCore
import ForsettiHTTP
import Synchronization
import Testing

@testable import ForsettiModules
@testable import JamfSimulator

@Suite("Nodes behind one address") struct NodeTests {
  private static var options: JamfServer.Options {
    var options = APIClient.small
    options.nodes = 2
    options.replicationMilliseconds = 2_000
    return options
  }

  private let path = "/api/v2/mobile-device-prestages/1/scope"

  private func lock(_ client: inout APIClient, _ cookie: String?) -> Int64? {
    let answer = client.send(
      "GET", path, headers: HTTPHeaders(cookie.map { [HTTPField("Cookie", $0)] } ?? []))
    return answer.json["versionLock"]?.integerValue
  }

  @Test("a change is seen by the node that made it, and by the other when its time has come") func delayed()
    throws
  {
    var client = APIClient(Self.options)
    let answer = client.get(path)
    let cookie = try #require(
      answer.served.response.headers["Set-Cookie"]?.split(separator: ";").first.map { String($0) })
    let other = cookie == "jpro-ingress=node0" ? "jpro-ingress=node1" : "jpro-ingress=node0"
    let serial = try #require(answer.json["assignments"]?.elements?.first?["serialNumber"]?.stringValue)
    let change = JSONValue.object([("serialNumbers", .strings([serial])), ("versionLock", .integer(0))])
    let removed = client.send(
      "POST", path + "/delete-multiple", headers: ["Cookie": cookie], body: JSONWriter.bytes(change))
    #expect(removed.status == 200)
    #expect(removed.served.response.headers["Set-Cookie"] == nil)
    let seen = [cookie, other, nil, nil].map { lock(&client, $0) }
    #expect(Array(seen.prefix(2)) == [1, 0])
    #expect(Set(seen.suffix(2)) == [0, 1])
    client.time += 2_000
    let later = lock(&client, other)
    #expect(later == 1)
  }

  /// Takes a device out of its PreStage by Jamf Service's own way of asking, and looks twice whether it is still in it.
  @MainActor private func isStillThere(keepingCookies: Bool) async throws -> [Bool] {
    let network = SimulatedNetwork(JamfServer(Self.options), passesCookies: keepingCookies)
    let gateway = JamfGateway(
      try JamfCredentials(
        entered: [
          "server": SimulatedNetwork.address, "kind": "api-client", "account": "forsetti-demo",
          "secret": "forsetti-demo-secret",
        ]),
      exchange: JamfExchange(networking: network, time: .system),
      gate: RequestGate(capacity: 5, waitingLimit: 64))
    let client = PrestageClient(JamfClient(api: GatewayAPI(gateway: gateway)))
    let prestage = try #require(PrestageReference(id: "1", name: nil))
    let scope = try await client.scope(prestage)
    let serial = try #require(scope.serials.first)
    let change = ScopeChange(kind: .remove, prestage: prestage, serials: [serial], lock: scope.lock)
    guard case .done = await client.make(change) else { throw APIFault.forbidden }
    return [
      try await client.scope(prestage).contains(serial), try await client.scope(prestage).contains(serial),
    ]
  }

  @Test("who loses the load balancer's cookie reads what is no longer so; Jamf Service keeps it")
  func sticky()
    async throws
  {
    #expect(try await isStillThere(keepingCookies: true) == [false, false])
    #expect(try await isStillThere(keepingCookies: false).contains(true))
  }
}

/// The made-up server in the place of the network, at a time that stands still.
private final class SimulatedNetwork: NetworkingService {
  static let address = "http://127.0.0.1:1"

  private let server: Mutex<JamfServer>
  private let passesCookies: Bool

  init(_ server: JamfServer, passesCookies: Bool) {
    self.server = Mutex(server)
    self.passesCookies = passesCookies
  }

  nonisolated(nonsending) func data(_ request: ForsettiCore.HTTPRequest)
    async throws(ServiceError) -> ForsettiCore.HTTPResponse
  {
    let target = request.url.dropFirst(Self.address.count)
    let parts = target.split(separator: "?", maxSplits: 1)
    let query = parts.count > 1 ? HTTPQuery(form: Array(parts[1].utf8)) : HTTPQuery()
    var headers: HTTPHeaders = [:]
    for field in request.headers { headers[field.name] = field.value }
    let asked = ServerRequest(
      method: request.method, path: String(parts[0]), query: query ?? HTTPQuery(), headers: headers,
      body: request.body)
    let answer = server.withLock { $0.answer(asked, at: 1_796_000_000_000) }.response
    var body: [UInt8] = []
    if case .bytes(let bytes) = answer.body { body = bytes }
    return ForsettiCore.HTTPResponse(
      status: answer.status.rawValue, url: request.url,
      headers: passesCookies ? answer.headers.fields : [], body: body)
  }
}

/// Jamf Service's gateway as the provider of the api role.
private struct GatewayAPI: APIService {
  let gateway: JamfGateway

  nonisolated(nonsending) func request(_ request: APIRequest) async throws(ServiceError) -> APIResponse {
    do throws(JamfFailure) { return try await gateway.answer(to: request, for: "m") } catch {
      throw error.serviceError
    }
  }
}
