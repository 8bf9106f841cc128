/// All that the demo holds.
struct DeploymentState: Sendable, Hashable {
  /// By serial number: of each there is one.
  private(set) var devices: [String: DeploymentDevice]
  let projects: [DeploymentProject]
  /// What was before the demo begins.
  let history: DeploymentHistory
  /// By ID.
  private(set) var exceptions: [String: DeploymentException]
  /// Layouts of people's own, by name.
  private(set) var ownLayouts: [String: DeploymentLayout] = [:]
  private(set) var exports: [DeploymentExport] = []
  /// What happened, oldest first. Its edits are applied already and not held again.
  private(set) var audit: [DeploymentChange] = []

  init(
    devices: [DeploymentDevice], projects: [DeploymentProject], exceptions: [DeploymentException],
    history: DeploymentHistory = DeploymentHistory()
  ) {
    self.history = history
    self.devices = Dictionary(devices.map { ($0.serial, $0) }, uniquingKeysWith: { first, _ in first })
    self.projects = projects
    self.exceptions = Dictionary(exceptions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Carries a change out. Nothing is judged here: what was kept once holds, whatever the rules have become.
  mutating func apply(_ change: DeploymentChange) {
    for edit in change.edits {
      switch edit {
      case .device(let device): devices[device.serial] = device
      case .exception(let exception): exceptions[exception.id] = exception
      case .layout(let layout): ownLayouts[layout.name] = layout
      case .layoutRemoved(let name): ownLayouts[name] = nil
      case .export(let export): exports.append(export)
      }
    }
    var entry = change
    entry.edits = []
    audit.append(entry)
  }

  /// All devices, by serial number.
  var sortedDevices: [DeploymentDevice] { devices.values.sorted { $0.serial < $1.serial } }

  /// Devices that are worked with, by serial number.
  var activeDevices: [DeploymentDevice] { sortedDevices.filter { $0.record == .active } }

  /// All layouts, those of the demo first.
  var layouts: [DeploymentLayout] {
    DeploymentLayout.builtIn + ownLayouts.values.sorted { $0.name < $1.name }
  }

  /// The exceptions of a device, or of all, by ID.
  func exceptions(of serial: String? = nil) -> [DeploymentException] {
    exceptions.values.filter { serial == nil || $0.serial == serial }.sorted { $0.id < $1.id }
  }

  /// The project of a device.
  func project(of device: DeploymentDevice) -> DeploymentProject? {
    projects.first { $0.id == device.project }
  }

  /// A device by its serial number, however it is written.
  func device(_ serial: String) throws(DeploymentRefusal) -> DeploymentDevice {
    guard let device = devices[DeploymentDevice.normalised(serial)] else { throw .unknownDevice(serial) }
    return device
  }

  /// An ID for a new exception. They count up, and none is ever removed.
  /// - Parameter raised: how many the same change raises before it.
  func exceptionID(after raised: Int = 0) -> String {
    DeploymentException.id(exceptions.count + 1 + raised)
  }

  /// The version that the next file of a kind and scope has.
  func nextVersion(of kind: DeploymentExport.Kind, scope: String) -> Int {
    1 + (exports.lazy.filter { $0.kind == kind && $0.scope == scope }.map(\.version).max() ?? 0)
  }
}
