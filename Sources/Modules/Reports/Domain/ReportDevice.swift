/// One device, as far as reports need it: a hundredth of what Jamf Pro tells.
struct ReportDevice: Sendable, Equatable {
  var domain: DeviceDomain
  var type: DeviceType
  var confidence: IdentityConfidence
  var name: String?
  var serialNumber: String?
  var assetTag: String?
  var model: String?
  var modelIdentifier: String?
  /// As Apple calls it, without its own name: `M2 Max`; what is none of Apple's as it was reported.
  var chip: String?
  var osVersion: String?
  /// `2026-11-30`, or the text that came where it is no date.
  var enrollmentDate: String?
  var lastInventory: String?
  var building: String?
  var department: String?
  var room: String?
  /// The value of the extension attribute that the settings name.
  var location: String?
  var username: String?
  var realName: String?
  var email: String?
  var isManaged: Bool?
  var isSupervised: Bool?
  /// Percent.
  var storageUsed: Int?
  var battery: Int?

  /// A device of which nothing more is known.
  init(domain: DeviceDomain, type: DeviceType = .unknown, confidence: IdentityConfidence = .unknown) {
    self.domain = domain
    self.type = type
    self.confidence = confidence
  }

  /// A field as a report shows it; nothing where nothing is known.
  func text(of field: ReportField) -> String? {
    switch field {
    case .deviceType: type.title
    case .name: name
    case .serialNumber: serialNumber
    case .assetTag: assetTag
    case .model: model
    case .modelIdentifier: modelIdentifier
    case .chip: chip
    case .osVersion: osVersion
    case .enrollmentDate: enrollmentDate
    case .lastInventory: lastInventory
    case .building: building
    case .department: department
    case .room: room
    case .location: location
    case .username: username
    case .realName: realName
    case .email: email
    case .managed: isManaged.map(Self.word)
    case .supervised: isSupervised.map(Self.word)
    case .storageUsed: storageUsed.map { "\($0)" }
    case .battery: battery.map { "\($0)" }
    case .confidence: confidence.title
    }
  }

  /// A field of yes or no.
  func flag(of field: ReportField) -> Bool? {
    switch field {
    case .managed: isManaged
    case .supervised: isSupervised
    default: nil
    }
  }

  /// A field in percent.
  func percent(of field: ReportField) -> Int? {
    switch field {
    case .storageUsed: storageUsed
    case .battery: battery
    default: nil
    }
  }

  private static func word(_ flag: Bool) -> String { flag ? "Yes" : "No" }
}
