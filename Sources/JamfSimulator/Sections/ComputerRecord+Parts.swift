import ForsettiCore

/// The sections that nobody filters by: they follow from the computer's number.
extension ComputerRecord {
  var hardware: JSONValue {
    let model = computer.model
    return .object([
      ("make", .string("Apple")), ("model", .string(model.name)),
      ("modelIdentifier", .string(model.identifier)), ("serialNumber", .string(computer.serialNumber)),
      ("processorSpeedMhz", .integer(model.isAppleSilicon ? 0 : 2_300)), ("processorCount", .integer(1)),
      ("coreCount", .integer(model.cores)), ("processorType", .string(model.chip)),
      ("processorArchitecture", .string(model.isAppleSilicon ? "arm64" : "x86_64")),
      ("busSpeedMhz", .integer(0)), ("cacheSizeKilobytes", .integer(0)),
      ("networkAdapterType", .string("IEEE80211")), ("macAddress", .string(computer.macAddress)),
      ("altNetworkAdapterType", .string("")), ("altMacAddress", .string("")),
      ("totalRamMegabytes", .integer(computer.memoryMegabytes)), ("openRamSlots", .integer(0)),
      ("batteryCapacityPercent", computer.battery.map { .integer($0) } ?? .null), ("smcVersion", .string("")),
      ("nicSpeed", .string("n/a")), ("opticalDrive", .string("")),
      ("bootRom", .string("11881.140.96")), ("bleCapable", .bool(true)),
      ("supportsIosAppInstalls", .bool(model.isAppleSilicon)), ("appleSilicon", .bool(model.isAppleSilicon)),
      ("extensionAttributes", .array([])),
    ])
  }

  var storage: JSONValue {
    let partition = JSONValue.object([
      ("name", .string("Macintosh HD (Boot Partition)")), ("sizeMegabytes", .integer(computer.diskMegabytes)),
      ("availableMegabytes", .integer(computer.freeMegabytes)), ("partitionType", .string("BOOT")),
      ("percentUsed", .integer(computer.usedPercent)),
      ("fileVault2State", .string(computer.isEncrypted ? "ENCRYPTED" : "UNENCRYPTED")),
      ("fileVault2ProgressPercent", .integer(computer.isEncrypted ? 100 : 0)), ("lvmManaged", .bool(false)),
    ])
    let disk = JSONValue.object([
      ("id", RecordJSON.id(computer.number)), ("device", .string("disk0")),
      ("model", .string("APPLE SSD")), ("revision", .string("1161.120")),
      ("serialNumber", .string("0\(computer.serialNumber)")),
      ("sizeMegabytes", .integer(computer.diskMegabytes)),
      ("smartStatus", .string("Verified")), ("type", .string("false")), ("partitions", .array([partition])),
    ])
    return .object([
      ("bootDriveAvailableSpaceMegabytes", .integer(computer.freeMegabytes)), ("disks", .array([disk])),
    ])
  }

  var diskEncryption: JSONValue {
    .object([
      (
        "bootPartitionEncryptionDetails",
        .object([
          ("partitionName", .string("Macintosh HD (Boot Partition)")),
          ("partitionFileVault2State", .string(computer.isEncrypted ? "ENCRYPTED" : "UNENCRYPTED")),
          ("partitionFileVault2Percent", .integer(computer.isEncrypted ? 100 : 0)),
        ])
      ),
      (
        "individualRecoveryKeyValidityStatus", .string(computer.isEncrypted ? "VALID" : "NOT_APPLICABLE")
      ),
      ("institutionalRecoveryKeyPresent", .bool(false)), ("diskEncryptionConfigurationName", .null),
      ("fileVault2Enabled", .bool(computer.isEncrypted)),
      (
        "fileVault2EnabledUserNames",
        .strings(computer.isEncrypted ? [computer.user?.username].compactMap { $0 } : [])
      ),
      ("fileVault2EligibilityMessage", .string("Eligible")),
    ])
  }

