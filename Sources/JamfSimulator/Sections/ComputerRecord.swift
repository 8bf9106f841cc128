import ForsettiCore

/// A computer as the Pro API writes it.
struct ComputerRecord {
  let computer: Computer
  let seed: UInt64

  /// The record with the sections asked for; the others are null, as Jamf leaves them.
  func json(_ sections: Set<ComputerSection>, version: Int) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("id", RecordJSON.id(computer.number)), ("udid", .string(computer.udid)),
    ]
    for section in ComputerSection.known(to: version) {
      members.append((section.key, sections.contains(section) ? value(of: section) : .null))
    }
    return .object(members)
  }

  private func value(of section: ComputerSection) -> JSONValue {
    switch section {
    case .general: general
    case .diskEncryption: diskEncryption
    case .purchasing: purchasing
    case .applications: applications
    case .storage: storage
    case .userAndLocation: userAndLocation
    case .configurationProfiles: configurationProfiles
    case .hardware: hardware
    case .localUserAccounts: localUserAccounts
    case .certificates: certificates
    case .security: security
    case .operatingSystem: operatingSystem
    case .packageReceipts: packageReceipts
    case .extensionAttributes: RecordJSON.attributes(of: computer)
    case .groupMemberships: groupMemberships
    case .services: .array([.object([("name", .string("com.apple.mdmclient.daemon"))])])
    case .attachments: .array(computer.attachments.map(\.json))
    case .printers, .plugins, .fonts, .licensedSoftware, .ibeacons, .softwareUpdates: .array([])
    case .contentCaching: .null
    }
  }

  private var general: JSONValue {
    let prestage = computer.prestage
    return .object([
      ("name", .string(computer.name)), ("lastIpAddress", .string(computer.ipAddress)),
      ("lastReportedIp", .string(computer.reportedIPv4)),
      ("lastReportedIpV4", .string(computer.reportedIPv4)),
      ("lastReportedIpV6", .string(computer.reportedIPv6)),
      ("jamfBinaryVersion", .string(computer.binaryVersion)), ("platform", .string("Mac")),
      ("barcode1", .string(computer.barcodes.first)),
      ("barcode2", .string(computer.barcodes.dropFirst().first)),
      ("assetTag", .string(computer.assetTag)),
      ("remoteManagement", .object([("managed", .bool(computer.isManaged)), ("managementUsername", .null)])),
      ("supervised", .bool(computer.isSupervised)),
      (
        "mdmCapable",
        .object([
          ("capable", .bool(computer.isManaged)),
          ("capableUsers", .strings(computer.isManaged ? [computer.user?.username].compactMap { $0 } : [])),
        ])
      ),
      ("reportDate", RecordJSON.moment(computer.lastReport)),
      ("lastContactTime", RecordJSON.moment(computer.lastContact)),
      ("lastCloudBackupDate", RecordJSON.moment(computer.lastCloudBackup)),
      ("lastEnrolledDate", RecordJSON.moment(computer.lastEnrolled)),
      ("mdmProfileExpiration", RecordJSON.moment(computer.profileExpiration)),
      ("initialEntryDate", RecordJSON.date(computer.firstSeen)), ("distributionPoint", .null),
      ("enrollmentMethod", prestage.map(enrollment) ?? .null),
      ("site", .object([("id", .string("-1")), ("name", .string("None"))])),
      ("itunesStoreAccountActive", .bool(false)),
      ("enrolledViaAutomatedDeviceEnrollment", .bool(prestage != nil)),
      ("userApprovedMdm", .bool(computer.isUserApproved)),
      ("declarativeDeviceManagementEnabled", .bool(computer.usesDeclarations)),
      ("extensionAttributes", .array([])), ("managementId", .string(computer.managementID)),
      ("lastLoggedInUsernameBinary", .string(computer.user?.username)),
      ("lastLoggedInUsernameBinaryTimestamp", RecordJSON.moment(computer.lastContact)),
      ("lastLoggedInUsernameSelfService", .null), ("lastLoggedInUsernameSelfServiceTimestamp", .null),
    ])
  }

  private func enrollment(_ prestage: Int) -> JSONValue {
    .object([
      ("id", RecordJSON.id(prestage)), ("objectName", .string(Prestage.computerNames[prestage - 1])),
      ("objectType", .string("PreStage enrollment")),
    ])
  }

  private var userAndLocation: JSONValue {
    let user = computer.user
    return .object([
      ("username", .string(user?.username)), ("realname", .string(user?.realName)),
      ("email", .string(user?.email)), ("position", .string(user?.position)), ("phone", .string(user?.phone)),
      ("departmentId", .string(user.map { String($0.department) })),
      ("buildingId", .string(user.map { String($0.building) })), ("room", .string(user?.room)),
      ("extensionAttributes", .array([])),
    ])
  }

  private var purchasing: JSONValue {
    let purchase = computer.purchase
    return .object([
      ("leased", .bool(purchase.isLeased)), ("purchased", .bool(!purchase.isLeased)),
      ("poNumber", .string(purchase.orderNumber)), ("poDate", RecordJSON.date(purchase.orderDate)),
      ("vendor", .string(purchase.vendor)), ("warrantyDate", RecordJSON.date(purchase.warrantyEnd)),
      ("appleCareId", .string(purchase.appleCareID)), ("leaseDate", .null),
      ("purchasePrice", .string("\(purchase.price)")), ("lifeExpectancy", .integer(purchase.lifeExpectancy)),
      ("purchasingAccount", .null), ("purchasingContact", .null), ("extensionAttributes", .array([])),
    ])
  }

  private var operatingSystem: JSONValue {
    .object([
      ("name", .string("macOS")), ("version", .string(computer.system.version)),
      ("build", .string(computer.system.build)), ("supplementalBuildVersion", .null),
      ("rapidSecurityResponse", .null), ("activeDirectoryStatus", .string("Not Bound")),
      ("fileVault2Status", .string(computer.isEncrypted ? "ALL_ENCRYPTED" : "NOT_ENCRYPTED")),
      ("softwareUpdateDeviceId", .string("J\(computer.model.cores)13AP")),
      ("extensionAttributes", .array([])),
    ])
  }

  private var security: JSONValue {
    .object([
      ("sipStatus", .string("ENABLED")),
      ("gatekeeperStatus", .string("APP_STORE_AND_IDENTIFIED_DEVELOPERS")),
      ("xprotectVersion", .string("5321")), ("autoLoginDisabled", .bool(true)),
      ("remoteDesktopEnabled", .bool(computer.allowsRemoteDesktop)),
      ("activationLockEnabled", .bool(computer.hasActivationLock)),
      ("recoveryLockEnabled", .bool(computer.hasRecoveryLock)),
      ("firewallEnabled", .bool(computer.hasFirewall)),
      ("secureBootLevel", .string(computer.model.isAppleSilicon ? "FULL_SECURITY" : "MEDIUM_SECURITY")),
      ("externalBootLevel", .string("DISALLOW_BOOTING_FROM_EXTERNAL_MEDIA")),
      ("bootstrapTokenAllowed", .bool(computer.isManaged)),
    ])
  }
}
