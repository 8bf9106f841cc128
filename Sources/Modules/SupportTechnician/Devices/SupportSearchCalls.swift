internal import ForsettiModuleKit

/// Where a search looks.
enum SupportSearchScope: String, Sendable, CaseIterable {
  case all = "All devices"
  case computers = "Macs"
  case mobileDevices = "Mobile devices"

  var kinds: [SupportDeviceKind] {
    switch self {
    case .all: [.computer, .mobileDevice]
    case .computers: [.computer]
    case .mobileDevices: [.mobileDevice]
    }
  }
}

/// The requests of one search over one kind of device.
enum SupportSearchCalls {
  /// Devices that one search shows of one kind: whoever finds more says more precisely what is looked for.
  static let limit = 100

  private static let sections = [
    "GENERAL", "HARDWARE", "OPERATING_SYSTEM", "USER_AND_LOCATION",
  ]

  /// A list with its filter, in the versions of the API, each first with the text anywhere in a field, and where the
  /// server takes no such filter, with the text alone.
  /// - Parameter text: not blank.
  static func attempts(_ kind: SupportDeviceKind, _ text: String) -> [SupportCall] {
    switch kind {
    case .computer:
      [3, 2, 1].flatMap { version in
        filters(
          ["general.name", "hardware.serialNumber", "userAndLocation.username", "userAndLocation.email"], text
        ).map { filter in
          .get(
            "/api/v\(version)/computers-inventory",
            sections.map { ("section", $0) } + [("sort", "general.name:asc"), ("filter", filter)])
        }
      }
    case .mobileDevice:
      filters(["displayName", "serialNumber", "username", "emailAddress"], text).map { filter in
        .get(
          "/api/v2/mobile-devices/detail",
          ["GENERAL", "HARDWARE", "USER_AND_LOCATION"].map { ("section", $0) }
            + [("sort", "displayName:asc"), ("filter", filter)])
      }
    }
  }

  private static func filters(_ fields: [String], _ text: String) -> [String] {
    [true, false].compactMap { RSQL.anyOf(fields, is: text, wildcard: $0) }
  }
}

/// What a search over both kinds has found. One side that failed takes nothing from the other.
struct SupportSearchResult: Sendable, Equatable {
  /// Each device once, Macs first, by name and serial number.
  var devices: [SupportDevice] = []
  /// Sides that found more than they may show.
  var cutKinds: [SupportDeviceKind] = []
  /// Sides that failed.
  var failures: [SupportDeviceKind: JamfFailure] = [:]

  /// Adds what one side has found.
  mutating func add(_ kind: SupportDeviceKind, _ found: [SupportDevice], hasMore: Bool) {
    var known = Set(devices.compactMap(\.id))
    devices += found.filter { device in device.id.map { known.insert($0).inserted } ?? false }
    devices.sort { ($0.kind.title, $0.name, $0.serial) < ($1.kind.title, $1.name, $1.serial) }
    if hasMore { cutKinds.append(kind) }
  }
}
