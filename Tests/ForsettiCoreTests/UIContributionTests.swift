import ForsettiCore
import Testing

@Suite("UI contributions")
struct UIContributionTests {
  static let full = UIContributions(
    themeMask: ThemeMask(themeID: "t", tokens: [ThemeToken(key: "accent", value: "#123")]),
    toolbarItems: [
      ToolbarItemDescriptor(
        itemID: "i1", title: "One", systemImageName: "gear", action: .navigate(pointerID: "p")),
      ToolbarItemDescriptor(itemID: "i2", title: "Two", action: .openOverlay(routeID: "r")),
      ToolbarItemDescriptor(
        itemID: "i3", title: "Three", action: .publishEvent(eventType: "e", payload: ["a": "b"])),
      ToolbarItemDescriptor(itemID: "i4", title: "Four", action: .publishEvent(eventType: "e", payload: nil)),
    ],
    viewInjections: [ViewInjectionDescriptor(injectionID: "j", slot: "s", viewID: "v", priority: -3)],
    overlaySchema: OverlaySchema(
      schemaID: "o",
      pointers: [
        NavigationPointer(
          pointerID: "p", label: "P",
          target: BaseDestinationRef(destinationID: "home", parameters: ["k": "1"]),
          presentation: .sheet)
      ],
      routes: [
        OverlayRoute(routeID: "r", path: "/r", destination: .moduleOverlay(viewID: "v", slot: "s")),
        OverlayRoute(
          routeID: "r2", path: "/b", destination: .base(BaseDestinationRef(destinationID: "home"))),
      ]))

  static func manifest(template: String = "1.1", capabilities: [Capability]? = nil) -> ModuleManifest {
    var manifest = RequirementsTests.module(
      type: .ui, capabilities: capabilities ?? [.toolbarItems, .viewInjection, .routingOverlay, .uiThemeMask])
    manifest.manifestTemplateVersion = template
    manifest.runtimeRequirements.ui = UIRequirements(
      themeIDs: ["t"], viewIDs: ["v"], slotIDs: ["s"], toolbarItemIDs: ["i1", "i2", "i3", "i4"],
      routeIDs: ["r", "r2"], pointerIDs: ["p"])
    return manifest
  }

  static func reason(_ contributions: UIContributions, _ manifest: ModuleManifest = manifest()) throws
    -> String?
  {
    do throws(ModuleManagerError) {
      try UIContributionValidator.validate(contributions, of: manifest)
      return nil
    } catch {
      guard case .unsatisfiedRuntimeRequirement("com.example.a", let reason) = error else { throw error }
      return reason
    }
  }

  @Test("contributions survive their JSON form, and nothing is an empty object")
  func coding() throws {
    let text = JSONWriter.bytes(Self.full.jsonValue)
    #expect(try UIContributions(jsonValue: JSONParser.parse(text).root) == Self.full)
    #expect(try UIContributions(jsonValue: .object([])) == UIContributions())
  }

