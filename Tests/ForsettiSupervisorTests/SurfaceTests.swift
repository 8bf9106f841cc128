import ForsettiCore
import ForsettiRuntime
import Testing

/// What the host asks of a UI module, through its locked process and back.
@ReactorActor @Suite(.timeLimit(.minutes(2))) struct SurfaceTests {
  private let service = "com.forsetti.example.service"
  private let ui = "com.forsetti.example.ui"
  private let router = OverlayRouter(baseDestinations: ["home"], slots: ["module.workspace", "overlay.main"])

  private func boot(changing: (String) -> String = { $0 }) async throws -> LiveRuntime {
    try await LiveRuntime(
      policy: LiveRuntime.policy(Product.examplePolicy, changing: changing),
      manifests: Product.exampleManifests)
  }

  private func item(_ itemID: String, _ live: LiveRuntime) throws -> UISurface.ToolbarItem {
    try #require(live.runtime.surface.surface.toolbarItems.first { $0.item.itemID == itemID })
  }

  private func values(_ live: LiveRuntime) async throws -> [String: ViewNode] {
    let tree = try await live.manager.render(viewID: "example-workspace", moduleID: ui)
    guard case .list(let nodes, _) = tree, nodes.count == 3, case .keyValues(let pairs) = nodes[1] else {
      Issue.record("\(tree)")
      return [:]
    }
    return Dictionary(uniqueKeysWithValues: pairs.map { ($0.key, $0.value) })
  }

  @Test("a toolbar action reaches its module as an event, and the view shows what came of it")
  func toolbar() async throws {
    let live = try await boot()
    #expect(try await values(live)["Greetings"] == .text("0"))
    let greet = try item("example-greet", live)
    #expect(
      try live.manager.perform(greet, router: router)
        == .publish(
          type: "com.forsetti.example.ui.greet", payload: ["from": "the toolbar"], moduleID: ui))
    try live.manager.perform(greet, router: router)
    await live.heard(ui, "greeted by the toolbar", times: 2)
    let shown = try await values(live)
    #expect(shown["Greetings"] == .text("2"))
    #expect(shown["Last one from"] == .text("the toolbar"))
    #expect(await live.event("com.forsetti.example.ui.greet")?.sourceModuleID == ui)
    await live.shutDown()
  }

  @Test("a button of a view publishes in its module's name") func button() async throws {
    let live = try await boot()
    guard case .list(let nodes, _) = try await live.manager.render(viewID: "example-workspace", moduleID: ui),
      case .button(_, .publishEvent(let type, let payload)) = nodes.last
    else {
      Issue.record("the view has no button")
      return
    }
    try live.manager.publish(type, payload: payload ?? [:], inTheNameOf: ui)
    await live.heard(ui, "greeted by the view")
    #expect(try await values(live)["Greetings"] == .text("1"))
    await live.shutDown()
  }

  @Test("an action carries its contributor's rights and no more") func rights() async throws {
    let live = try await boot { text in
      text.replacing(
        #""subscribe": ["{moduleID}.*","#, with: #""publish": [], "subscribe": ["{moduleID}.*","#)
    }
    let greet = try item("example-greet", live)
    #expect(throws: ServiceError.serviceDenied(.policy, detail: "com.forsetti.example.ui.greet")) {
      try live.manager.perform(greet, router: router)
    }
    #expect(throws: ServiceError.serviceDenied(.policy, detail: "com.forsetti.example.service.started")) {
      try live.manager.publish("com.forsetti.example.service.started", payload: [:], inTheNameOf: ui)
    }
    #expect(try await values(live)["Greetings"] == .text("0"))
    await live.shutDown()
  }

  @Test("a toolbar item that opens a route is the host's to follow") func route() async throws {
    let live = try await boot()
    let open = try item("example-open", live)
    guard case .overlay(.routeResolved(let route)) = try live.manager.perform(open, router: router),
      case .moduleOverlay(let viewID, let slot) = route.destination
    else {
      Issue.record("the route leads nowhere")
      return
    }
    #expect(slot == "overlay.main")
    let tree = try await live.manager.render(viewID: viewID, parameters: ["title": "<b>"], moduleID: ui)
    guard case .list(let nodes, _) = tree else {
      Issue.record("\(tree)")
      return
    }
    #expect(nodes.first == .text("<b>", style: .heading), "texts come as they are; the host escapes them")
    await live.shutDown()
  }

  @Test("what can't be drawn is a typed error, and the module goes on") func unknownView() async throws {
    let live = try await boot()
    await #expect(throws: ServiceError.notFound("other")) {
      try await live.manager.render(viewID: "other", moduleID: ui)
    }
    await #expect(throws: ServiceError.self) {
      try await live.manager.render(viewID: "any", moduleID: service)
    }
    await #expect(throws: ServiceError.self) {
      try await live.manager.render(viewID: "any", moduleID: "com.example.none")
    }
    try await live.manager.health(moduleID: ui)
    await live.shutDown()
    await #expect(throws: ServiceError.self) {
      try await live.manager.render(viewID: "example-workspace", moduleID: ui)
    }
  }

  @Test(
    "a view that the policy gives to a service is drawn by it, and its button publishes in the service's name"
  )
  func given() async throws {
    let live = try await boot()
    #expect(try live.manager.renderer(of: "example-service") == service)
    #expect(try live.manager.renderer(of: "example-workspace") == ui)
    guard
      case .list(let nodes, _) = try await live.manager.render(viewID: "example-service", moduleID: service),
      case .button(_, .publishEvent(let type, let payload)) = nodes.last
    else {
      Issue.record("the view has no button")
      return
    }
    // In the UI module's name the same event is refused: it gains nothing by what is shown beside its own.
    #expect(throws: ServiceError.serviceDenied(.policy, detail: type)) {
      try live.manager.publish(type, payload: payload ?? [:], inTheNameOf: ui)
    }
    #expect(try await values(live)["Service started"] == .badge("unknown", tone: .warning))
    try live.manager.publish(type, payload: payload ?? [:], inTheNameOf: service)
    await live.heard(ui, "heard of the service's start")
    let startedAt = try #require(payload?["startedAt"])
    #expect(try await values(live)["Service started"] == .text(startedAt, style: .code))
    try await live.manager.deactivateModule(moduleID: service)
    #expect(throws: ServiceError.self) { try live.manager.renderer(of: "example-service") }
    await live.shutDown()
  }

  @Test("without a word of the policy the contributor is asked for each of its views") func own() async throws
  {
    let live = try await boot {
      $0.replacing(#""views": { "example-service": "com.forsetti.example.service" },"#, with: "")
    }
    #expect(try live.manager.renderer(of: "example-service") == ui)
    await live.shutDown()
  }

  @Test("the UI module hears of the service's next start, in the supervisor's word") func news() async throws
  {
    let live = try await boot()
    #expect(try await values(live)["Service started"] == .badge("unknown", tone: .warning))
    try await live.manager.deactivateModule(moduleID: service)
    try await live.manager.activateModule(moduleID: service)
    await live.heard(ui, "heard of the service's start")
    let last = live.events.items.last { $0.type == "\(service).started" }
    #expect(last?.sourceModuleID == service)
    let startedAt = try #require(last?.payload["startedAt"])
    #expect(try await values(live)["Service started"] == .text(startedAt, style: .code))
    #expect(live.events.items.contains { $0.type == "\(service).stopped" })
    await live.shutDown()
  }
}
