import ForsettiCore
import ForsettiIPC
import ForsettiRuntime
import Foundation
import Testing

@testable import ForsettiSupervisor

/// The parts of the control socket that need no process.
@Suite struct ControlPartTests {
  private static let ids = ["com.a.service.scan", "com.a.service.scan-two", "com.a.ui", "org.b.ui"]

  @Test(
    "a name means the module that alone has it, a whole ID beats all, and doubt is told",
    arguments: [
      ("COM.A.UI", .one("com.a.ui")), ("scan", .one("com.a.service.scan")), ("org", .one("org.b.ui")),
      ("scan-t", .one("com.a.service.scan-two")), ("ui", .several(["com.a.ui", "org.b.ui"])),
      ("com.a.uj", .none(near: "com.a.ui")), ("", .none(near: nil)),
    ] as [(String, ModuleName.Match)])
  func names(name: String, match: ModuleName.Match) {
    #expect(ModuleName.match(name, among: Self.ids) == match)
  }

  @Test("a module that is desired and gone is found by a part of its name, and meant by one that is near")
  @ReactorActor func goneModule() async throws {
    let gone = "com.example.service.gone"
    let harness = try ControlHarness(desired: ActivationState(enabledServiceModuleIDs: [gone]))
    defer { harness.close() }
    try await harness.boot()
    let manager = try #require(harness.runtime.moduleManager)
    #expect(manager.catalog[gone] == nil)
    for name in [gone, "gone", "com.example"] { #expect(try manager.find(name) == gone) }
    let failure = #expect(throws: ControlFailure.self) { try manager.find("com.example.service.gome") }
    #expect(failure?.message.contains("did you mean \(gone)?") == true)
  }

  @Test("a record reads what it wrote, keeps its order for people, and takes a newer one's without complaint")
  func records() throws {
    var item = LogItem()
    item.time = 5
    item.moduleID = "a.b"
    item.metadata = ["k": "v"]
    #expect(try LogItem(control: item.control) == item)
    #expect(item.json.members?.map(\.key) == ["time", "level", "origin", "module", "message", "metadata"])
    guard case .map(let members) = item.control else {
      Issue.record("a record is no map")
      return
    }
    let newer = CBORValue.map(members + [CBORMember(.text("unknown"), .bool(true))])
    #expect(try LogItem(control: newer) == item)
    #expect(throws: ControlValueError.self) {
      try LogItem(control: .map([CBORMember(.text("time"), .text("soon"))]))
    }
  }

  @Test("a hello agrees on the highest version in common, or says which are spoken here")
  func hello() throws {
    #expect(
      try ControlHello.answer(ControlHello.Request(ProtocolRange(lowest: 1, highest: 7))).version == 1)
    for range in [ProtocolRange(lowest: 2, highest: 7), ProtocolRange(lowest: 0, highest: 0)] {
      #expect {
        try ControlHello.answer(ControlHello.Request(range))
      } throws: { ($0 as? ControlFailure)?.code == .version }
    }
  }

  @Test(
    "of several types of events only those are listened to that no other covers, so that none comes twice",
    arguments: [
      ([], ["*"]), (["a.b"], ["a.b"]), (["a.*", "a.b", "a.b.*", "b.c", "a.*"], ["a.*", "b.c"]),
      (["ab.c", "a.*"], ["a.*", "ab.c"]), (["a.b", "*", "c.*"], ["*"]),
    ])
  func eventTypes(asked: [String], heard: [String]) {
    var request = EventsRequest(nil)
    request.patterns = asked
    #expect(request.distinct == heard)
  }

  @Test("every operation has a name of its own and a line in docs/control.md") func documented() throws {
    let text = try String(contentsOfFile: Product.checkout + "/docs/control.md", encoding: .utf8)
    #expect(ControlOperations.byName.count == ControlOperations.all.count)
    for entry in ControlOperations.all {
      #expect(text.contains("| `\(entry.name)` | \(entry.right.rawValue) |"), "\(entry.name)")
    }
  }
}
