import ForsettiCore
import Testing

@testable import ForsettiModules

@MainActor @Suite("A module's desk", .timeLimit(.minutes(1)))
struct ModuleDeskTests {
  private static let id = "com.example.desk"

  private static var manifest: ModuleManifest {
    ModuleManifest(
      moduleID: id, displayName: "Desk", moduleVersion: SemVer(major: 1, minor: 0, patch: 0),
      moduleType: .service, supportedPlatforms: [.linux],
      minForsettiVersion: SemVer(major: 0, minor: 1, patch: 0), capabilitiesRequested: [], entryPoint: "Desk")
  }

  /// What a test's handlers have done.
  @MainActor private final class Record {
    var lines: [String] = []
    var mayGoOn = false
  }

  @Test("a verb's type is below the module's own ID") func types() throws {
    let wire = try ModuleWire(Self.manifest)
    #expect(ModuleDesk.type("search", of: Self.id) == "com.example.desk.search")
    #expect(ModuleDesk(context: wire.context).type("search") == "com.example.desk.search")
  }

  @Test("a verb is handled one after the other, and another verb is heard meanwhile") func verbs()
    async throws
  {
    let wire = try ModuleWire(Self.manifest)
    let desk = ModuleDesk(context: wire.context)
    let record = Record()
    try await wire.subscribing {
      try await desk.on("search") { payload in
        record.lines.append("search \(payload["text"] ?? "")")
        while !record.mayGoOn { await Task.yield() }
        record.lines.append("found \(payload["text"] ?? "")")
      }
      try await desk.on("cancel") { _ in
        record.lines.append("cancel")
        record.mayGoOn = true
      }
    }
    try wire.deliver(desk.type("search"), ["text": "a"], from: Self.id)
    try wire.deliver(desk.type("search"), ["text": "b"], from: Self.id)
    await wire.until { !record.lines.isEmpty }
    try wire.deliver(desk.type("cancel"), from: Self.id)
    await wire.until { record.lines.count == 5 }
    #expect(record.lines == ["search a", "cancel", "found a", "search b", "found b"])
  }

  @Test("what others publish under the module's types is passed over", arguments: ["com.example.other", nil])
  func strangers(source: String?) async throws {
    let wire = try ModuleWire(Self.manifest)
    let desk = ModuleDesk(context: wire.context)
    let record = Record()
    try await wire.subscribing { try await desk.on("erase") { record.lines.append($0["from"] ?? "") } }
    try wire.deliver(desk.type("erase"), ["from": "a stranger"], from: source)
    try wire.deliver(desk.type("erase"), ["from": "itself"], from: Self.id)
    await wire.until { !record.lines.isEmpty }
    #expect(record.lines == ["itself"])
  }

  @Test(
    "several changes of one turn are told of once, and one that comes while a word waits is told of after it")
  func changes() async throws {
    let wire = try ModuleWire(Self.manifest)
    let desk = ModuleDesk(context: wire.context)
    let changed = desk.type("changed")
    for _ in 0..<3 { desk.changed() }
    await wire.until { !wire.outlet.events.isEmpty }
    #expect(wire.outlet.events == [changed])

    wire.outlet.isHeld = true
    desk.changed()
    await wire.until { wire.outlet.events.count == 2 }
    for _ in 0..<3 { desk.changed() }
    wire.outlet.isHeld = false
    await wire.until { wire.outlet.events.count == 3 }
    // Had the three been more than one, the others would come before this.
    let end = Self.id + ".end"
    Task { try await wire.context.publishEvent(type: end) }
    await wire.until { wire.outlet.events.last == end }
    #expect(wire.outlet.events == [changed, changed, changed, end])
  }

  @Test("whoever waits for a change to be told of goes on when the word is out") func told() async throws {
    let wire = try ModuleWire(Self.manifest)
    let desk = ModuleDesk(context: wire.context)
    let record = Record()
    await desk.told()
    wire.outlet.isHeld = true
    desk.changed()
    let waiter = Task { @MainActor in
      await desk.told()
      record.lines.append("told")
    }
    await wire.until { !wire.outlet.events.isEmpty }
    #expect(record.lines.isEmpty)
    wire.outlet.isHeld = false
    await waiter.value
    #expect(record.lines == ["told"])
  }

  @Test("once it is closed nothing is handled, and no change is told of") func closed() async throws {
    let wire = try ModuleWire(Self.manifest)
    let desk = ModuleDesk(context: wire.context)
    let record = Record()
    try await wire.subscribing { try await desk.on("search") { _ in record.lines.append("search") } }
    desk.changed()
    desk.close()
    try wire.deliver(desk.type("search"), from: Self.id)
    // Whatever was to come would come before the word of another desk.
    let next = ModuleDesk(context: wire.context)
    try await wire.subscribing { try await next.on("next") { _ in record.lines.append("next") } }
    try wire.deliver(desk.type("next"), from: Self.id)
    await wire.until { !record.lines.isEmpty }
    #expect(record.lines == ["next"])
    #expect(wire.outlet.events.isEmpty)
  }
}
