import ForsettiModuleKit
import Synchronization
import Testing

@testable import ForsettiModules

@MainActor @Suite struct SupportStaticGroupTests {
  /// A group that keeps what is written, as Jamf does.
  private func api(_ members: String, _ writes: Int = 202) -> ScriptedAPI {
    let group = SharedText(#"{"id":"2","name":"Fifteen","assignments":{"computerIds":\#(members)}}"#)
    return ScriptedAPI { request throws(ServiceError) in
      if request.method == "PUT" {
        if writes < 300 { group.text.withLock { $0 = String(decoding: request.body, as: UTF8.self) } }
        return APIResponse(status: writes)
      }
      return APIResponse(status: 200, body: Array(group.text.withLock { $0 }.utf8))
    }
  }

  private func written(_ api: ScriptedAPI) -> [String] {
    api.requests.filter { $0.method == "PUT" }.map { String(decoding: $0.body, as: UTF8.self) }
  }

  @Test("a Mac comes into a group and leaves it, and the others stay") func change() async throws {
    let api = api(#"[7,"3"]"#)
    let editor = StaticGroupEditor(jamf: JamfClient(api: api))
    try await editor.add("5", to: "2")
    try await editor.add("5", to: "2")
    try await editor.remove("7", from: "2")
    try await editor.remove("99", from: "2")
    #expect(
      written(api) == [
        #"{"name":"Fifteen","assignments":{"computerIds":[3,5,7]}}"#,
        #"{"name":"Fifteen","assignments":{"computerIds":[3,5]}}"#,
      ])
  }

  /// Lets others go on before it answers, as a real one does.
  private struct Yielding: APIService {
    let api: ScriptedAPI

    nonisolated(nonsending) func request(_ request: APIRequest) async throws(ServiceError) -> APIResponse {
      await Task.yield()
      return try await api.request(request)
    }
  }

  @Test("changes that are asked for at once follow each other, and none undoes another") func atOnce()
    async throws
  {
    let api = api("[7]")
    let editor = StaticGroupEditor(jamf: JamfClient(api: Yielding(api: api)))
    let changes = ["1", "2", "3"].map { computer in
      Task.immediate { @MainActor in try await editor.add(computer, to: "2") }
    }
    for change in changes { try await change.value }
    try await editor.remove("7", from: "2")
    #expect(written(api).last == #"{"name":"Fifteen","assignments":{"computerIds":[1,2,3]}}"#)
  }

  private nonisolated static let unclearCases = [
    #"{"id":"2","name":"Fifteen"}"#, #"{"id":"2","name":"Fifteen","assignments":null}"#,
    #"{"id":"2","name":"Fifteen","assignments":{"computerIds":[{}]}}"#,
    #"{"assignments":{"computerIds":[]}}"#, "[]", "<html>",
  ]

  @Test("where it is not said who is in the group nothing is written", arguments: unclearCases)
  func unclear(body: String) async {
    let api = ScriptedAPI(body)
    await #expect(throws: JamfFailure.self) {
      try await StaticGroupEditor(jamf: JamfClient(api: api)).add("5", to: "2")
    }
    #expect(written(api).isEmpty)
  }
}

/// A text that a test's server keeps.
private final class SharedText: Sendable {
  let text: Mutex<String>

  init(_ text: String) { self.text = Mutex(text) }
}
