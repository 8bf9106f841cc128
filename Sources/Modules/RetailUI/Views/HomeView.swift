internal import ForsettiModuleKit

/// The first view: how everything stands, by what was said of it.
enum HomeView {
  static func node(_ state: RetailState) -> ViewNode {
    let nodes: [ViewNode?] = [
      .text("Dashboard", style: .title),
      state.notice.map { .badge($0.text, tone: $0.tone) },
      figures(state),
      .text("Modules", style: .heading),
      modules(state),
      mix(state),
      .text("Recent errors and warnings", style: .heading),
      RecentErrorsView.node(state.errors),
    ]
    return .list(nodes.compactMap { $0 })
  }

  private static func figures(_ state: RetailState) -> ViewNode {
    .keyValues([
      ViewKeyValue("Jamf Pro", ConnectionView.badge(state.connection)),
      ViewKeyValue("Server", .text(state.connection?.server ?? "unknown")),
      ViewKeyValue("Modules", .text("\(state.activeCount) of \(RetailCatalogue.entries.count) active")),
      ViewKeyValue("Pending commands", .text(state.pendingCommands.map { "\($0)" } ?? "unknown")),
      ViewKeyValue("Recent errors", .text(RecentErrorsView.count(state.errors))),
    ])
  }

  private static func modules(_ state: RetailState) -> ViewNode {
    .table(
      columns: ["Module", "Category", "State", ""],
      rows: RetailCatalogue.entries.map { entry in
        let presence = state.presence(of: entry.moduleID)
        return [
          .text(entry.title), .text(entry.category.rawValue),
          .badge(presence.rawValue, tone: tone(presence)),
          entry.routeID.map { .button(title: "Open \(entry.title)", action: .openOverlay(routeID: $0)) }
            ?? .text(""),
        ]
      })
  }

  /// Active modules of each category.
  private static func mix(_ state: RetailState) -> ViewNode {
    let counts = RetailCatalogue.Category.allCases.map { category in
      RetailCatalogue.entries.count {
        $0.category == category && state.presence(of: $0.moduleID) == .active
      }
    }
    return .chart(
      ViewChart(
        .bar, labels: RetailCatalogue.Category.allCases.map(\.rawValue),
        series: [ViewChart.Series("Active modules", counts.map(Double.init))]))
  }

  private static func tone(_ presence: RetailState.Presence) -> ViewTone {
    switch presence {
    case .active: .success
    case .inactive, .unknown: .neutral
    case .ended: .error
    }
  }
}
