import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite struct ScopeRunTests {
  private static let before: [String: Set<String>] = ["1": ["A", "B", "X"], "2": ["C"], "3": ["Y"]]
  private static let after: [String: Set<String>] = ["1": ["X"], "2": [], "3": ["A", "B", "C", "Y"]]

  private func job(to destination: String? = "3") throws -> ScopeJob {
    let scopes = try Self.before.map { id, serials in
      (try PrestageWorld.prestage(id), PrestageScope(serials: serials.sorted(), lock: 0))
    }
    let plan = ScopePlan(
      serials: ["A", "B", "C"], destination: try destination.map { try PrestageWorld.prestage($0) },
      scopes: scopes.sorted { $0.0.id < $1.0.id })
    return try #require(plan.job)
  }

  private func run(
    _ fates: [PrestageWorld.Fate], to destination: String? = "3", in scopes: [String: Set<String>] = before
  ) throws -> (PrestageWorld, ScopeOutcome?, ScopeRun) {
    var world = PrestageWorld(scopes: scopes, fates: fates)
    var run = ScopeRun(try job(to: destination), at: 1)
    guard case .end(let outcome) = world.drive(&run) else { return (world, nil, run) }
    return (world, outcome, run)
  }

  @Test("a move takes the devices out of each source, then adds them once") func move() throws {
    let (world, outcome, _) = try run([])
    #expect(world.scopes == Self.after)
    #expect(outcome?.verdict == .moved)
    #expect(outcome?.places.arrived == ["A", "B", "C"])
    #expect(
      world.changes.map { "\($0.kind) \($0.prestage.id) \($0.serials)" } == [
        #"remove 1 ["A", "B"]"#, #"remove 2 ["C"]"#, #"add 3 ["A", "B", "C"]"#,
      ])
  }

  private static let troubles: [[PrestageWorld.Fate]] = [
    [.overtaken], [.normal, .overtaken], [.normal, .normal, .overtaken], [.lostAnswer], [.lostRequest],
    [.lostAnswer, .lostAnswer, .lostAnswer], [.lostRequest, .normal, .overtaken, .normal, .lostRequest],
    [.overtaken, .normal, .overtaken, .normal, .overtaken],
  ]

  @Test("a conflict is retried once with a fresh lock, and a lost answer is looked up", arguments: troubles)
  func mended(fates: [PrestageWorld.Fate]) throws {
    let (world, outcome, _) = try run(fates)
    #expect(world.scopes == Self.after)
    #expect(outcome?.verdict == .moved)
  }

  private static let failures: [([PrestageWorld.Fate], ScopeOutcome.Verdict, [String: Set<String>])] = [
    ([.refused], .unchanged, before), ([.overtaken, .overtaken], .unchanged, before),
    ([.lied], .unchanged, before), ([.normal, .refused], .rolledBack, before),
    ([.normal, .normal, .refused], .rolledBack, before),
    ([.normal, .normal, .overtaken, .overtaken], .rolledBack, before),
    ([.normal, .normal, .lostRequest, .lostRequest], .rolledBack, before),
    ([.normal, .normal, .lied], .rolledBack, before),
    ([.normal, .normal, .refused, .overtaken, .normal, .lostAnswer], .rolledBack, before),
    ([.normal, .normal, .refused, .refused], .partlyRolledBack, ["1": ["X"], "2": ["C"], "3": ["Y"]]),
    (
      [.normal, .normal, .refused, .normal, .refused], .partlyRolledBack,
      ["1": ["A", "B", "X"], "2": [], "3": ["Y"]]
    ),
    ([.normal, .normal, .refused, .refused, .lied], .notRolledBack, ["1": ["X"], "2": [], "3": ["Y"]]),
  ]

  @Test("a move that fails is rolled back, and says how far exactly", arguments: failures)
  func failing(
    fates: [PrestageWorld.Fate], verdict: ScopeOutcome.Verdict, scopes: [String: Set<String>]
  ) throws {
    let (world, outcome, _) = try run(fates)
    #expect(world.scopes == scopes)
    #expect(outcome?.verdict == verdict)
    #expect(outcome?.cause != nil)
    let nowhere = Set(["A", "B", "C"]).subtracting(scopes.values.flatMap(\.self))
    #expect(outcome?.places.nowhere == nowhere.sorted())
    #expect(outcome?.isSettled == nowhere.isEmpty)
    #expect(outcome?.failures.isEmpty == nowhere.isEmpty)
  }

  @Test("a removal stops at its first failure, and tells what was removed") func removal() throws {
    let (world, outcome, _) = try run([], to: nil)
    #expect(outcome?.verdict == .removed)
    #expect(world.scopes == ["1": ["X"], "2": [], "3": ["Y"]])
    let (half, stopped, _) = try run([.normal, .refused], to: nil)
    #expect(half.scopes == ["1": ["X"], "2": ["C"], "3": ["Y"]])
    #expect(stopped?.verdict == .stopped)
    #expect(stopped?.places == .init(atSource: ["C"], nowhere: ["A", "B"]))
    #expect(try run([.refused], to: nil).1?.verdict == .unchanged)
  }

  @Test("nothing is changed where the plan is no longer true") func stale() throws {
    let (world, outcome, run) = try run([], in: ["1": ["A", "X"], "2": ["C"], "3": ["Y"]])
    #expect(outcome?.verdict == .stale)
    #expect(world.changes.isEmpty)
    #expect(!run.isBegun)
    let (same, gone, _) = try self.run([], in: ["1": ["A", "B", "X"], "2": ["C"]])
    #expect(gone?.verdict == .unchanged)
    #expect(gone?.cause?.contains("no longer there") == true)
    #expect(same.changes.isEmpty)
  }

  @Test("a way back that Jamf can't be asked for is left open, and gone later") func halt() throws {
    var world = PrestageWorld(
      scopes: Self.before, fates: [.normal, .normal, .refused, .lostRequest, .lostRequest])
    var run = ScopeRun(try job(), at: 1)
    #expect(world.drive(&run) == .halt("lost"))
    var again = ScopeRun(resuming: try ScopeRecord(text: run.record.text))
    guard case .end(let outcome) = world.drive(&again) else {
      Issue.record("it did not end")
      return
    }
    #expect(outcome.verdict == .rolledBack)
    #expect(world.scopes == Self.before)
  }

  @Test("a move that is called off is rolled back, wherever it is", arguments: 0...6) func calledOff(
    steps: Int
  ) throws {
    var world = PrestageWorld(scopes: Self.before)
    var run = ScopeRun(try job(), at: 1)
    _ = world.drive(&run, steps: steps)
    run.turn(because: "called off")
    guard case .end(let outcome) = world.drive(&run) else {
      Issue.record("it did not end")
      return
    }
    #expect(world.scopes == Self.before)
    #expect(outcome.verdict == (outcome.restored.isEmpty ? .unchanged : .rolledBack))
  }

  @Test(
    "killed at any step, before or after Jamf has heard of it, a move is finished or rolled back from its journal",
    arguments: [[.normal, .normal, .normal], [.normal, .normal, .refused]] as [[PrestageWorld.Fate]], 0..<16)
  func killed(fates: [PrestageWorld.Fate], steps: Int) throws {
    for isHeard in [false, true] {
      var world = PrestageWorld(scopes: Self.before, fates: fates)
      var run = ScopeRun(try job(), at: 1)
      let step = world.drive(&run, steps: steps)
      // What the journal has: it is written before each change.
      let kept = run.record.text
      if case .write(let change) = step, isHeard { _ = world.make(change) }
      guard run.isBegun else { continue }
      world.fates = []
      var again = ScopeRun(resuming: try ScopeRecord(text: kept))
      guard case .end(let outcome) = world.drive(&again) else {
        Issue.record("it did not end")
        continue
      }
      #expect(world.scopes == (outcome.verdict == .moved ? Self.after : Self.before))
      #expect(outcome.isSettled)
      #expect(run.record.course == .forward ? outcome.verdict == .moved : outcome.verdict == .rolledBack)
    }
  }
}

