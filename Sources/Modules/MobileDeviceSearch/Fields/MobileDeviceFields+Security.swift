// How safe a mobile device is.
extension MobileDeviceFields {
  /// The section SECURITY.
  static let security: [InventoryField] = [
    found("passcodePresent", "Passcode", "security.passcodePresent", .bool),
    found("passcodeCompliant", "Passcode compliant", "security.passcodeCompliant", .bool),
    found("dataProtection", "Data protection", "security.dataProtected", .bool),
    found("activationLockEnabled", "Activation Lock", "security.activationLockEnabled", .bool),
    found("lostModeEnabled", "Lost Mode", "security.lostModeEnabled", .bool),
    shown("jailBreakDetected", "Jailbreak detected", "security.jailBreakDetected", .bool),
    found("blockEncryptionCapable", "Encrypts blocks", "security.blockLevelEncryptionCapable", .bool),
    found("fileEncryptionCapable", "Encrypts files", "security.fileLevelEncryptionCapable", .bool),
    shown("hardwareEncryption", "Hardware encryption", "security.hardwareEncryption", .integer),
    found(
      "passcodeCompliantWithProfile", "Passcode compliant with profiles",
      "security.passcodeCompliantWithProfile", .bool),
    found(
      "passcodeLockGracePeriodEnforcedSeconds", "Passcode grace period (s)",
      "security.passcodeLockGracePeriodEnforcedSeconds", .integer),
    found(
      "personalDeviceProfileCurrent", "Personal device profile current",
      "security.personalDeviceProfileCurrent", .bool),
    shown("lostModePersistent", "Lost Mode persistent", "security.lostModePersistent", .bool),
    shown("lostModeMessage", "Lost Mode message", "security.lostModeMessage"),
    shown("lostModePhoneNumber", "Lost Mode phone number", "security.lostModePhoneNumber"),
    shown("lostModeFootnote", "Lost Mode footnote", "security.lostModeFootnote"),
    shown("bootstrapTokenEscrowed", "Bootstrap token escrowed", "security.bootstrapTokenEscrowed"),
    shown("attestationStatus", "Attestation", "security.attestationStatus"),
    shown(
      "lastAttestationAttemptDate", "Last attestation tried", "security.lastAttestationAttemptDate", .date),
    shown(
      "lastSuccessfulAttestationDate", "Last attestation", "security.lastSuccessfulAttestationDate", .date),
  ]

  /// Where it was last seen while it was lost.
  static let location: [InventoryField] = [
    shown(
      "security.lostModeLocation.lastLocationUpdate", "Last location",
      "security.lostModeLocation.lastLocationUpdate", .date),
    shown(
      "security.lostModeLocation.lostModeLocationTimestamp", "Time of the last location",
      "security.lostModeLocation.lostModeLocationTimestamp"),
    shown(
      "security.lostModeLocation.lostModeLocationHorizontalAccuracyMeters", "Location accuracy (m)",
      "security.lostModeLocation.lostModeLocationHorizontalAccuracyMeters", .integer),
    shown(
      "security.lostModeLocation.lostModeLocationVerticalAccuracyMeters", "Altitude accuracy (m)",
      "security.lostModeLocation.lostModeLocationVerticalAccuracyMeters", .integer),
    shown(
      "security.lostModeLocation.lostModeLocationAltitudeMeters", "Altitude (m)",
      "security.lostModeLocation.lostModeLocationAltitudeMeters", .integer),
    shown(
      "security.lostModeLocation.lostModeLocationSpeedMetersPerSecond", "Speed (m/s)",
      "security.lostModeLocation.lostModeLocationSpeedMetersPerSecond", .integer),
    shown(
      "security.lostModeLocation.lostModeLocationCourseDegrees", "Course (degrees)",
      "security.lostModeLocation.lostModeLocationCourseDegrees", .integer),
  ]
}
