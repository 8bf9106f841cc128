import ForsettiCore
import Testing

@testable import ForsettiRuntime

@Suite("The surface is composed from contributions")
struct UISurfaceTests {
  private func injection(_ id: String, _ slot: String, _ priority: Int) -> ViewInjectionDescriptor {
    ViewInjectionDescriptor(injectionID: id, slot: slot, viewID: "view.\(id)", priority: priority)
  }

  @Test("toolbar items keep their declared order and carry the module whose rights they have")
  func toolbar() {
    let items = ["z", "a", "m"].map {
      ToolbarItemDescriptor(itemID: $0, title: $0, action: .navigate(pointerID: "p"))
    }
    let surface = UISurface(contributions: ["com.b": UIContributions(toolbarItems: items)])
    #expect(surface.toolbarItems.map(\.item.itemID) == ["z", "a", "m"])
    #expect(surface.toolbarItems.allSatisfy { $0.moduleID == "com.b" })
  }

  @Test("injections go by slot, then priority from high to low, ties by module and then declared order")
  func injections() {
    let surface = UISurface(contributions: [
      "com.b": UIContributions(viewInjections: [injection("b1", "main", 5), injection("b2", "main", 9)]),
      "com.a": UIContributions(viewInjections: [
        injection("a1", "main", 5), injection("a2", "main", 5), injection("a3", "side", Int.min),
      ]),
    ])
    #expect(surface.injectionsBySlot["main"]?.map(\.injection.injectionID) == ["b2", "a1", "a2", "b1"])
    #expect(surface.injectionsBySlot["side"]?.map(\.injection.injectionID) == ["a3"])
  }

  @Test("overlay schemas become one composite, sorted by ID; without a schema there is none")
  func overlays() {
    let pointer = { (id: String) in
      NavigationPointer(
        pointerID: id, label: id, target: BaseDestinationRef(destinationID: "home"), presentation: .sheet)
    }
    let route = { (id: String) in
      OverlayRoute(routeID: id, path: "/\(id)", destination: .moduleOverlay(viewID: "v", slot: "main"))
    }
    let schema = OverlaySchema(
      schemaID: "mine", pointers: [pointer("q"), pointer("b")], routes: [route("z"), route("c")])
    let surface = UISurface(contributions: ["com.a": UIContributions(overlaySchema: schema)])
    #expect(surface.overlaySchema?.schemaID == UISurface.compositeSchemaID)
    #expect(surface.overlaySchema?.pointers.map(\.pointerID) == ["b", "q"])
    #expect(surface.overlaySchema?.routes.map(\.routeID) == ["c", "z"])
    #expect(UISurface.empty.overlaySchema == nil)
  }

  @Test("observers see the surface as it is and every swap as one step")
  @ReactorActor
  func observing() async {
    let manager = UISurfaceManager()
    var seen = manager.surfaces().makeAsyncIterator()
    #expect(await seen.next() == .empty)
    let item = ToolbarItemDescriptor(itemID: "i", title: "I", action: .openOverlay(routeID: "r"))
    manager.present(UIContributions(toolbarItems: [item]), of: "com.old")
    #expect(await seen.next()?.toolbarItems.map(\.moduleID) == ["com.old"])
    manager.present(UIContributions(toolbarItems: [item]), of: "com.new")
    #expect(await seen.next()?.toolbarItems.map(\.moduleID) == ["com.new"])
    manager.remove("com.old")
    manager.remove("com.new")
    #expect(await seen.next() == .empty)
  }
}
