internal import ForsettiModuleKit

/// What of a computer is told at a glance.
enum ComputerSummary {
  private static let security = [
    SecurityRule("FileVault", "diskEncryption.fileVault2Enabled", .protects),
    SecurityRule("Firewall", "security.firewallEnabled", .protects),
    SecurityRule(
      "System Integrity Protection", "security.sipStatus", .oneOf(good: ["ENABLED"], middling: [])),
    SecurityRule(
      "Gatekeeper", "security.gatekeeperStatus",
      .oneOf(good: ["APP_STORE_AND_IDENTIFIED_DEVELOPERS", "APP_STORE"], middling: [])),
    SecurityRule("Activation Lock", "security.activationLockEnabled", .protects),
    SecurityRule("Supervision", "general.supervised", .protects),
    SecurityRule("Remote management", "general.remoteManagement.managed", .protects),
    SecurityRule("Bootstrap token", "security.bootstrapTokenAllowed", .protects),
    SecurityRule("Automatic login disabled", "security.autoLoginDisabled", .protects),
    SecurityRule(
      "Secure boot", "security.secureBootLevel",
      .oneOf(good: ["FULL_SECURITY"], middling: ["MEDIUM_SECURITY"])),
    SecurityRule(
      "External boot", "security.externalBootLevel",
      .oneOf(good: ["DISALLOW_BOOTING_FROM_EXTERNAL_MEDIA"], middling: [])),
    SecurityRule("XProtect", "security.xprotectVersion", .informs),
    SecurityRule("Remote desktop", "security.remoteDesktopEnabled", .neutral),
  ]

  /// Reads it from what is known of a computer.
  @Sendable static func make(_ record: InventoryRecord) -> DeviceSummary {
    let model = record["hardware.model"]
    let identifier = record["hardware.modelIdentifier"]
    let reported = record["hardware.processorType"]
    let chip = reported.flatMap { AppleChip($0) }
    let total = record.integer("storage.disks[].sizeMegabytes")
    let free = record.integer("storage.bootDriveAvailableSpaceMegabytes")
    var facts: [DeviceSummary.Fact] = []
    func add(_ label: String, _ value: String?) {
      if let value { facts.append(DeviceSummary.Fact(label: label, value: value)) }
    }
    add("Model", model)
    add("Model identifier", identifier)
    add("Chip", reported)
    // What this computer reports beats what is known of its chip.
    add("CPU cores", record["hardware.coreCount"] ?? chip?.cpuCores)
    add("GPU cores", chip?.gpuCores)
    add("Neural Engine cores", chip?.neuralCores)
    add("Memory", HardwareText.memory(megabytes: record.integer("hardware.totalRamMegabytes")))
    add("Storage", total.flatMap { FieldText.megabytes($0) })
    add("Free", free.flatMap { FieldText.megabytes($0) })
    add(
      "Battery",
      HardwareText.battery(
        percent: record.integer("hardware.batteryCapacityPercent"),
        form: MacForm(identifier: identifier, model: model)))
    add("Source", source(of: chip, reported))
    return DeviceSummary(
      security: security.map { $0.indicator(of: record) }, hardware: facts,
      storageUse: HardwareText.use(
        total: total, free: free,
        reportedPercent: record.integer("storage.disks[].partitions[].percentUsed")))
  }

  /// How far the figures can be trusted.
  private static func source(of chip: AppleChip?, _ reported: String?) -> String? {
    guard reported != nil else { return nil }
    return chip == nil ? "All as the computer reports it" : "As reported, and what is known of the chip"
  }
}
