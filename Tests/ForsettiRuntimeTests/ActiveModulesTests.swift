import ForsettiCore
import Testing

@testable import ForsettiRuntime

@ReactorActor @Suite("The active modules")
struct ActiveModulesTests {
  private let world = ScriptedWorld()

  private func module(_ id: String, _ order: Int, _ type: ModuleType = .service) -> ModuleManager.ActiveModule
  {
    let loaded = LoadedManifest(manifest: manifest(id, type), path: "/m.json", sha256: "00")
    return ModuleManager.ActiveModule(
      module: loaded, instance: ScriptedInstance(loaded, world) { _ in }, order: order, since: 0,
      policy: Policy())
  }

  @Test("are in the order in which they became active, however they were put in and taken out")
  func order() {
    var active = ActiveModules()
    var expected: [Int: String] = [:]
    var numbers = SystemRandomNumberGenerator()
    for order in (0..<200).shuffled(using: &numbers) {
      active["m\(order)"] = module("m\(order)", order)
      expected[order] = "m\(order)"
      if order.isMultiple(of: 3), let other = expected.randomElement(using: &numbers) {
        active[other.value] = nil
        expected[other.key] = nil
      }
      #expect(active.orders == expected.keys.sorted())
      #expect(active.ids == expected.sorted { $0.key < $1.key }.map(\.value))
    }
    for order in -1...200 { #expect(active.id(of: order) == expected[order]) }
    #expect(Set(active.all.map(\.order)) == Set(expected.keys))
    for order in 0..<200 { #expect(active.contains("m\(order)") == (expected[order] != nil)) }
  }

  @Test("a module that is set takes the place of the one of its ID, and has the newer order")
  func replaced() {
    var active = ActiveModules()
    for (order, id) in ["a", "b", "c"].enumerated() { active[id] = module(id, order) }
    active["a"] = module("a", 3)
    #expect(active.ids == ["b", "c", "a"] && active.orders == [1, 2, 3])
    #expect(active["a"]?.order == 3 && active.id(of: 0) == nil && active.all.count == 3)
    active["none"] = nil
    #expect(active.ids == ["b", "c", "a"])
  }

  @Test("the UI or app module among them is known as long as it is there, and no service's end changes that")
  func userInterface() {
    var active = ActiveModules()
    active["service"] = module("service", 0)
    #expect(active.uiModuleID == nil)
    for type in [ModuleType.ui, .app] {
      active["shown"] = module("shown", 1, type)
      #expect(active.uiModuleID == "shown")
      active["shown"] = module("shown", 2, type)
      #expect(active.uiModuleID == "shown")
      active["service"] = nil
      active["service"] = module("service", 3)
      #expect(active.uiModuleID == "shown")
      active["shown"] = nil
      #expect(active.uiModuleID == nil)
    }
    // One that is put in before the last one has left stays.
    active["first"] = module("first", 4, .ui)
    active["second"] = module("second", 5, .app)
    active["first"] = nil
    #expect(active.uiModuleID == "second")
  }
}
