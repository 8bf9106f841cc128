/// What the dashboard says of all devices that are worked with.
struct DeploymentFigures: Sendable, Hashable {
  /// A number of a whole.
  struct Figure: Sendable, Hashable {
    var name: String
    var count: Int
    var total: Int

    /// One line.
    var text: String { "\(name): \(count) of \(total)" }
  }

  var figures: [Figure]
  var byStatus: [Figure]
  var byKind: [Figure]

  /// Counts.
  init(_ state: DeploymentState) {
    let devices = state.activeDevices
    func figure(_ name: String, _ isCounted: (DeploymentDevice) -> Bool) -> Figure {
      Figure(name: name, count: devices.count(where: isCounted), total: devices.count)
    }
    let blocked = Set(state.exceptions().filter(\.blocks).map(\.serial))
    let busy = Set(devices.filter { !$0.status.isTerminal }.compactMap(\.project))
    figures = [
      figure("Inventory") { _ in true },
      Figure(name: "Active projects", count: busy.count, total: state.projects.count),
      figure("In progress") { !$0.status.isTerminal },
      figure("Ready for preload") { $0.status == .preloadReady },
      figure("Ready for service desk") { $0.status == .serviceDeskReady },
      figure("Shipped") { $0.status == .shipped },
      figure("Delivered") { $0.status == .delivered },
      figure("Blocked") { blocked.contains($0.serial) },
      figure("Complete") { $0.status == .complete },
    ]
    byStatus = DeploymentStatus.allCases.map { status in figure(status.title) { $0.status == status } }
    byKind = DeploymentDevice.Kind.allCases.map { kind in figure(kind.rawValue) { $0.kind == kind } }
  }
}