  var applications: JSONValue {
    var dice = Dice(seed: seed, .details, computer.number)
    var installed = Organisation.macApplications.enumerated().filter { $0.offset < 7 || dice.chance(45) }
      .map(\.element)
    // Changes are by the name with or without its ending, as somebody wrote it.
    for (name, isInstalled) in computer.applicationChanges.sorted(by: { $0.key < $1.key }) {
      let plain = name.hasSuffix(".app") ? String(name.dropLast(4)) : name
      installed.removeAll { $0.name == plain }
      if isInstalled {
        let known = Organisation.macApplications.first { $0.name == plain }
        installed.append(known ?? (plain, "invalid.example.application", "1.0", 100))
      }
    }
    return .array(
      installed.map { application in
        .object([
          ("name", .string("\(application.name).app")),
          ("path", .string("/Applications/\(application.name).app")),
          ("version", .string(application.version)),
          ("cfBundleShortVersionString", .string(application.version)),
          ("cfBundleVersion", .string(application.version)),
          ("macAppStore", .bool(application.bundle.hasPrefix("com.apple."))),
          ("sizeMegabytes", .integer(application.megabytes)), ("bundleId", .string(application.bundle)),
          ("updateAvailable", .bool(false)), ("externalVersionId", .string("0")),
        ])
      })
  }

  var configurationProfiles: JSONValue {
    guard computer.isManaged else { return .array([]) }
    return .array(
      Organisation.configurationProfiles.enumerated().map { index, name in
        .object([
          ("id", RecordJSON.id(index + 1)), ("username", .null),
          ("lastInstalled", RecordJSON.moment(computer.lastEnrolled)), ("removable", .bool(false)),
          ("displayName", .string(name)),
          ("profileIdentifier", .string("invalid.example.profile.\(index + 1)")),
        ])
      })
  }

  var localUserAccounts: JSONValue {
    let accounts = [("501", computer.user?.username ?? "local"), ("499", "jssmanage")]
    return .array(
      accounts.map { uid, name in
        .object([
          ("uid", .string(uid)), ("username", .string(name)),
          ("fullName", .string(uid == "501" ? computer.user?.realName ?? name : name)),
          ("admin", .bool(uid == "499")), ("homeDirectory", .string("/Users/\(name)")),
          ("homeDirectorySizeMb", .integer(uid == "501" ? 18_432 : 0)),
          ("fileVault2Enabled", .bool(computer.isEncrypted && uid == "501")),
          ("userAccountType", .string("LOCAL")), ("passwordMinLength", .integer(8)),
          ("passwordMaxAge", .integer(365)), ("passwordMinComplexCharacters", .integer(1)),
          ("passwordHistoryDepth", .integer(5)), ("passwordRequireAlphanumeric", .bool(true)),
          ("computerAzureActiveDirectoryId", .string("")), ("userAzureActiveDirectoryId", .string("")),
          ("azureActiveDirectoryId", .string("UNKNOWN")),
        ])
      })
  }

  var certificates: JSONValue {
    guard computer.isManaged else { return .array([]) }
    return .array([
      .object([
        ("commonName", .string(computer.managementID)), ("identity", .bool(true)),
        ("expirationDate", RecordJSON.moment(computer.profileExpiration)), ("username", .string("")),
        ("lifecycleStatus", .string("ACTIVE")), ("certificateStatus", .string("ISSUED")),
        ("subjectName", .string("CN=\(computer.managementID)")),
        ("serialNumber", .string("\(computer.number)")),
        ("sha1Fingerprint", .string("")), ("issuedDate", RecordJSON.moment(computer.lastEnrolled)),
      ])
    ])
  }

  var packageReceipts: JSONValue {
    .object([
      ("installedByJamfPro", .strings(computer.isManaged ? ["sample-vpn-7.0.3.pkg"] : [])),
      ("installedByInstallerSwu", .strings(["com.apple.pkg.InstallAssistant"])), ("cached", .strings([])),
    ])
  }

  var groupMemberships: JSONValue {
    var groups = [
      (1, "All Managed Clients", computer.isManaged), (2, "Portable Macs", computer.model.isPortable),
    ]
    groups.append((3, "Not Encrypted", !computer.isEncrypted))
    return .array(
      groups.filter(\.2).map { number, name, _ in
        .object([
          ("groupId", RecordJSON.id(number)), ("groupName", .string(name)), ("smartGroup", .bool(true)),
        ])
      })
  }
}
