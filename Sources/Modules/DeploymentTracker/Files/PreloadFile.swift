internal import ForsettiModuleKit

/// The file that Jamf Pro's inventory preload takes.
struct PreloadFile: Sendable, Hashable {
  /// A device that is left out, and why.
  struct Refused: Sendable, Hashable {
    var serial: String
    var faults: [String]
  }

  let devices: [DeploymentDevice]
  let refused: [Refused]

  /// The columns, as Jamf's template calls them.
  static let columns = [
    "Serial Number", "Device Type", "Username", "Full Name", "Email Address", "Department", "Building",
    "PO Number", "Vendor",
  ]
  /// What whoever imports the file must know.
  static let warning = "Jamf Pro may create users from the columns Username, Full Name and Email Address."

  /// Those devices of a project, or of all, that are ready for a preload or in one that is not reconciled.
  init(project: String?, in state: DeploymentState) {
    let candidates = state.sortedDevices.filter { device in
      (device.status == .preloadReady || device.status == .preloadSubmitted)
        && (project == nil || device.project == project)
    }
    var devices: [DeploymentDevice] = []
    var refused: [Refused] = []
    for device in candidates {
      let faults = Self.faults(of: device, in: state)
      if faults.isEmpty {
        devices.append(device)
      } else {
        refused.append(Refused(serial: device.serial, faults: faults))
      }
    }
    (self.devices, self.refused) = (devices, refused)
  }

  /// Why a device can't be in a preload.
  static func faults(of device: DeploymentDevice, in state: DeploymentState) -> [String] {
    var faults: [String] = []
    if device.record != .active { faults.append("The device is archived; restore it.") }
    faults += state.exceptions(of: device.serial).filter(\.blocks).map(\.advice)
    return faults
  }

  /// The file's text; no device twice.
  var bytes: [UInt8] {
    var writer = CSVWriter(columns: Self.columns)
    for device in devices {
      let email = device.text(.email)
      writer.add([
        device.serial, device.kind.preloadType, String(email.prefix { $0 != "@" }),
        device.text(.assignedUser),
        email, device.text(.department), device.text(.location), device.text(.purchaseOrder),
        device.text(.vendor),
      ])
    }
    return writer.documents.flatMap { $0 }
  }
}
