// The system of a computer, and how safe it is.
extension ComputerFields {
  /// The section OPERATING_SYSTEM.
  static let system: [InventoryField] = [
    found("operatingSystem.name", "Operating system"),
    found("operatingSystem.version", "macOS"),
    found("operatingSystem.build", "macOS build"),
    found("operatingSystem.supplementalBuildVersion", "Supplemental build"),
    found("operatingSystem.rapidSecurityResponse", "Rapid Security Response"),
    found("operatingSystem.activeDirectoryStatus", "Active Directory"),
    found("operatingSystem.fileVault2Status", "FileVault status"),
    shown("operatingSystem.softwareUpdateDeviceId", "Software update device ID"),
  ]

  /// The section DISK_ENCRYPTION.
  static let encryption: [InventoryField] = [
    found("diskEncryption.fileVault2Enabled", "FileVault", .bool),
    shown("diskEncryption.individualRecoveryKeyValidityStatus", "Recovery key"),
    given("diskEncryption.diskEncryptionConfigurationName", "Disk encryption configuration"),
    given("diskEncryption.fileVault2EnabledUserNames", "FileVault users"),
    given("diskEncryption.fileVault2EligibilityMessage", "FileVault eligibility"),
    shown("diskEncryption.institutionalRecoveryKeyPresent", "Institutional recovery key", .bool),
    given("diskEncryption.bootPartitionEncryptionDetails.partitionName", "Boot partition"),
    shown(
      "diskEncryption.bootPartitionEncryptionDetails.partitionFileVault2State",
      "FileVault of the boot partition"),
    shown(
      "diskEncryption.bootPartitionEncryptionDetails.partitionFileVault2Percent",
      "FileVault progress of the boot partition (%)", .integer),
  ]

  /// The section SECURITY.
  static let security: [InventoryField] = [
    found("security.firewallEnabled", "Firewall", .bool),
    found("security.activationLockEnabled", "Activation Lock", .bool),
    found("security.recoveryLockEnabled", "Recovery Lock", .bool),
    shown("security.sipStatus", "System Integrity Protection"),
    shown("security.gatekeeperStatus", "Gatekeeper"),
    shown("security.xprotectVersion", "XProtect version"),
    shown("security.autoLoginDisabled", "Automatic login disabled", .bool),
    shown("security.remoteDesktopEnabled", "Remote desktop", .bool),
    shown("security.secureBootLevel", "Secure boot"),
    shown("security.externalBootLevel", "External boot"),
    shown("security.bootstrapTokenAllowed", "Bootstrap token", .bool),
    shown("security.bootstrapTokenEscrowedStatus", "Bootstrap token escrowed"),
    shown("security.attestationStatus", "Attestation"),
    shown("security.lastAttestationAttempt", "Last attestation tried", .date),
    shown("security.lastSuccessfulAttestation", "Last attestation", .date),
  ]
}
