import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite("Guide and scenarios of the deployment tracker") struct DeploymentGuideTests {
  @Test("the guide has a topic for each page, and each topic says something")
  func topics() {
    #expect(Set(DeploymentGuide.topics.map(\.id)).count == DeploymentGuide.topics.count)
    #expect(DeploymentGuide.topics.count >= 28)
    #expect(DeploymentGuide.topics.allSatisfy { !$0.title.isEmpty && !$0.text.isEmpty })
    for workspace in DeploymentWorkspace.allCases {
      #expect(DeploymentGuide.topic(of: workspace)?.workspace == workspace)
    }
  }

  private static let queries: [(String, String?)] = [
    ("403 API role privilege", "jamf-permissions"), ("CSV injection", "formulas"), ("ABM", "apple-business"),
    ("barcode", "scan"), ("dead end", "on-hold"), ("no such thing here", nil),
  ]

  @Test("the guide finds topics that have all the words", arguments: queries)
  func found(query: String, id: String?) {
    #expect(DeploymentGuide.search(query).first?.id == id)
  }

  @Test("the guide shows all of itself where nothing is looked for")
  func all() { #expect(DeploymentGuide.search(" ") == DeploymentGuide.topics) }

  @Test("there are scenarios of four steps and more, with names of their own")
  func catalog() {
    #expect(DeploymentScenario.all.count >= 14)
    #expect(Set(DeploymentScenario.all.map(\.id)).count == DeploymentScenario.all.count)
    for scenario in DeploymentScenario.all {
      #expect(scenario.steps.count >= 4)
      #expect(scenario.steps.allSatisfy { !$0.title.isEmpty && !$0.expected.isEmpty })
      #expect(DeploymentScenario.named(scenario.id) == scenario)
    }
  }

  @Test(
    "each scenario can be done with the data that the demo begins with", arguments: DeploymentScenario.all)
  func done(scenario: DeploymentScenario) throws {
    var state = DeploymentSeed.state()
    let serial = try scenario.device(in: state).serial
    for step in scenario.steps {
      switch step.action {
      case .open: continue
      case .move(let target, let reason):
        state.apply(
          try DeploymentRules.move(serial, to: target.rawValue, reason: reason, in: state, at: 1))
      case .refusedMove(let target, let reason):
        #expect(throws: DeploymentRefusal.self, "\(step.title)") {
          try DeploymentRules.move(serial, to: target.rawValue, reason: reason, in: state, at: 1)
        }
      case .edit(let field, let value):
        state.apply(try DeploymentRules.edit(serial, field, to: value, in: state, at: 1))
      case .simulate(let action):
        state.apply(try DeploymentSimulator.run(action, in: state, at: 1).change)
      case .live(let action):
        #expect(throws: DeploymentRefusal.liveActionBlocked(action)) { try action.perform() }
      case .settle:
        let open = try #require(state.exceptions(of: serial).first { $0.isOpen })
        state.apply(try DeploymentRules.settle(open.id, as: .resolved, note: "", in: state, at: 1))
      }
    }
  }

  @Test("a scenario is refused where no device stands at its beginning")
  func nobody() throws {
    let scenario = try #require(DeploymentScenario.named("intake"))
    let state = DeploymentTestData.state(DeploymentTestData.device(.complete))
    #expect(throws: DeploymentRefusal.self) { try scenario.device(in: state) }
  }
}
