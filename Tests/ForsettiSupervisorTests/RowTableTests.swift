import ForsettiCore
import ForsettiIPC
import ForsettiRuntime
import ForsettiTestKit
import Testing

@testable import ForsettiSupervisor

@Suite("A table that is kept")
struct RowTableTests {
  private static func line(_ id: String, calls: Int = 0, memory: Int? = nil) -> LiveLine {
    var line = LiveLine()
    line.moduleID = id
    line.calls = calls
    line.memoryBytes = memory
    return line
  }

  /// Goes once through a table.
  private static func pass(_ table: inout RowTable<LiveLine>, _ lines: [LiveLine?]) throws {
    table.begin()
    for (place, line) in lines.enumerated() { try table.take(line, at: place) }
  }

  private static func ids(_ told: RowTable<LiveLine>.Told) throws -> [String] {
    try told.rows.map { try LiveLine(control: .decode($0.span)).moduleID }
  }

  @Test("who asks is told of what changed since, and of all where that cannot be known")
  func changes() throws {
    var table = RowTable<LiveLine>()
    table.arrange(["a", "b"])
    try Self.pass(&table, [Self.line("a"), Self.line("b")])
    let first = table.told(since: 0)
    #expect(try Self.ids(first) == ["a", "b"] && first.isWhole)
    try Self.pass(&table, [Self.line("a"), Self.line("b", calls: 1)])
    let second = table.told(since: first.revision)
    #expect(try Self.ids(second) == ["b"] && !second.isWhole)
    let changed = try second.rows.map { try LiveLine(control: .decode($0.span)) }
    #expect(changed == [Self.line("b", calls: 1)])
    #expect(table.told(since: second.revision).rows.isEmpty)
    // A revision of another table's, and one that is to come.
    for known in [-1, table.revision + 1] { #expect(table.told(since: known).isWhole) }
    // Another who asks less often has missed nothing.
    try Self.pass(&table, [Self.line("a", calls: 1), Self.line("b", calls: 1)])
    #expect(try Self.ids(table.told(since: first.revision)) == ["a", "b"])
    #expect(try Self.ids(table.told(since: second.revision)) == ["a"])
  }

  @Test("rows that are gone are told by all that are left, and once; rows that move or come are no loss")
  func gone() throws {
    var table = RowTable<LiveLine>()
    table.arrange(["a", "b"])
    try Self.pass(&table, [Self.line("a"), Self.line("b")])
    var known = table.revision
    table.begin()
    table.arrange(["b", "c", "a"])
    for (place, id) in table.ids.enumerated() { try table.take(Self.line(id), at: place) }
    let moved = table.told(since: known)
    #expect(try Self.ids(moved) == ["c"] && !moved.isWhole)
    known = moved.revision
    table.begin()
    table.arrange(["b", "c"])
    for (place, id) in table.ids.enumerated() { try table.take(Self.line(id), at: place) }
    let left = table.told(since: known)
    #expect(try Self.ids(left) == ["b", "c"] && left.isWhole)
    #expect(!table.told(since: left.revision).isWhole)
    // One of which nothing is told any more is gone too.
    try Self.pass(&table, [nil, Self.line("c")])
    let last = table.told(since: left.revision)
    #expect(try Self.ids(last) == ["c"] && last.isWhole)
  }

  @Test(
    "memory that changes by next to nothing is no change, however often; its coming, its end and a real change are",
    arguments: [
      (64_000, 64_900, false), (64_000, 63_100, false), (64_000, 65_000, true), (64_000, nil, true),
      (nil, 64_000, true), (nil, nil, false), (0, 0, false), (0, 1, true),
    ] as [(Int?, Int?, Bool)])
  func memory(before: Int?, after: Int?, isChange: Bool) throws {
    var table = RowTable<LiveLine>()
    table.arrange(["a"])
    try Self.pass(&table, [Self.line("a", memory: before)])
    let first = table.revision
    try Self.pass(&table, [Self.line("a", memory: after)])
    #expect(table.told(since: first).rows.isEmpty == !isChange)
    // What was not told is not forgotten: many small changes are one at last.
    guard !isChange, let after else { return }
    try Self.pass(&table, [Self.line("a", memory: after * 2 + 1)])
    #expect(try Self.ids(table.told(since: first)) == ["a"])
  }

  @Test("the greatest number is of all rows")
  func greatest() throws {
    var table = RowTable<LiveLine>()
    #expect(table.greatest(\.calls) == 0)
    table.arrange(["a", "b", "c"])
    try Self.pass(&table, [Self.line("a", calls: 1), Self.line("b", calls: 3), nil])
    #expect(table.greatest(\.calls) == 3)
  }
}

/// The operations that answer from such tables, over the socket.
@Suite(.serialized) @ReactorActor struct ModuleTableTests {
  private nonisolated static func manifest(_ number: Int) -> ModuleManifest {
    ModuleManifest(
      schemaVersion: "1.0", moduleID: "com.example.m\(number)", displayName: "M",
      moduleVersion: SemVer(major: 1, minor: 0, patch: 0), moduleType: .service, supportedPlatforms: [.linux],
      minForsettiVersion: SemVer(major: 0, minor: 1, patch: 0), capabilitiesRequested: [],
      iapProductID: "com.example.product", entryPoint: "M\(number)")
  }