@Suite struct ScopePlanTests {
  private let scopes: [(prestage: PrestageReference, scope: PrestageScope)]

  init() throws {
    scopes = try [("10", ["A"]), ("2", ["B", "C"]), ("3", ["D"])].map { id, serials in
      (try PrestageWorld.prestage(id), PrestageScope(serials: serials, lock: 1))
    }
  }

  @Test("a plan says where each device is, which are there already, and which are in no PreStage") func plan()
  {
    let plan = ScopePlan(serials: ["A", "B", "C", "D", "E"], destination: scopes[2].prestage, scopes: scopes)
    #expect(plan.job?.sources.map(\.prestage.id) == ["2", "10"])
    #expect(plan.job?.sources.map(\.serials) == [["B", "C"], ["A"]])
    #expect(plan.alreadyThere == ["D"])
    #expect(plan.unassigned == ["E"])
    #expect(plan.job?.title == "the move of 3 devices to PreStage 3")
  }

  @Test("where there is nothing to do there is no job") func nothing() {
    #expect(ScopePlan(serials: ["D"], destination: scopes[2].prestage, scopes: scopes).job == nil)
    #expect(ScopePlan(serials: ["E"], destination: nil, scopes: scopes).job == nil)
    #expect(ScopePlan(serials: ["D"], destination: nil, scopes: scopes).job?.destination == nil)
  }
}

