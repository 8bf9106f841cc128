internal import ForsettiModuleKit

/// Which list of Jamf Pro's a device stands in.
enum DeviceDomain: String, Sendable, CaseIterable {
  case computers, mobileDevices

  /// What people call it.
  var title: String { self == .computers ? "Computers" : "Mobile devices" }
}

/// What a device is.
enum DeviceType: String, Sendable, CaseIterable {
  case mac, ipad, iphone, other, unknown

  /// What people call it.
  var title: String {
    switch self {
    case .mac: "Mac"
    case .ipad: "iPad"
    case .iphone: "iPhone"
    case .other: "Other"
    case .unknown: "Unknown"
    }
  }
}

/// How sure it is what a device is.
enum IdentityConfidence: String, Sendable, CaseIterable {
  /// Jamf Pro names both model and identifier, and they say the same.
  case reported
  /// The identifier is one of a model that is known.
  case catalogue
  /// The identifier alone says it.
  case inferredHigh
  /// The model's name alone says it, or the list that the device stands in.
  case inferredMedium
  case unknown

  /// What people call it.
  var title: String {
    switch self {
    case .reported: "Reported"
    case .catalogue: "Known model"
    case .inferredHigh: "Inferred (high)"
    case .inferredMedium: "Inferred (medium)"
    case .unknown: "Unknown"
    }
  }

  /// Whether something was concluded rather than read.
  var isInferred: Bool { self == .inferredHigh || self == .inferredMedium }
}

/// What a device is, concluded from what is known of it.
struct DeviceIdentity: Sendable, Equatable {
  var type: DeviceType
  var confidence: IdentityConfidence

  /// Judges by the identifier (`Mac14,2`) before the model's name, and by that before the list.
  init(_ domain: DeviceDomain, model: String?, identifier: String?) {
    let byIdentifier = identifier.map(Self.type)
    let byModel = model.map(Self.type)
    let isKnown = identifier.flatMap { AppleModelName.of($0) } != nil
    switch (byIdentifier, byModel) {
    case (let found?, let other?) where found == other: (type, confidence) = (found, .reported)
    case (let found?, _): (type, confidence) = (found, isKnown ? .catalogue : .inferredHigh)
    case (nil, let found?): (type, confidence) = (found, .inferredMedium)
    case (nil, nil):
      // Jamf Pro's computers are Macs; its mobile devices are of several kinds.
      (type, confidence) = domain == .computers ? (.mac, .inferredMedium) : (.unknown, .unknown)
    }
  }

  /// `VirtualMac2,1`, `iMac21,1` and `Macmini9,1` are Macs too.
  private static func type(of name: String) -> DeviceType {
    let folded = name.lowercased()
    if folded.contains("ipad") { return .ipad }
    if folded.contains("iphone") { return .iphone }
    return folded.contains("mac") ? .mac : .other
  }
}
