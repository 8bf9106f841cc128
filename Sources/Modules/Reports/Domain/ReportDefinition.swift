internal import ForsettiModuleKit

/// Which devices a report is about.
enum ReportScope: String, Sendable, CaseIterable {
  case all, computers, mobileDevices

  /// What people call it.
  var title: String {
    switch self {
    case .all: "All devices"
    case .computers: DeviceDomain.computers.title
    case .mobileDevices: DeviceDomain.mobileDevices.title
    }
  }

  func covers(_ domain: DeviceDomain) -> Bool {
    switch self {
    case .all: true
    case .computers: domain == .computers
    case .mobileDevices: domain == .mobileDevices
    }
  }
}

/// Whether a device must fulfil all criteria or one.
enum ReportMatching: String, Sendable, CaseIterable {
  case all, any

  /// What people call it.
  var title: String { self == .all ? "All criteria" : "Any criterion" }
}

/// What the devices of a report are counted by.
enum ReportGrouping: String, Sendable, CaseIterable {
  case deviceType, model, chip, building, department, osVersion, location

  /// The field.
  var field: ReportField {
    switch self {
    case .deviceType: .deviceType
    case .model: .model
    case .chip: .chip
    case .building: .building
    case .department: .department
    case .osVersion: .osVersion
    case .location: .location
    }
  }

  /// What people call it.
  var title: String { field.title }

  /// The group of devices of which the field is not known.
  var absent: String {
    switch self {
    case .building, .department, .location: "Unassigned"
    case .deviceType, .model, .chip, .osVersion: "Unknown"
    }
  }
}

/// How a report's groups are drawn.
enum ReportChart: String, Sendable, CaseIterable {
  case bar, pie

  /// What people call it.
  var title: String { self == .bar ? "Bars" : "Pie" }
}

/// A report that can be run, and kept.
struct ReportDefinition: Sendable, Equatable {
  var name: String
  var scope = ReportScope.all
  var matching = ReportMatching.all
  var criteria: [ReportCriterion] = []
  var grouping = ReportGrouping.deviceType
  var chart = ReportChart.bar

  /// Bytes of a name at most.
  static let nameLimit = 120
  /// Criteria at most.
  static let criteriaLimit = 12

  /// A name without white space at its ends, if it is one.
  static func name(_ text: String) throws(ReportFault) -> String {
    let name = text.trimmedScalars
    guard !name.isEmpty else { throw .nameMissing }
    guard name.utf8.count <= nameLimit else { throw .nameTooLong }
    return name
  }

  mutating func add(_ criterion: ReportCriterion) throws(ReportFault) {
    guard criteria.count < Self.criteriaLimit else { throw .tooManyCriteria }
    criteria.append(criterion)
  }

  /// Whether a device belongs into it. Without criteria every device of its scope does.
  func covers(_ device: ReportDevice) -> Bool {
    guard scope.covers(device.domain) else { return false }
    guard !criteria.isEmpty else { return true }
    return matching == .all
      ? criteria.allSatisfy { $0.matches(device) } : criteria.contains { $0.matches(device) }
  }

  /// One line for people.
  var summary: String {
    guard !criteria.isEmpty else { return scope.title }
    let joint = matching == .all ? " and " : " or "
    return scope.title + " where " + criteria.map(\.summary).joined(separator: joint)
  }
}
