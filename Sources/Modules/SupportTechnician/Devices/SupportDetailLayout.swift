/// Where in a record stands what the page of a device shows.
struct SupportDetailLayout: Sendable {
  typealias Path = [String]

  /// Facts by subject.
  var sections: [(title: String, fields: [(label: String, path: Path)])]
  /// Lists that are shown as names.
  var lists: [(title: String, path: Path, keys: [String])]
  var applications: Path
  /// When the device last told of itself.
  var lastReport: Path
  /// What says whether the device is guarded as it should be.
  var guarded: (path: Path, yes: String, no: String)

  init(_ kind: SupportDeviceKind) {
    self = kind == .computer ? .computer : .mobileDevice
  }

  private init(
    sections: [(title: String, fields: [(label: String, path: Path)])],
    lists: [(title: String, path: Path, keys: [String])], applications: Path, lastReport: Path,
    guarded: (path: Path, yes: String, no: String)
  ) {
    self.sections = sections
    self.lists = lists
    self.applications = applications
    self.lastReport = lastReport
    self.guarded = guarded
  }

  private static let computer = SupportDetailLayout(
    sections: [
      (
        "General",
        [
          ("Managed", ["general", "remoteManagement", "managed"]), ("Supervised", ["general", "supervised"]),
          ("Asset tag", ["general", "assetTag"]), ("Last inventory", ["general", "reportDate"]),
          ("Last contact", ["general", "lastContactTime"]), ("Enrolled", ["general", "lastEnrolledDate"]),
        ]
      ),
      (
        "Network",
        [
          ("IP address", ["general", "lastReportedIp"]),
          ("Reported IPv4", ["general", "lastReportedIpV4"]), ("Seen from", ["general", "lastIpAddress"]),
          ("MAC address", ["hardware", "macAddress"]),
        ]
      ),
      (
        "Hardware",
        [
          ("Model", ["hardware", "model"]), ("Identifier", ["hardware", "modelIdentifier"]),
          ("Chip", ["hardware", "processorType"]), ("Memory (MB)", ["hardware", "totalRamMegabytes"]),
          ("Battery (%)", ["hardware", "batteryCapacityPercent"]),
          ("Free (MB)", ["storage", "bootDriveAvailableSpaceMegabytes"]),
        ]
      ),
      (
        "System",
        [
          ("System", ["operatingSystem", "name"]), ("Version", ["operatingSystem", "version"]),
          ("Build", ["operatingSystem", "build"]), ("FileVault", ["operatingSystem", "fileVault2Status"]),
        ]
      ),
      (
        "Security",
        [
          ("SIP", ["security", "sipStatus"]), ("Gatekeeper", ["security", "gatekeeperStatus"]),
          ("Firewall", ["security", "firewallEnabled"]),
          ("Recovery lock", ["security", "recoveryLockEnabled"]),
          ("Activation lock", ["security", "activationLockEnabled"]),
          ("Remote desktop", ["security", "remoteDesktopEnabled"]),
          ("Recovery key", ["diskEncryption", "individualRecoveryKeyValidityStatus"]),
        ]
      ),
    ],
    lists: [
      ("Groups", ["groupMemberships"], ["groupName"]),
      ("Profiles", ["configurationProfiles"], ["displayName"]),
      ("Local users", ["localUserAccounts"], ["username"]), ("Attachments", ["attachments"], ["name"]),
    ],
    applications: ["applications"], lastReport: ["general", "reportDate"],
    guarded: (["diskEncryption", "fileVault2Enabled"], "FileVault is on", "FileVault is off"))

  private static let mobileDevice = SupportDetailLayout(
    sections: [
      (
        "General",
        [
          ("Managed", ["managed"]), ("Supervised", ["supervised"]), ("Asset tag", ["assetTag"]),
          ("Last inventory", ["lastInventoryUpdateTimestamp"]), ("Enrolled", ["lastEnrollmentTimestamp"]),
        ]
      ),
      ("Network", [("IP address", ["ipAddress"]), ("Wi-Fi address", ["wifiMacAddress"])]),
      (
        "Hardware",
        [
          ("Model", ["ios", "model"]), ("Identifier", ["ios", "modelIdentifier"]),
          ("Battery (%)", ["ios", "batteryLevel"]), ("Capacity (MB)", ["ios", "capacityMb"]),
          ("Free (MB)", ["ios", "availableMb"]),
        ]
      ),
      ("System", [("Version", ["osVersion"]), ("Build", ["osBuild"])]),
      (
        "Security",
        [("Lost mode", ["ios", "lostModeEnabled"]), ("Passcode", ["ios", "passcodePresent"])]
      ),
    ],
    lists: [
      ("Groups", ["groups"], ["groupName"]),
      ("Profiles", ["ios", "configurationProfiles"], ["displayName"]),
    ],
    applications: ["ios", "applications"], lastReport: ["lastInventoryUpdateTimestamp"],
    guarded: (["supervised"], "Supervised", "Not supervised"))
}
