internal import ForsettiModuleKit

/// What the desk of reports has before it: the fleet as it was read, a report in the making, and what it found.
struct ReportsState: Sendable, Equatable {
  /// The fleet, once it was read.
  private(set) var snapshot: FleetSnapshot?
  /// What all of it comes to, counted once.
  private(set) var fleet: FleetFigures?
  /// How far the reading of the fleet has come, while it is read.
  var progress: SnapshotProgress?
  /// The report in the making.
  private(set) var draft = ReportDefinition(name: Self.newName)
  /// What the last report found.
  private(set) var result: ReportResult?
  /// Which page of its devices is shown, from 0.
  private(set) var page = 0
  var saved = SavedReports()
  /// The extension attribute whose value is the location of a device.
  private(set) var locationAttribute: String?
  /// What the last button came to.
  var notice: Notice?

  /// What to tell whoever pressed a button.
  struct Notice: Sendable, Equatable {
    /// What happened.
    var text: String
    var tone: ViewTone
    /// What to do.
    var advice: String?
  }

  static let newName = "Devices"
  /// Devices of one page.
  static let pageSize = 50
  /// Bytes of the name of an extension attribute at most.
  static let attributeLimit = 256

  // MARK: The fleet

  /// Takes up a new snapshot; a report that is shown is run on it.
  mutating func take(_ snapshot: FleetSnapshot) {
    self.snapshot = snapshot
    fleet = FleetFigures(snapshot.devices)
    guard let result else { return }
    if snapshot.serves(result.definition) {
      show(ReportResult(result.definition, on: snapshot))
    } else {
      self.result = nil
    }
  }

  /// Whether the report in the making can be run on what was read.
  var isServed: Bool { snapshot?.serves(draft) ?? false }

  /// Sets the extension attribute of locations; a blank name is none.
  mutating func setLocation(_ name: String) {
    let name = name.trimmedScalars
    locationAttribute = name.isEmpty || name.utf8.count > Self.attributeLimit ? nil : name
  }

  // MARK: The report

  /// Takes up what the form of a report says. Criteria are added by a form of their own.
  mutating func define(_ payload: [String: String]) throws(ReportFault) {
    var definition = draft
    definition.name = try ReportDefinition.name(payload["name"] ?? "")
    definition.scope = Self.choice(payload["scope"], ReportScope.all, \.title)
    definition.matching = Self.choice(payload["matching"], ReportMatching.all, \.title)
    definition.grouping = Self.choice(payload["grouping"], ReportGrouping.deviceType, \.title)
    definition.chart = Self.choice(payload["chart"], ReportChart.bar, \.title)
    draft = definition
  }

  /// Adds the criterion that a form says.
  mutating func addCriterion(_ payload: [String: String]) throws(ReportFault) {
    let (fieldTitle, comparisonTitle) = (payload["field"] ?? "", payload["comparison"] ?? "")
    guard let field = ReportField(title: fieldTitle) else { throw .unknownField(fieldTitle.plain()) }
    guard let comparison = ReportComparison(title: comparisonTitle) else {
      throw .unknownComparison(comparisonTitle.plain())
    }
    try draft.add(try ReportCriterion(field, comparison, payload["value"] ?? ""))
  }

  /// Removes a criterion by its place; none is there for another number.
  mutating func removeCriterion(_ place: Int) {
    if draft.criteria.indices.contains(place) { draft.criteria.remove(at: place) }
  }

  /// Begins another report, or goes on with one that was kept.
  mutating func begin(_ definition: ReportDefinition = ReportDefinition(name: Self.newName)) {
    draft = definition
    result = nil
  }

  /// Runs the report on the snapshot, if there is one for it.
  mutating func run() { if let snapshot, isServed { show(ReportResult(draft, on: snapshot)) } }

  private mutating func show(_ result: ReportResult) {
    self.result = result
    page = 0
  }

  // MARK: Pages

  /// Pages of the devices that were found.
  var pageCount: Int { max(1, ((result?.devices.count ?? 0) + Self.pageSize - 1) / Self.pageSize) }

  mutating func turn(to page: Int) { self.page = min(max(0, page), pageCount - 1) }

  private static func choice<Choice: CaseIterable>(
    _ title: String?, _ usual: Choice, _ titleOf: (Choice) -> String
  ) -> Choice {
    Choice.allCases.first { titleOf($0) == title } ?? usual
  }
}