  @Test(
    "a malformed contribution is refused with its pointer",
    arguments: [
      (#"[]"#, ""), (#"{"toolbarItems":{}}"#, "/toolbarItems"),
      (#"{"toolbarItems":[{"title":"x"}]}"#, "/toolbarItems/0/itemID"),
      (
        #"{"toolbarItems":[{"itemID":"i","title":"x","action":{"type":"navgate"}}]}"#,
        "/toolbarItems/0/action/type"
      ),
      (
        #"{"toolbarItems":[{"itemID":"i","title":"x","action":{"type":"publishEvent","eventType":"e","payload":{"a":1}}}]}"#,
        "/toolbarItems/0/action/payload/a"
      ),
      (#"{"viewInjections":[{"injectionID":"i","slot":"s","viewID":"v"}]}"#, "/viewInjections/0/priority"),
      (
        #"{"viewInjections":[{"injectionID":"i","slot":"s","viewID":"v","priority":1e10}]}"#,
        "/viewInjections/0/priority"
      ),
      (
        #"{"overlaySchema":{"schemaID":"o","routes":[{"routeID":"r","path":"/","destination":{"type":"x"}}]}}"#,
        "/overlaySchema/routes/0/destination/type"
      ),
      (#"{"themeMask":{"themeID":"t","tokens":[{"key":"k"}]}}"#, "/themeMask/tokens/0/value"),
    ])
  func malformed(text: String, pointer: String) throws {
    let root = try JSONParser.parse(Array(text.utf8)).root
    let fault = #expect(throws: JSONFault.self) { try UIContributions(jsonValue: root) }
    #expect(fault?.pointer == pointer)
  }

  @Test("what is declared and whose capabilities are requested passes")
  func valid() throws {
    #expect(try Self.reason(Self.full) == nil)
    #expect(try Self.reason(UIContributions(), RequirementsTests.module(type: .ui)) == nil)
  }

  @Test("each kind needs its capability, asked in a fixed order; an empty schema counts")
  func capabilities() {
    let order: [Capability] = [.toolbarItems, .viewInjection, .routingOverlay, .uiThemeMask]
    for (index, capability) in order.enumerated() {
      let manifest = Self.manifest(capabilities: Array(order[..<index]))
      let error = #expect(throws: ModuleManagerError.self) {
        try UIContributionValidator.validate(Self.full, of: manifest)
      }
      guard case .missingCapability("com.example.a", capability, _) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
    let empty = UIContributions(overlaySchema: OverlaySchema(schemaID: "o", pointers: [], routes: []))
    #expect(throws: ModuleManagerError.self) {
      try UIContributionValidator.validate(empty, of: Self.manifest(capabilities: []))
    }
  }

  static let undeclared: [(label: String, change: @Sendable (inout UIRequirements) -> Void)] = [
    ("themeID", { $0.themeIDs = [] }), ("toolbarItemID", { $0.toolbarItemIDs.removeLast() }),
    ("viewID", { $0.viewIDs = [] }), ("slotID", { $0.slotIDs = [] }), ("routeID", { $0.routeIDs = ["r"] }),
    ("pointerID", { $0.pointerIDs = ["P"] }),
  ]

  @Test(
    "template 1.1 refuses each undeclared ID by kind; template 1.0 has nowhere to declare them",
    arguments: 0..<6)
  func undeclared(index: Int) throws {
    var manifest = Self.manifest()
    var declared = try #require(manifest.runtimeRequirements.ui)
    Self.undeclared[index].change(&declared)
    manifest.runtimeRequirements.ui = declared
    #expect(try Self.reason(Self.full, manifest)?.contains(Self.undeclared[index].label) == true)
    manifest.manifestTemplateVersion = "1.0"
    #expect(try Self.reason(Self.full, manifest) == nil)
  }

  @Test("IDs inside actions and destinations are checked as well")
  func nested() throws {
    var contributions = Self.full
    contributions.toolbarItems[0].action = .navigate(pointerID: "elsewhere")
    #expect(try Self.reason(contributions)?.contains("action of toolbar item \"i1\" uses pointerID") == true)
    contributions = Self.full
    contributions.toolbarItems[1].action = .openOverlay(routeID: "elsewhere")
    #expect(try Self.reason(contributions)?.contains("action of toolbar item \"i2\" uses routeID") == true)
    contributions = Self.full
    contributions.overlaySchema?.routes[0].destination = .moduleOverlay(viewID: "elsewhere", slot: "s")
    #expect(try Self.reason(contributions)?.contains("destination of route \"r\" uses viewID") == true)
    contributions.overlaySchema?.routes[0].destination = .moduleOverlay(viewID: "v", slot: "elsewhere")
    #expect(try Self.reason(contributions)?.contains("destination of route \"r\" uses slotID") == true)
  }

  @Test("a UI module without a ui block may contribute nothing")
  func noBlock() throws {
    var manifest = Self.manifest()
    manifest.runtimeRequirements.ui = nil
    #expect(try Self.reason(Self.full, manifest)?.contains("no runtimeRequirements.ui") == true)
    #expect(try Self.reason(UIContributions(), manifest) == nil)
  }

  @Test("duplicates are refused")
  func duplicates() throws {
    var contributions = Self.full
    contributions.toolbarItems.append(contributions.toolbarItems[0])
    #expect(try Self.reason(contributions)?.contains("toolbarItemID \"i1\" is contributed twice") == true)
    contributions = Self.full
    contributions.viewInjections.append(contributions.viewInjections[0])
    #expect(try Self.reason(contributions)?.contains("injectionID") == true)
    contributions = Self.full
    contributions.overlaySchema?.routes[1].routeID = "r"
    #expect(try Self.reason(contributions)?.contains("routeID \"r\" is contributed twice") == true)
    contributions = Self.full
    contributions.themeMask?.tokens.append(ThemeToken(key: "accent", value: "x"))
    #expect(try Self.reason(contributions)?.contains("token") == true)
  }

  @Test("sizes and hidden characters are refused whichever way the contributions came")
  func bounds() throws {
    var contributions = Self.full
    contributions.toolbarItems[0].title = "a\u{202E}b"
    #expect(try Self.reason(contributions)?.contains("title") == true)
    contributions.toolbarItems[0].title = String(repeating: "a", count: 4097)
    #expect(try Self.reason(contributions)?.contains("4096") == true)
    contributions = Self.full
    contributions.viewInjections = Array(repeating: contributions.viewInjections[0], count: 1025)
    #expect(try Self.reason(contributions)?.contains("1025 entries") == true)
  }

  @Test("what isn't granted is dropped, and the theme mask unless the host may use it")
  func sanitising() {
    let all: [Capability] = [.toolbarItems, .viewInjection, .routingOverlay, .uiThemeMask]
    func kept(_ grants: [Capability], _ mayHostUseThemeMasks: Bool) -> UIContributions {
      UIContributionValidator.sanitised(Self.full, grants: grants, mayHostUseThemeMasks: mayHostUseThemeMasks)
    }
    #expect(kept(all, true) == Self.full)
    var stripped = Self.full
    stripped.themeMask = nil
    #expect(kept(all, false) == stripped)
    stripped.toolbarItems = []
    #expect(kept([.viewInjection, .routingOverlay], true) == stripped)
    #expect(kept([], true) == UIContributions())
  }
}
