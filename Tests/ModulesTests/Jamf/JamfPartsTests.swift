import ForsettiModuleKit
import Synchronization
import Testing

@testable import ForsettiModules

@MainActor @Suite("Answers in parts") struct JamfPartsTests {
  /// A scope as Jamf Pro writes it.
  nonisolated static func scope(_ devices: Int, lock: Int = 7) -> [UInt8] {
    let assignments = (0..<devices).map { number in
      JSONValue.object([
        ("serialNumber", .string("F9FDEMO\(100_000 + number)")),
        ("assignmentDate", .string("2026-11-01T08:00:00Z")), ("userAssigned", .string("vendor")),
      ])
    }
    return JSONWriter.bytes(
      .object([("assignments", .array(assignments)), ("versionLock", .integer(lock))]))
  }

  /// A provider that gives parts as the host does. Each request finds the next of these bodies; the last one stays.
  nonisolated static func provider(_ bodies: [[UInt8]]) -> ScriptedAPI {
    let requests = Mutex(0)
    return ScriptedAPI { request throws(ServiceError) in
      guard let offset = BodyPart.offset(in: request.headers) else { throw .tooLarge(limit: 983_040) }
      let number = requests.withLock { count in
        defer { count += 1 }
        return count
      }
      let body = bodies[min(number, bodies.count - 1)]
      let part = BodyPart(length: body.count, digest: "\(body.hashValue)")
      return APIResponse(
        status: 200, headers: body.count > BodyPart.largest ? part.fields : [],
        body: Array(body.dropFirst(offset).prefix(BodyPart.largest)))
    }
  }

  @Test("20,000 devices of one PreStage are read, in two requests") func long() async throws {
    let api = Self.provider([Self.scope(20_000)])
    let prestage = try #require(PrestageReference(id: "1", name: nil))
    let scope = try await PrestageClient(JamfClient(api: api)).scope(prestage)
    #expect(scope.serials.count == 20_000)
    #expect(scope.lock == 7)
    #expect(api.requests.map { BodyPart.offset(in: $0.headers) } == [0, 983_040])
  }

  @Test("what changes while it is read is begun again") func changed() async throws {
    let (before, after) = (Self.scope(20_000), Self.scope(20_001, lock: 8))
    let api = Self.provider([before, after])
    let json = try await JamfClient(api: api).whole("/api/v2/x")
    #expect(PrestageScope(json)?.lock == 8)
    #expect(api.requests.count == 4)
  }

  @Test("what is never the same is given up, and says that it changed") func restless() async {
    let api = Self.provider((0..<20).map { Self.scope(20_000 + $0) })
    let found = await failure { () throws(JamfFailure) in _ = try await JamfClient(api: api).whole("/p") }
    guard case .listChanged = found else {
      Issue.record("\(String(describing: found))")
      return
    }
    #expect(api.requests.count <= 2 * JamfParts.beginningLimit)
  }

  private func failure(_ body: () async throws(JamfFailure) -> Void) async -> JamfFailure? {
    do throws(JamfFailure) {
      try await body()
      return nil
    } catch { return error }
  }

  private nonisolated static let misfits: [APIResponse] = [
    APIResponse(status: 200, headers: BodyPart(length: 5, digest: "a").fields, body: []),
    APIResponse(status: 200, headers: BodyPart(length: 5, digest: "a").fields, body: [1, 2]),
    APIResponse(status: 200, headers: BodyPart(length: 5, digest: "a").fields, body: [1, 2, 3, 4, 5, 6]),
    APIResponse(status: 200, headers: BodyPart(length: 0, digest: "a").fields, body: []),
    APIResponse(
      status: 200, headers: BodyPart(length: BodyPart.largestBody, digest: "a").fields, body: [1]),
  ]

  @Test("parts that don't fit together are no answer", arguments: misfits)
  func misfit(response: APIResponse) {
    var parts = JamfParts()
    #expect(throws: JamfFailure.self) { try parts.take(response) }
  }

  @Test("a later part that does not say what it is part of is none") func unsaid() throws {
    var parts = JamfParts()
    let body = [UInt8](repeating: 1, count: BodyPart.largest)
    let fields = BodyPart(length: BodyPart.largest + 1, digest: "a").fields
    #expect(try parts.take(APIResponse(status: 200, headers: fields, body: body)) == nil)
    #expect(parts.offset == BodyPart.largest)
    #expect(throws: JamfFailure.self) { try parts.take(APIResponse(status: 200, body: [1])) }
  }

  @Test("an answer that is none of 2xx is the answer, wherever it comes") func refused() throws {
    var parts = JamfParts()
    let refusal = APIResponse(status: 403, headers: BodyPart(length: 5, digest: "a").fields)
    #expect(try parts.take(refusal) == refusal)
  }

  @Test("a change is done whose answer is longer than a frame, and nothing is read of it") func change()
    async throws
  {
    let prestage = try #require(PrestageReference(id: "1", name: nil))
    let change = ScopeChange(kind: .add, prestage: prestage, serials: ["A"], lock: 7)
    let api = Self.provider([Self.scope(20_000)])
    #expect(await PrestageClient(JamfClient(api: api)).make(change) == .done(nil))
    #expect(api.requests.count == 1)
    let short = Self.provider([Self.scope(3)])
    #expect(
      await PrestageClient(JamfClient(api: short)).make(change)
        == .done(PrestageScope(serials: ["F9FDEMO100000", "F9FDEMO100001", "F9FDEMO100002"], lock: 7)))
  }
}
