import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@MainActor @Suite("PreStages through the api role") struct ScopeRunnerTests {
  private static let before: [String: Set<String>] = ["1": ["A", "B", "X"], "3": ["Y"]]
  private static let base = "/api/v2/mobile-device-prestages"
  private static let old = "/api/v1/mobile-device-prestages"

  private let server = PrestageServer(before)

  private func run() throws -> ScopeRun {
    let plan = ScopePlan(
      serials: ["A", "B"], destination: try PrestageWorld.prestage("3"),
      scopes: [
        (try PrestageWorld.prestage("1"), PrestageScope(serials: ["A", "B"], lock: 0)),
        (try PrestageWorld.prestage("3"), PrestageScope(serials: ["Y"], lock: 0)),
      ])
    return ScopeRun(try #require(plan.job), at: 1)
  }

  private func carry(
    _ run: ScopeRun, wasResumed: Bool = false, calledOffAfter changes: Int = .max
  ) async -> ScopeRunner.End {
    var count = 0
    return await ScopeRunner(jamf: server.client, journal: server.scopeJournal) {
      count >= changes
    } onStart: { _ in
      count += 1
    } onResult: { _, _ in
    }.carry(run, wasResumed: wasResumed)
  }

  private func verdict(_ end: ScopeRunner.End) -> ScopeOutcome.Verdict? {
    if case .ended(let outcome, open: nil) = end { outcome.verdict } else { nil }
  }

  @Test("the journal is written before each change, and empty when all is done") func journal() async throws {
    #expect(verdict(await carry(try run())) == .moved)
    #expect(server.scopes == ["1": ["X"], "3": ["A", "B", "Y"]])
    #expect(
      server.log == [
        "GET \(Self.base)/1/scope", "GET \(Self.base)/3/scope", "journal",
        "POST \(Self.base)/1/scope/delete-multiple",
        "journal", "POST \(Self.base)/3/scope",
      ])
    #expect(server.journal == nil)
  }

  @Test("where nobody knows whether the journal has the job, it is not told that there is none")
  func uncertain() async throws {
    let storage = MemoryStorage()
    storage.fail(with: .deadlineExceeded)
    let runner = ScopeRunner(jamf: server.client, journal: ScopeJournal(storage)) {
      false
    } onStart: { _ in
    } onResult: { _, _ in
    }
    guard case .halted = await runner.carry(try run(), wasResumed: false) else {
      Issue.record("not halted")
      return
    }
    #expect(server.scopes == Self.before)
  }

  /// A storage from which nothing can be removed.
  private struct Sticky: StorageService {
    let storage: MemoryStorage

    nonisolated(nonsending) func set(_ value: String, forKey key: String, in store: String?)
      async throws(ServiceError)
    { try await storage.set(value, forKey: key, in: store) }
    nonisolated(nonsending) func removeValue(forKey _: String, in _: String?) async throws(ServiceError) {
      throw .deadlineExceeded
    }
    nonisolated(nonsending) func value(forKey key: String, in store: String?) async throws(ServiceError)
      -> String?
    { try await storage.value(forKey: key, in: store) }
    nonisolated(nonsending) func keys(prefix: String, after cursor: String?, in store: String?)
      async throws(ServiceError) -> [String]
    { try await storage.keys(prefix: prefix, after: cursor, in: store) }
  }

  @Test("a finished job that can't be removed from the journal is marked, and never taken up again")
  func over() async throws {
    let storage = MemoryStorage()
    let journal = ScopeJournal(Sticky(storage: storage))
    let runner = ScopeRunner(jamf: server.client, journal: journal) {
      false
    } onStart: { _ in
    } onResult: { _, _ in
    }
    #expect(verdict(await runner.carry(try run(), wasResumed: false)) == .moved)
    #expect(storage.values.keys.contains { $0.hasSuffix("/job") })
    #expect(try await journal.read() == nil)
    // The next job has the place.
    let next = ScopeRecord(job: try run().record.job, startedAt: 2)
    try await journal.keep(next)
    #expect(try await journal.read() == next)
  }

  @Test("a record that is none is set aside before anything is written over it") func damaged() async throws {
    let storage = MemoryStorage()
    try await storage.set("{", forKey: "job", in: "forsetti-prestage-director")
    await #expect(throws: (any Error).self) { _ = try await ScopeJournal(storage).read() }
    #expect(storage.values["forsetti-prestage-director/job.damaged"] == "{")
  }

  @Test("without a journal nothing is changed") func full() async throws {
    server.fill()
    guard case .untouched(let why) = await carry(try run()) else {
      Issue.record("it went on")
      return
    }
    #expect(why.contains("journal"))
    #expect(server.scopes == Self.before)
  }

  @Test("what a server lacks is asked in the version before it") func versions() async throws {
    for id in ["1", "3"] { server.fail("GET", "\(Self.base)/\(id)/scope", 404) }
    server.fail("POST", "\(Self.base)/1/scope/delete-multiple", 405)
    server.fail("POST", "\(Self.base)/3/scope", 404)
    #expect(verdict(await carry(try run())) == .moved)
    #expect(server.log.filter { $0.hasPrefix("DELETE") } == ["DELETE \(Self.old)/1/scope"])
    #expect(server.log.last == "POST \(Self.old)/3/scope")
  }

  @Test("a conflict is tried again with a lock that was read anew") func conflict() async throws {
    server.fail("POST", "\(Self.base)/3/scope", 409)
    #expect(verdict(await carry(try run())) == .moved)
    #expect(
      server.log.suffix(5) == [
        "journal", "POST \(Self.base)/3/scope", "GET \(Self.base)/3/scope", "journal",
        "POST \(Self.base)/3/scope",
      ])
  }

  private nonisolated static let refusals = [400, 403, 422]

  @Test("a refused add is rolled back, and nothing is left in the journal", arguments: refusals)
  func refused(status: Int) async throws {
    server.fail("POST", "\(Self.base)/3/scope", status)
    #expect(verdict(await carry(try run())) == .rolledBack)
    #expect(server.scopes == Self.before)
    #expect(server.journal == nil)
  }

  @Test("where Jamf can't be asked in the middle, the journal has the job, and it is finished from there")
  func halted() async throws {
    for _ in 0..<2 { server.fail("POST", "\(Self.base)/3/scope", 503) }
    for _ in 0..<2 { server.fail("POST", "\(Self.base)/1/scope", 503) }
    guard case .halted(let record, _) = await carry(try run()) else {
      Issue.record("it went on")
      return
    }
    #expect(record.course == .back)
    #expect(server.scopes["1"] == ["X"])
    let kept = try #require(try await server.scopeJournal.read())
    #expect(kept == record)
    #expect(verdict(await carry(ScopeRun(resuming: kept.heading(.forward)), wasResumed: true)) == .moved)
    #expect(server.journal == nil)
  }

  @Test("devices that could not be put back stay in the journal") func unsettled() async throws {
    server.fail("POST", "\(Self.base)/3/scope", 400)
    server.fail("POST", "\(Self.base)/1/scope", 400)
    guard case .ended(let outcome, let open?) = await carry(try run()) else {
      Issue.record("it is settled")
      return
    }
    #expect(outcome.verdict == .notRolledBack)
    #expect(outcome.places.nowhere == ["A", "B"])
    #expect(try await server.scopeJournal.read() == open)
  }

  @Test(
    "what is called off after its first change goes back",
    arguments: [(0, .unchanged), (1, .rolledBack)] as [(Int, ScopeOutcome.Verdict)])
  func calledOff(changes: Int, expected: ScopeOutcome.Verdict) async throws {
    #expect(verdict(await carry(try run(), calledOffAfter: changes)) == expected)
    #expect(server.scopes == Self.before)
  }

  @Test("PreStages are listed by name, from the version that the server has") func list() async throws {
    #expect(try await server.client.prestages().map(\.name) == ["PreStage 1", "PreStage 3"])
    server.fail("GET", Self.base, 404)
    #expect(try await server.client.prestages().count == 2)
    #expect(server.log.last == "GET \(Self.old)")
    server.fail("GET", Self.base, 403)
    await #expect(throws: JamfFailure.forbidden(Self.base)) { try await server.client.prestages() }
  }

  @Test("a scope that no answer holds is named, with what to do") func tooLarge() async throws {
    let api = ScriptedAPI { _ throws(ServiceError) in throw .tooLarge(limit: 983_040) }
    let prestage = try PrestageWorld.prestage("1")
    await #expect(throws: JamfFailure.beyondLimit(.scope("PreStage 1"))) {
      try await PrestageClient(JamfClient(api: api)).scope(prestage)
    }
  }

  @Test("a scope without a lock is looked at, and not changed") func lockless() async throws {
    let client = PrestageClient(JamfClient(api: ScriptedAPI(#"{"assignments": [{"serialNumber": "A"}]}"#)))
    let prestage = try PrestageWorld.prestage("1")
    let scope = try await client.scope(prestage)
    #expect(scope.serials == ["A"])
    let change = ScopeChange(kind: .remove, prestage: prestage, serials: ["A"], lock: scope.lock)
    guard case .refused = await client.make(change) else {
      Issue.record("it was changed")
      return
    }
  }

  @Test(
    "what is no scope is an error, never an empty scope",
    arguments: ["{}", "[7", "<html>", #"{"assignments": 7}"#])
  func noScope(text: String) async throws {
    let client = PrestageClient(JamfClient(api: ScriptedAPI(text)))
    if text == "{}" || text.hasPrefix("{") {
      await #expect(throws: JamfFailure.unreadable("the scope of PreStage 1 has no list of serial numbers."))
      {
        try await client.scope(try PrestageWorld.prestage("1"))
      }
    } else {
      await #expect(throws: JamfFailure.self) { try await client.scope(try PrestageWorld.prestage("1")) }
    }
  }

  private nonisolated static let failures: [(JamfFailure, ScopeChange.Result)] = [
    (.conflict("x"), .conflict(JamfFailure.conflict("x").what)),
    (.forbidden("/x"), .refused(JamfFailure.forbidden("/x").what)),
    (.invalidRequest("x"), .refused(JamfFailure.invalidRequest("x").what)),
    (.notFound("/x"), .refused(JamfFailure.notFound("/x").what)),
    (.serverError(500), .unclear(JamfFailure.serverError(500).what)),
    (.unreadable("x"), .unclear(JamfFailure.unreadable("x").what)),
    (.unavailable("x"), .unclear(JamfFailure.unavailable("x").what)),
    (.tooLarge, .unclear(JamfFailure.tooLarge.what)),
    (.beyondLimit(.prestages), .unclear(JamfLimit.prestages.what)),
    (.credentialsRejected, .unclear(JamfFailure.credentialsRejected.what)),
  ]

  @Test("only a failure that says that nothing was done passes for a refusal", arguments: failures)
  func results(failure: JamfFailure, result: ScopeChange.Result) {
    #expect(ScopeChange.Result(failure) == result)
  }
}
