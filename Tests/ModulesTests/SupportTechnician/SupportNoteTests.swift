import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@MainActor @Suite("Notes on a Mac's record") struct SupportNoteTests {
  private nonisolated static let mac = SupportDevice(
    .computer, inventoryID: "12", name: "MAC-12", serial: "C12", managementID: "m-12")
  /// 2026-11-01T08:00:00Z.
  private nonisolated static let time: Int64 = 1_793_520_000_000

  private func perform(_ api: ScriptedAPI) async throws -> SupportPerformer.Outcome {
    let id = SupportDeviceID(.computer, "12")
    let attempts = try SupportNote(["note": " New battery. \n"]).attempts(id, Self.mac, at: Self.time)
    return try await SupportPerformer(jamf: JamfClient(api: api)).perform(.send(attempts))
  }

  private nonisolated static let refusals: [([String: String], SupportNote.Refusal)] = [
    ([:], .empty), (["note": " \n\t "], .empty),
    (["note": String(repeating: "x", count: SupportNote.limit + 1)], .tooLong),
  ]

  @Test("a note says something, within its bounds", arguments: refusals)
  func refused(payload: [String: String], refusal: SupportNote.Refusal) {
    #expect(throws: refusal) { try SupportNote(payload) }
  }

  @Test("it is uploaded as one file that says of which Mac it is, and its answer is no command")
  func upload() async throws {
    let api = ScriptedAPI(status: 201, #"{"id": "7", "href": "/v3/x"}"#)
    #expect(try await perform(api) == .accepted(uuid: nil, nil))
    let request = try #require(api.requests.first)
    #expect(request.method == "POST" && request.path == "/api/v3/computers-inventory/12/attachments")
    let body = String(decoding: request.body, as: UTF8.self)
    #expect(body.contains(#"name="file"; filename="support-note-20261101-080000.txt""#))
    #expect(body.contains("MAC-12, serial number C12\n\nNew battery.\n"))
  }

  @Test("an older server is asked in its own version, and one that may have taken it never again")
  func versions() async throws {
    let older = ScriptedAPI { request throws(ServiceError) in
      APIResponse(status: request.path.hasPrefix("/api/v1/") ? 201 : 404)
    }
    #expect(try await perform(older) == .accepted(uuid: nil, nil))
    #expect(older.requests.count == 3)
    let failing = ScriptedAPI(status: 500, "")
    await #expect(throws: SupportFailure.uncertain(.serverError(500))) { _ = try await perform(failing) }
    #expect(failing.requests.count == 1)
  }
}