@Suite struct ScopeRecordTests {
  private static let wrong = [
    "", "{}", #"{"version": 2}"#,
    #"{"version": 1, "startedAt": 1, "course": "forward", "removed": [], "job": {"sources": []}}"#,
    #"{"version": 1, "startedAt": 1, "course": "up", "removed": [], "job": {"sources": [{"prestage": {"id": "1", "name": "x"}, "serials": ["A"]}]}}"#,
    #"{"version": 1, "startedAt": 1, "course": "back", "removed": [], "job": {"sources": [{"prestage": {"id": "../1", "name": "x"}, "serials": ["A"]}]}}"#,
    #"{"version": 1, "startedAt": 1, "course": "back", "removed": [], "job": {"sources": [{"prestage": {"id": "1", "name": "x"}, "serials": ["a/b"]}]}}"#,
  ]

  @Test("a move that makes a scope larger than what can be read is seen in the plan", arguments: [0, 1])
  func overfilled(more: Int) throws {
    let (one, two) = (try PrestageWorld.prestage("1"), try PrestageWorld.prestage("2"))
    let full = (0..<PrestageScope.limit - 1 + more).map { "F\($0)" }
    let scopes = [
      (prestage: one, scope: PrestageScope(serials: ["A"], lock: 1)),
      (prestage: two, scope: PrestageScope(serials: full, lock: 1)),
    ]
    #expect(
      ScopePlan(serials: ["A"], destination: two, scopes: scopes).overfilled == (more == 0 ? nil : two))
    #expect(ScopePlan(serials: ["A"], destination: nil, scopes: scopes).overfilled == nil)
    #expect(ScopePlan(serials: ["F1"], destination: two, scopes: scopes).overfilled == nil)
  }

  @Test("what is no journal is refused", arguments: wrong) func refused(text: String) {
    #expect(throws: JSONFault.self) { try ScopeRecord(text: text) }
  }

  @Test("the largest job fits into storage and is read back the same") func largest() throws {
    let serials = (1_000..<1_000 + SerialNumbers.limit).map { String(repeating: "S", count: 28) + "\($0)" }
    let source = try PrestageWorld.prestage("1")
    let plan = ScopePlan(
      serials: serials, destination: try PrestageWorld.prestage("2"),
      scopes: [(source, PrestageScope(serials: serials, lock: 1))])
    var run = ScopeRun(try #require(plan.job), at: 5)
    run.saw(.scope(PrestageScope(serials: [], lock: 1)), at: source)
    run.saw(.gone, at: try PrestageWorld.prestage("2"))
    _ = run.next()
    run.turn(because: String(repeating: "\u{202E}", count: 9_000))
    #expect(run.record.removed.count == SerialNumbers.limit)
    #expect(run.record.text.utf8.count < 1 << 20, "storage takes values of 1 MiB")
    #expect(try ScopeRecord(text: run.record.text) == run.record)
  }
}
