import ForsettiIPC
import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite("The pages of the deployment tracker") struct DeploymentPageTests {
  /// Every text, and the types of all events that a button or form publishes.
  private struct Reading {
    var texts: [String] = []
    var types: Set<String> = []

    init(_ node: ViewNode) { read(node) }

    private mutating func read(_ node: ViewNode) {
      switch node {
      case .text(let text, _), .badge(let text, _), .progress(_, let text): texts.append(text)
      case .list(let nodes, _): for node in nodes { read(node) }
      case .table(let columns, let rows):
        texts += columns
        for node in rows.joined() { read(node) }
      case .keyValues(let pairs):
        for pair in pairs {
          texts.append(pair.key)
          read(pair.value)
        }
      case .form(let form):
        types.insert(form.eventType)
        texts += form.fields.map(\.label)
      case .chart(let chart): texts += chart.labels
      case .button(let title, let action):
        texts.append(title)
        if case .publishEvent(let type, _) = action { types.insert(type) }
      }
    }

    func says(_ text: String) -> Bool { texts.contains { $0.contains(text) } }
  }

  /// Draws a page, which the host must be able to read.
  private func draw(_ screen: DeploymentScreen, _ state: DeploymentState = DeploymentSeed.state()) throws
    -> Reading
  {
    let node = DeploymentPage(state: state, screen: screen).node
    var writer = CBORWriter()
    try node.encode(into: &writer)
    #expect(writer.bytes.count < 1 << 20)
    return Reading(node)
  }

  @Test(
    "are within what a view may hold, and say that all of it is made up",
    arguments: DeploymentWorkspace.allCases)
  func all(workspace: DeploymentWorkspace) throws {
    var screen = DeploymentScreen(workspace: workspace)
    screen.grid.layout = DeploymentLayout.builtIn[3]
    let reading = try draw(screen)
    #expect(reading.says("Demo: made-up data, no live actions"))
    #expect(reading.says(workspace.title))
    let prefix = DeploymentTrackerManifest.manifest.moduleID + "."
    for type in reading.types {
      #expect(type.hasPrefix(prefix) && DeploymentVerb(rawValue: String(type.dropFirst(prefix.count))) != nil)
    }
  }

  @Test("have a button or a form for every verb")
  func verbs() throws {
    var types: Set<String> = []
    var screens = DeploymentWorkspace.allCases.map { DeploymentScreen(workspace: $0) }
    screens.append(DeploymentScreen(workspace: .devices, selected: "DEMO-MAC-0001"))
    screens.append(DeploymentScreen(workspace: .devices, selected: "DEMO-MAC-0002"))
    var filtered = DeploymentScreen(workspace: .devices)
    filtered.grid.add(try DeploymentGrid.Filter(field: "*", text: "demo"))
    screens.append(filtered)
    let scenario = try #require(DeploymentScenario.all.first)
    screens.append(
      DeploymentScreen(
        workspace: .scenarios, run: DeploymentScenarioRun(scenario: scenario, serial: "DEMO-MAC-0001")))
    var state = DeploymentSeed.state()
    let layout = try DeploymentLayout(name: "Mine", list: "status")
    state.apply(try DeploymentRules.save(layout, in: state, at: 1))
    state.apply(try DeploymentRules.setRecord(.archived, of: "DEMO-MAC-0002", in: state, at: 1))
    for screen in screens { types.formUnion(try draw(screen, state).types) }
    let prefix = DeploymentTrackerManifest.manifest.moduleID + "."
    #expect(types == Set(DeploymentVerb.allCases.map { prefix + $0.rawValue }))
  }

  @Test("of a device show what each gate says")
  func device() throws {
    let state = DeploymentSeed.state()
    for device in state.sortedDevices {
      let reading = try draw(DeploymentScreen(workspace: .devices, selected: device.serial), state)
      #expect(reading.says(device.serial) && reading.says(device.status.title))
      for step in DeploymentWorkflow.transitions(of: device) where device.record == .active {
        #expect(reading.says(step.to.title))
      }
    }
  }

  @Test("say what was refused, and what to do")
  func notice() throws {
    let refusal = DeploymentRefusal.liveActionBlocked(.shipment)
    let reading = try draw(
      DeploymentScreen(notice: DeploymentScreen.Notice(refusal), fault: "The head can't be read."))
    #expect(
      reading.says(refusal.what) && reading.says(refusal.advice) && reading.says("The head can't be read."))
  }

  @Test("show a preview that imports nothing")
  func preview() throws {
    let state = DeploymentSeed.state()
    let rows = (1...1_500).map { "NEW-\($0)" }.joined(separator: "\n")
    let preview = ImportPreview(rows, format: .serialList, in: state)
    let reading = try draw(DeploymentScreen(workspace: .imports, preview: preview), state)
    #expect(reading.says("1500 new, 0 known, 0 with faults. This is a preview: nothing was imported."))
  }
}
