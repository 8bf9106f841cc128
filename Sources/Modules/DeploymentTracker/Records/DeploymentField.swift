internal import ForsettiModuleKit

/// What is known of a device, column by column.
enum DeploymentField: String, CaseIterable, Sendable, Hashable {
  case serial, assetTag, deviceType, model, partNumber, storage, project, status, statusReason
  case region, location, department, profile, assignedUser, email, vendor, purchaseOrder
  case business, preload, serviceDesk, ticket, tracking, delivery, received, updated, record

  /// The column's title.
  var title: String {
    switch self {
    case .serial: "Serial Number"
    case .assetTag: "Asset Tag"
    case .deviceType: "Device Type"
    case .model: "Model"
    case .partNumber: "Part Number"
    case .storage: "Storage"
    case .project: "Project"
    case .status: "Status"
    case .statusReason: "Reason"
    case .region: "Region"
    case .location: "Location"
    case .department: "Department"
    case .profile: "Profile"
    case .assignedUser: "Assigned User"
    case .email: "Email Address"
    case .vendor: "Vendor"
    case .purchaseOrder: "PO Number"
    case .business: "Apple Business"
    case .preload: "Jamf Preload"
    case .serviceDesk: "Service Desk"
    case .ticket: "Ticket"
    case .tracking: "Tracking Number"
    case .delivery: "Delivery Confirmation"
    case .received: "Received"
    case .updated: "Updated"
    case .record: "Record"
    }
  }

  /// Whether people fill it in; the others are what the workflow finds.
  var isEditable: Bool {
    switch self {
    case .assetTag, .model, .partNumber, .storage, .region, .location, .department, .profile, .assignedUser,
      .email, .vendor, .purchaseOrder, .project:
      true
    default: false
    }
  }

  /// The field of a title or key, whatever its case.
  init?(named name: String) {
    let folded = name.trimmedScalars.lowercased()
    let found = Self.allCases.first { $0.title.lowercased() == folded || $0.rawValue.lowercased() == folded }
    guard let found else { return nil }
    self = found
  }
}
