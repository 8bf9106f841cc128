/// A table of figures, which every document about a report has, and its view.
struct ReportSection: Sendable, Equatable {
  var title: String
  /// What the groups are, in one word.
  var label: String
  var counts: [ReportCount]
  var chart: ReportChart

  private init(_ title: String, _ label: String, _ counts: [ReportCount], _ chart: ReportChart) {
    (self.title, self.label, self.counts, self.chart) = (title, label, counts, chart)
  }

  /// The groups that were asked for, then what is known of any fleet.
  static func all(of result: ReportResult) -> [ReportSection] {
    let definition = result.definition
    let (title, label) = ("By \(definition.grouping.title)", definition.grouping.title)
    let own = ReportSection(title, label, result.chartGroups, definition.chart)
    return [own] + fleet(result.figures, besides: definition.grouping)
  }

  /// What is known of any fleet.
  static func fleet(_ figures: FleetFigures, besides grouping: ReportGrouping? = nil) -> [ReportSection] {
    let models = ReportResult.charted(figures.models)
    let systems = ReportResult.charted(figures.systems)
    let sections: [(ReportGrouping?, ReportSection)] = [
      (.deviceType, ReportSection("Device Types", "Type", figures.types, .pie)),
      (.model, ReportSection("Models", "Model", models, .bar)),
      (.osVersion, ReportSection("Systems", "Version", systems, .bar)),
      (nil, ReportSection("Storage Used", "Share", figures.storage, .bar)),
      (nil, ReportSection("Battery", "Charge", figures.battery, .bar)),
    ]
    return sections.filter { $0.0 == nil || $0.0 != grouping }.map(\.1)
  }
}
