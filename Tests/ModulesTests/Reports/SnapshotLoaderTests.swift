import ForsettiModuleKit
import Synchronization
import Testing

@testable import ForsettiModules

extension ScriptedAPI {
  /// Answers by path, each time with the next of its answers; the last holds on. Status 0 is a provider that is gone.
  fileprivate convenience init(_ answers: [String: [APIResponse]]) {
    let asked = Mutex<[String: Int]>([:])
    self.init { request throws(ServiceError) in
      let before = asked.withLock { asked in
        defer { asked[request.path, default: 0] += 1 }
        return asked[request.path] ?? 0
      }
      guard let known = answers[request.path],
        let answer = known.indices.contains(before) ? known[before] : known.last
      else { return APIResponse(status: 404) }
      guard answer.status != 0 else { throw .serviceUnavailable(role: "api", why: "gone") }
      return answer
    }
  }

  fileprivate var paths: [String] { requests.map(\.path) }
}

private func answer(_ status: Int, _ body: String = "") -> APIResponse {
  APIResponse(status: status, body: Array(body.utf8))
}

private func page(_ ids: ClosedRange<Int>, of total: Int) -> APIResponse {
  let records = ids.map { #"{"id": "\#($0)", "hardware": {"serialNumber": "S\#($0)"}}"# }
  return answer(200, #"{"totalCount": \#(total), "results": [\#(records.joined(separator: ","))]}"#)
}

private let emptyList = answer(200, #"{"totalCount": 0, "results": []}"#)
private let mobile = "/api/v2/mobile-devices/detail"
private let places = ["/api/v1/buildings": [emptyList], "/api/v1/departments": [emptyList]]

@MainActor @Suite struct SnapshotLoaderTests {
  private final class Seen { var progress: [SnapshotProgress] = [] }

  private func load(
    _ answers: [String: [APIResponse]], attribute: String? = nil, _ seen: Seen = Seen()
  ) async throws(JamfFailure) -> (FleetSnapshot, ScriptedAPI) {
    let api = ScriptedAPI(answers)
    let loader = SnapshotLoader(client: JamfClient(api: api), locationAttribute: attribute) {
      seen.progress.append($0)
    }
    return (try await loader.load(at: 5), api)
  }

  @Test("both lists are read page by page, with their progress, by GET alone") func whole() async throws {
    let seen = Seen()
    let (snapshot, api) = try await load(
      places.merging([
        "/api/v3/computers-inventory": [page(1...2, of: 4), page(3...4, of: 4)], mobile: [page(1...1, of: 1)],
      ]) { $1 }, seen)
    #expect(snapshot.devices.map(\.serialNumber) == ["S1", "S2", "S3", "S4", "S1"])
    #expect(snapshot.warnings == [])
    #expect(snapshot.takenAt == 5)
    #expect(seen.progress.map(\.share) == [nil, 0.25, 0.5, 1])
    #expect(seen.progress.last?.label == "Mobile devices: 1 of 1")
    #expect(api.requests.allSatisfy { $0.method == "GET" && $0.body.isEmpty })
    let query = api.requests.first { $0.path.hasSuffix("computers-inventory") }?.query
    #expect(query?.filter { $0.name == "section" }.map(\.value).contains("STORAGE") == true)
    #expect(query?.contains { $0.value == "EXTENSION_ATTRIBUTES" } == false)
  }

  @Test("an older Jamf Pro is asked by the call that it has") func version() async throws {
    let (snapshot, api) = try await load(
      places.merging(["/api/v1/computers-inventory": [page(1...1, of: 1)], mobile: [emptyList]]) { $1 })
    #expect(snapshot.devices.count == 1)
    #expect(snapshot.warnings == [])
    #expect(
      api.paths.filter { $0.hasSuffix("inventory") } == [3, 2, 1].map { "/api/v\($0)/computers-inventory" })
  }

  @Test("sections that it doesn't know are left out, and a warning says what is missing") func sections()
    async throws
  {
    let (snapshot, api) = try await load(
      places.merging([
        "/api/v3/computers-inventory": [answer(400), page(1...1, of: 1)],
        mobile: [answer(400), answer(400), page(1...1, of: 1)],
      ]) { $1 }, attribute: "Site")
    #expect(snapshot.devices.count == 2)
    #expect(snapshot.warnings.count == 2)
    #expect(snapshot.warnings.first?.contains("EXTENSION_ATTRIBUTES, STORAGE") == true)
    let last = api.requests.last
    #expect(last?.query.contains { $0.name == "section" } == false)
  }

  @Test("where one list can't be read the other is there, and a warning says so") func half() async throws {
    let (snapshot, _) = try await load(
      places.merging([
        "/api/v3/computers-inventory": [page(1...1, of: 2), answer(500)], mobile: [page(7...7, of: 1)],
        "/api/v1/buildings": [answer(403)],
      ]) { $1 })
    #expect(snapshot.devices.map(\.domain) == [.mobileDevices])
    #expect(snapshot.warnings.count == 2)
    #expect(snapshot.warnings.first?.hasPrefix("Buildings are shown by their IDs") == true)
    #expect(snapshot.warnings.last?.hasPrefix("Computers are missing") == true)
  }

  private nonisolated static let failures: [(Int, JamfFailure, Int)] = [
    (403, .forbidden("/api/v2/mobile-devices/detail"), 4), (401, .credentialsRejected, 1),
    (503, .serverError(503), 4), (0, .unavailable("gone"), 1),
  ]

  @Test("where neither can be read it fails, at once if nothing else could help", arguments: failures)
  func nothing(status: Int, failure: JamfFailure, calls: Int) async throws {
    let paths = ["/api/v1/buildings", "/api/v1/departments", "/api/v3/computers-inventory", mobile]
    let api = ScriptedAPI(Dictionary(uniqueKeysWithValues: paths.map { ($0, [answer(status)]) }))
    let loader = SnapshotLoader(client: JamfClient(api: api), locationAttribute: nil) { _ in }
    await #expect(throws: failure) { _ = try await loader.load(at: 0) }
    #expect(api.paths.count == calls)
  }

  @Test("cancelled it asks for no further page") func cancelled() async throws {
    let api = ScriptedAPI(
      places.merging(["/api/v3/computers-inventory": [page(1...2, of: 4), page(3...4, of: 4)]]) { $1 })
    let task = Task {
      let loader = SnapshotLoader(client: JamfClient(api: api), locationAttribute: nil) { progress in
        if progress.label == "Computers: 2 of 4" { withUnsafeCurrentTask { $0?.cancel() } }
      }
      return try await loader.load(at: 0)
    }
    await #expect(throws: JamfFailure.cancelled) { _ = try await task.value }
    #expect(api.paths.count == 3)
  }
}
