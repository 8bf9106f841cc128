import ForsettiCore
import Testing

@testable import ForsettiModules

@Suite("The retail UI's own views") struct RetailViewTests {
  private static func pairs(_ node: ViewNode) -> [String: ViewNode] {
    guard case .list(let nodes, _) = node else { return [:] }
    let pairs = nodes.flatMap { node -> [ViewKeyValue] in
      guard case .keyValues(let pairs) = node else { return [] }
      return pairs
    }
    return Dictionary(pairs.map { ($0.key, $0.value) }) { first, _ in first }
  }

  private static func table(_ node: ViewNode, _ column: String) -> [[ViewNode]] {
    guard case .list(let nodes, _) = node else { return [] }
    for case .table(let columns, let rows) in nodes where columns.first == column { return rows }
    return []
  }

  @Test("home says of what nobody has told that it is unknown") func unknown() {
    let pairs = Self.pairs(HomeView.node(RetailState()))
    #expect(pairs["Jamf Pro"] == .badge("unknown", tone: .neutral))
    #expect(pairs["Modules"] == .text("0 of 11 active"))
    #expect(pairs["Pending commands"] == .text("unknown") && pairs["Recent errors"] == .text("unknown"))
    let states = Self.table(HomeView.node(RetailState()), "Module").map { $0[2] }
    #expect(states == Array(repeating: .badge("unknown", tone: .neutral), count: 11))
  }

  @Test("home shows the numbers that it was told, and no other") func known() {
    var state = RetailState()
    state.hear(.connection(RetailState.Connection(state: "connected", server: "https://jamf.example")))
    state.hear(.pendingCommands(0))
    state.hear(.presence(.ended, moduleID: RetailCatalogue.support))
    state.hear(.presence(.active, moduleID: RetailCatalogue.jamf))
    let report = DiagnosticReport(
      source: RetailCatalogue.jamf, category: "request", severity: .error, message: "It failed", time: 0)
    state.take(.known([report]))
    let home = HomeView.node(state)
    let pairs = Self.pairs(home)
    #expect(pairs["Jamf Pro"] == .badge("connected", tone: .success))
    #expect(pairs["Server"] == .text("https://jamf.example"))
    #expect(pairs["Modules"] == .text("1 of 11 active"))
    #expect(pairs["Pending commands"] == .text("unknown"), "who told of them has ended since")
    #expect(pairs["Recent errors"] == .text("1 of the last 1 reports"))
    #expect(
      Self.table(home, "Time") == [
        [
          .text("1970-01-01T00:00:00.000Z", style: .code), .badge("error", tone: .error),
          .text(RetailCatalogue.jamf), .text("request"),
          .text("It failed"),
        ]
      ])
    let support = Self.table(home, "Module").first { $0[0] == .text("Support Technician") }
    #expect(support?[2] == .badge("ended", tone: .error))
    guard case .list(let nodes, _) = home else { return }
    for case .chart(let chart) in nodes {
      #expect(chart.labels == RetailCatalogue.Category.allCases.map(\.rawValue))
      #expect(chart.series.map(\.values) == [[0, 0, 0, 0, 1, 0]])
    }
  }

  @Test("diagnostics that can't be asked are no empty list") func unavailable() {
    var state = RetailState()
    state.take(.unavailable("diagnostics: away"))
    #expect(Self.pairs(HomeView.node(state))["Recent errors"] == .text("unknown"))
    state.take(.known([]))
    #expect(Self.pairs(HomeView.node(state))["Recent errors"] == .text("0 of the last 0 reports"))
  }

  @Test("settings name the host's own way to enter a secret, and have no field at all") func settings() {
    var state = RetailState()
    state.hear(.connection(RetailState.Connection(state: "notConfigured", since: 0)))
    let node = SettingsView.node(state)
    #expect(Self.pairs(node)["State"] == .badge("not configured", tone: .warning))
    #expect(Self.pairs(node)["Since"] == .text("1970-01-01T00:00:00.000Z", style: .code))
    guard case .list(let nodes, _) = node else { return }
    #expect(
      nodes.allSatisfy {
        if case .form = $0 { return false }
        return true
      })
    #expect("\(node)".contains("secret set jamf-credentials"))
  }

  @MainActor @Test("every view of the manifest can be drawn before the start, and no other") func all()
    async throws
  {
    let module = ForsettiRetailUIModule()
    for viewID in try #require(module.manifest.runtimeRequirements.ui).viewIDs {
      _ = try await module.render(viewID: viewID, parameters: [:])
    }
    await #expect(throws: ServiceError.notFound("other")) {
      try await module.render(viewID: "other", parameters: [:])
    }
  }
}