  /// A socket before a supervisor whose boot waits at the gate, so that its modules are known and do not run.
  private static func harness(_ gate: Log<Bool>) throws -> ControlHarness {
    try ControlHarness(
      manifests: (0..<300).map { Self.manifest($0) }, entitlements: GatedEntitlements(gate: gate))
  }

  /// The items of a call's answer, and the answer.
  private nonisolated static func ask(
    _ folder: String, _ operation: String, _ request: CBORValue
  ) async throws -> (items: [CBORValue], answer: CBORValue) {
    let client = try RawClient(folder)
    try client.greet()
    try client.call(operation, request, id: 2)
    var items: [CBORValue] = []
    while let (message, _) = try client.next() {
      switch message {
      case .item(let value): items.append(value)
      case .reply(let value): return (items, value)
      default: throw ControlFailure(.failed, .software, "\(message)")
      }
    }
    throw ControlFailure(.failed, .software, "no answer")
  }

  private static func live(_ harness: ControlHarness, since: Int) async throws -> (
    lines: [LiveLine], answer: LiveAnswer
  ) {
    var request = LiveRequest()
    request.since = since
    let (items, answer) = try await ask(harness.folder, "live", request.control)
    return (try items.map { try LiveLine(control: $0) }, try LiveAnswer(control: answer))
  }

  @Test("a page of many modules is told of all once, and then of nothing, as long as nothing happens")
  func live() async throws {
    let gate = Log<Bool>()
    let harness = try Self.harness(gate)
    defer {
      harness.close()
      gate.add(true)
    }
    // Before the boot nobody knows of a module.
    let empty = try await Self.live(harness, since: 0)
    #expect(empty.lines.isEmpty && empty.answer.isWhole)
    await harness.discover()
    let first = try await Self.live(harness, since: empty.answer.revision)
    #expect(Set(first.lines.map(\.moduleID)) == Set((0..<300).map { "com.example.m\($0)" }))
    #expect(first.answer.isWhole && first.lines.allSatisfy { $0.state == "discovered" })
    let second = try await Self.live(harness, since: first.answer.revision)
    #expect(second.lines.isEmpty && !second.answer.isWhole)
    // Another page knows of nothing yet.
    #expect(try await Self.live(harness, since: 0).lines.count == 300)
  }

  @Test(
    "an overview is made once, and again for what changed; one that is asked for by several at once is whole for each"
  )
  func overview() async throws {
    let gate = Log<Bool>()
    let harness = try Self.harness(gate)
    defer {
      harness.close()
      gate.add(true)
    }
    await harness.discover()
    let folder = harness.folder
    @Sendable func overview() async throws -> [OverviewLine] {
      try await Self.ask(folder, "overview", .map([])).items.map { try OverviewLine(control: $0) }
    }
    async let one = overview()
    async let other = overview()
    #expect(try await one.count == 300)
    #expect(try await other.count == 300)
    let manager = try #require(harness.runtime.moduleManager)
    // It was not desired: it stands where it stood, and the table is gone through again.
    let changes = manager.changes
    try await manager.deactivateModule(moduleID: "com.example.m7")
    #expect(manager.changes != changes)
    let lines = try await overview()
    #expect(Set(lines.map(\.moduleID)).count == 300)
    #expect(lines.allSatisfy { $0.state == "discovered" && $0.failure == nil })
    let named = try await Self.ask(folder, "overview", OverviewRequest(module: "m299").control).items
    #expect(try named.map { try OverviewLine(control: $0).moduleID } == ["com.example.m299"])
  }
}
