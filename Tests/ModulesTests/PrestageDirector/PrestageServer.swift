import ForsettiModuleKit
import Synchronization

@testable import ForsettiModules

/// A server of PreStages behind the api role, in memory, with a storage beside it: what reaches them in which order.
final class PrestageServer: Sendable {
  private struct State {
    var world: PrestageWorld
    var faults: [(method: String, path: String, status: Int)] = []
    var kept: [String: String] = [:]
    var isFull = false
    var log: [String] = []
  }

  private let state: Mutex<State>

  init(_ scopes: [String: Set<String>]) { state = Mutex(State(world: PrestageWorld(scopes: scopes))) }

  var scopes: [String: Set<String>] { state.withLock { $0.world.scopes } }
  /// Requests and writes of the journal, in their order.
  var log: [String] { state.withLock { $0.log } }
  var journal: String? { state.withLock { $0.kept["job"] } }

  /// The next request of this kind is answered with a status and nothing is done.
  func fail(_ method: String, _ path: String, _ status: Int) {
    state.withLock { $0.faults.append((method, path, status)) }
  }

  /// Nothing more can be stored.
  func fill() { state.withLock { $0.isFull = true } }

  @MainActor var client: PrestageClient {
    PrestageClient(JamfClient(api: ScriptedAPI { (request) throws(ServiceError) in self.answer(request) }))
  }

  @MainActor var scopeJournal: ScopeJournal { ScopeJournal(Storage(server: self)) }

  private func answer(_ request: APIRequest) -> APIResponse {
    state.withLock { state in
      state.log.append("\(request.method) \(request.path)")
      if let fault = state.faults.firstIndex(where: { $0.method == request.method && $0.path == request.path }
      ) {
        return APIResponse(status: state.faults.remove(at: fault).status, headers: [], body: [])
      }
      let parts = request.path.split(separator: "/").dropFirst(2)
      guard parts.first == "mobile-device-prestages" else { return Self.response(404, .null) }
      guard parts.count > 1, let id = parts.dropFirst().first.map({ String($0) }) else {
        let items = state.world.scopes.keys.sorted().map { id in
          JSONValue.object([("id", .string(id)), ("displayName", .string("PreStage \(id)"))])
        }
        return Self.response(
          200, .object([("totalCount", .integer(items.count)), ("results", .array(items))]))
      }
      guard let prestage = PrestageReference(id: id, name: nil) else { return Self.response(404, .null) }
      if request.method != "GET" {
        let body = try? JSONParser.parse(request.body).root
        let change = ScopeChange(
          kind: request.method == "POST" && parts.last == "scope" ? .add : .remove, prestage: prestage,
          serials: (body?["serialNumbers"]?.elements ?? []).compactMap(\.stringValue),
          lock: body?["versionLock"]?.integerValue)
        switch state.world.make(change) {
        case .done: break
        case .conflict: return Self.response(409, .null)
        case .refused, .unclear: return Self.response(400, .null)
        }
      }
      guard case .scope(let scope) = state.world.sight(prestage) else { return Self.response(404, .null) }
      let serials = scope.serials.map { JSONValue.object([("serialNumber", .string($0))]) }
      return Self.response(
        200, .object([("assignments", .array(serials)), ("versionLock", .integer(scope.lock ?? 0))]))
    }
  }

  private static func response(_ status: Int, _ json: JSONValue) -> APIResponse {
    APIResponse(status: status, headers: [], body: JSONWriter.bytes(json))
  }

  private struct Storage: StorageService {
    let server: PrestageServer

    nonisolated(nonsending) func set(_ value: String, forKey key: String, in store: String?)
      async throws(ServiceError)
    {
      let isFull = server.state.withLock { state in
        state.log.append("journal")
        if !state.isFull { state.kept[key] = value }
        return state.isFull
      }
      if isFull { throw .quotaExceeded("bytes") }
    }

    nonisolated(nonsending) func value(forKey key: String, in store: String?) async throws(ServiceError)
      -> String?
    { server.state.withLock { $0.kept[key] } }

    nonisolated(nonsending) func removeValue(forKey key: String, in store: String?) async throws(ServiceError)
    {
      server.state.withLock { $0.kept[key] = nil }
    }

    nonisolated(nonsending) func keys(prefix: String, after cursor: String?, in store: String?)
      async throws(ServiceError) -> [String]
    { server.state.withLock { $0.kept.keys.sorted() } }
  }
}
