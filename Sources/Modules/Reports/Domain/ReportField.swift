/// What reports know of a device.
enum ReportField: String, Sendable, CaseIterable {
  case deviceType, name, serialNumber, assetTag, model, modelIdentifier, chip, osVersion
  case enrollmentDate, lastInventory
  case building, department, room, location
  case username, realName, email
  case managed, supervised
  case storageUsed, battery
  case confidence

  /// What people call it.
  var title: String {
    switch self {
    case .deviceType: "Device Type"
    case .name: "Name"
    case .serialNumber: "Serial Number"
    case .assetTag: "Asset Tag"
    case .model: "Model"
    case .modelIdentifier: "Model Identifier"
    case .chip: "Chip"
    case .osVersion: "OS Version"
    case .enrollmentDate: "Enrollment Date"
    case .lastInventory: "Last Inventory"
    case .building: "Building"
    case .department: "Department"
    case .room: "Room"
    case .location: "Location"
    case .username: "Username"
    case .realName: "Full Name"
    case .email: "Email"
    case .managed: "Managed"
    case .supervised: "Supervised"
    case .storageUsed: "Storage Used (%)"
    case .battery: "Battery (%)"
    case .confidence: "Source Confidence"
    }
  }

  /// What its values are.
  var kind: ReportFieldKind {
    switch self {
    case .osVersion: .version
    case .enrollmentDate, .lastInventory: .day
    case .managed, .supervised: .flag
    case .storageUsed, .battery: .percent
    default: .text
    }
  }

  /// The columns of exported rows.
  static let columns: [ReportField] = [
    .deviceType, .name, .serialNumber, .model, .modelIdentifier, .osVersion, .enrollmentDate, .building,
    .department, .room, .managed, .supervised, .confidence,
  ]

  /// The field of a title that was picked from a list.
  init?(title: String) {
    guard let field = Self.allCases.first(where: { $0.title == title }) else { return nil }
    self = field
  }
}

/// What the values of a field are, which decides how they compare.
enum ReportFieldKind: Sendable {
  case text
  /// Numbers with points between them: 15.10 is later than 15.9.
  case version
  /// A date, or what stands there instead of one.
  case day
  /// Yes or no.
  case flag
  /// 0 to 100.
  case percent

  /// The comparisons that mean something for such values.
  var comparisons: [ReportComparison] {
    switch self {
    case .text:
      [.equals, .notEquals, .contains, .notContains, .startsWith, .endsWith, .isSet, .isEmpty]
    case .version: [.equals, .notEquals, .startsWith, .greaterThan, .lessThan, .isSet, .isEmpty]
    case .day, .percent: [.equals, .notEquals, .greaterThan, .lessThan, .isSet, .isEmpty]
    case .flag: [.equals, .notEquals, .isSet, .isEmpty]
    }
  }
}

/// How a criterion compares.
enum ReportComparison: String, Sendable, CaseIterable {
  case equals, notEquals, contains, notContains, startsWith, endsWith, greaterThan, lessThan, isSet, isEmpty

  /// What people call it.
  var title: String {
    switch self {
    case .equals: "is"
    case .notEquals: "is not"
    case .contains: "contains"
    case .notContains: "does not contain"
    case .startsWith: "starts with"
    case .endsWith: "ends with"
    case .greaterThan: "is more, or later, than"
    case .lessThan: "is less, or earlier, than"
    case .isSet: "is set"
    case .isEmpty: "is empty"
    }
  }

  /// Whether something stands on its right.
  var needsValue: Bool { self != .isSet && self != .isEmpty }

  /// The comparison of a title that was picked from a list.
  init?(title: String) {
    guard let comparison = Self.allCases.first(where: { $0.title == title }) else { return nil }
    self = comparison
  }
}
