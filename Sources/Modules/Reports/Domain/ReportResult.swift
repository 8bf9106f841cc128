/// What a report found in a snapshot.
struct ReportResult: Sendable, Equatable {
  let definition: ReportDefinition
  /// When the snapshot was taken, in milliseconds since 1970.
  let takenAt: Int64
  /// What the snapshot lacks, one line each.
  let warnings: [String]
  let devices: [ReportDevice]
  /// The largest first.
  let groups: [ReportCount]
  let figures: FleetFigures

  /// Groups that a chart shows on their own; the others are one.
  static let chartLimit = 10

  /// Runs a report.
  init(_ definition: ReportDefinition, on snapshot: FleetSnapshot) {
    self.definition = definition
    takenAt = snapshot.takenAt
    warnings = snapshot.warnings
    devices = snapshot.devices.filter(definition.covers)
    groups = FleetFigures.counts(of: devices, by: definition.grouping)
    figures = FleetFigures(devices)
  }

  /// What a document says that shows so many devices at most; nothing where it shows them all.
  func note(ofFirst limit: Int) -> String? {
    devices.count > limit ? "The first \(limit) of \(devices.count); CSV has them all." : nil
  }

  /// The groups as a chart shows them.
  var chartGroups: [ReportCount] { Self.charted(groups) }

  /// The largest of the counts, and one for the rest of them.
  static func charted(_ counts: [ReportCount]) -> [ReportCount] {
    guard counts.count > chartLimit else { return counts }
    let shown = counts.prefix(chartLimit - 1)
    let rest = counts.dropFirst(shown.count)
    return shown + [
      ReportCount(label: "\(rest.count) others", count: rest.reduce(0) { $0 + $1.count })
    ]
  }
}

/// All devices as Jamf Pro knew them at one time.
struct FleetSnapshot: Sendable, Equatable {
  var devices: [ReportDevice]
  /// Milliseconds since 1970.
  var takenAt: Int64
  /// What it lacks, one line each: what is missing, and what to do.
  var warnings: [String] = []
  /// What was asked for, where it was read for one report alone.
  var plan: ReportPlan?

  /// Whether a report can be run on it.
  func serves(_ definition: ReportDefinition) -> Bool { plan.map { $0 == ReportPlan(definition) } ?? true }
}
