internal import ForsettiModuleKit

/// The file that a service desk imports its assets from. It is whole, or it is not written.
struct ServiceDeskFile: Sendable, Hashable {
  /// A column, and what its cells must be.
  struct Column: Sendable, Hashable {
    enum Transform: Sendable, Hashable {
      case none, uppercase, lowercase
    }

    var title: String
    var field: DeploymentField
    var transform = Transform.none
    /// Stands where a device has nothing.
    var fallback = ""
    /// Whether an empty cell is a fault.
    var isRequired = false
    /// What a cell may hold; anything where there is none.
    var allowed: [String] = []
    /// Bytes of a cell.
    var limit = 100

    /// A device's cell.
    func cell(of device: DeploymentDevice) -> String {
      let text = device.text(field).trimmedScalars
      let filled = text.isEmpty ? fallback : text
      switch transform {
      case .none: return filled
      case .uppercase: return filled.uppercased()
      case .lowercase: return filled.lowercased()
      }
    }

    /// What is wrong with a cell.
    func fault(of cell: String) -> String? {
      if cell.isEmpty { return isRequired ? "\(title) is empty; fill in \(field.title)." : nil }
      if cell.utf8.count > limit { return "\(title) has more than \(limit) bytes; shorten \(field.title)." }
      guard allowed.isEmpty || allowed.contains(cell) else {
        return "\(title) is \(cell.quoted()); allowed are \(allowed.joined(separator: ", "))."
      }
      return nil
    }
  }

  let columns: [Column]
  let devices: [DeploymentDevice]
  /// What keeps the file from being written, each with its device.
  let faults: [String]

  /// The name of a file of all projects.
  static let allProjects = "all-projects"

  /// How the demo's service desk wants them.
  static let template = [
    Column(title: "Asset Tag", field: .assetTag, transform: .uppercase, isRequired: true, limit: 40),
    Column(title: "Serial Number", field: .serial, transform: .uppercase, isRequired: true, limit: 40),
    Column(title: "Product", field: .model, isRequired: true),
    Column(
      title: "Product Type", field: .deviceType, isRequired: true,
      allowed: DeploymentDevice.Kind.allCases.map(\.rawValue)),
    Column(title: "Site", field: .location, fallback: "Unassigned"),
    Column(title: "Department", field: .department, fallback: "Unassigned"),
    Column(title: "User Email", field: .email, transform: .lowercase),
    Column(title: "Purchase Order", field: .purchaseOrder, limit: 40),
  ]

  /// Those devices of a project, or of all, that wait for the service desk.
  init(project: String?, in state: DeploymentState, template: [Column] = Self.template) {
    columns = template
    devices = state.activeDevices.filter { device in
      (project == nil || device.project == project)
        && DeploymentSimulator.waits(device, for: .serviceDeskExport, in: state)
    }
    faults = devices.flatMap { device in
      template.compactMap { column in
        column.fault(of: column.cell(of: device)).map { "\(device.serial): \($0)" }
      }
    }
  }

  /// The file's text.
  var bytes: [UInt8] {
    var writer = CSVWriter(columns: columns.map(\.title))
    for device in devices { writer.add(columns.map { $0.cell(of: device) }) }
    return writer.documents.flatMap { $0 }
  }
}
