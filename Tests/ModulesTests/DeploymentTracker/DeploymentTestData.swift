@testable import ForsettiModules

/// One device in one project, to change as a test wants it.
enum DeploymentTestData {
  static let serial = "DEMO-MAC-9001"

  /// A device that lacks nothing.
  static func device(_ status: DeploymentStatus, serial: String = Self.serial) -> DeploymentDevice {
    var device = DeploymentDevice(
      serial: serial, kind: .mac, status: status, project: "P", received: 0, updated: 0)
    device.business = .expected
    device.preload = .reconciled
    device.serviceDesk = .exported
    device.details = [
      .model: "Mac mini", .partNumber: "DEMO-1", .assetTag: "T-1", .assignedUser: "Demo User 001",
      .email: "demo.user001@example.invalid", .profile: "Standard", .tracking: "TRK", .delivery: "POD",
      .ticket: "DEMO-SD-1", .location: "Dock A", .department: "Sales", .purchaseOrder: "PO-1", .vendor: "V",
    ]
    return device
  }

  static func state(
    _ devices: DeploymentDevice..., rules: Set<DeploymentProject.Rule> = [],
    exceptions: [DeploymentException] = []
  ) -> DeploymentState {
    DeploymentState(
      devices: devices, projects: [DeploymentProject(id: "P", name: "Project", rules: rules)],
      exceptions: exceptions)
  }

  static func exception(
    _ severity: DeploymentException.Severity, _ state: DeploymentException.State = .open
  ) -> DeploymentException {
    DeploymentException(
      id: "EX-0001", serial: serial, code: "inspection", severity: severity, state: state, summary: "dent")
  }
}
