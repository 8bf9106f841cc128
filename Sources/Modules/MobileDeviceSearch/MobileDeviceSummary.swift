internal import ForsettiModuleKit

/// What of a mobile device is told at a glance.
enum MobileDeviceSummary {
  private static let security = [
    SecurityRule("Passcode", "passcodePresent", .protects),
    SecurityRule("Passcode compliant", "passcodeCompliant", .protects),
    SecurityRule("Data protection", "dataProtection", .protects),
    SecurityRule("Activation Lock", "activationLockEnabled", .protects),
    SecurityRule("Supervision", "supervised", .protects),
    SecurityRule("Remote management", "managed", .protects),
    SecurityRule("Jailbreak", "jailBreakDetected", .endangers),
    SecurityRule("Lost Mode", "lostModeEnabled", .neutral),
  ]

  /// Reads it from what is known of a device.
  @Sendable static func make(_ record: InventoryRecord) -> DeviceSummary {
    let known = record["modelIdentifier"].flatMap { AppleMobileModel(identifier: $0) }
    let capacity = record.integer("capacityMb")
    let free = record.integer("availableSpaceMb")
    var facts: [DeviceSummary.Fact] = []
    func add(_ label: String, _ value: String?) {
      if let value { facts.append(DeviceSummary.Fact(label: label, value: value)) }
    }
    add("Model", record["model"] ?? known?.name)
    add("Model identifier", record["modelIdentifier"])
    add("Chip", known?.chip)
    add("Memory", known?.memoryGigabytes(capacityMegabytes: capacity).map { "\($0) GB" })
    add("Storage", capacity.flatMap { FieldText.megabytes($0) })
    add("Free", free.flatMap { FieldText.megabytes($0) })
    add("Battery", HardwareText.battery(percent: record.integer("batteryLevel"), form: .portable))
    return DeviceSummary(
      security: security.map { $0.indicator(of: record) }, hardware: facts,
      storageUse: HardwareText.use(
        total: capacity, free: free, reportedPercent: record.integer("usedSpacePercentage")))
  }
}
