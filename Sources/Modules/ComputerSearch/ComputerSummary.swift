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
    let (model, identifier) = (record["hardware.model"], record["hardware.modelIdentifier"])
    let (processor, cores) = (record["hardware.processorType"], record["hardware.coreCount"])
    let memory = record.integer("hardware.totalRamMegabytes")
    let known = MacHardware(
      MacHardware.Report(
        identifier: identifier, model: model, processor: processor, cores: cores, memoryMegabytes: memory))
    let total = record.integer("storage.disks[].sizeMegabytes")
    let free = record.integer("storage.bootDriveAvailableSpaceMegabytes")
    let battery = HardwareText.battery(
      percent: record.integer("hardware.batteryCapacityPercent"),
      form: known?.form ?? MacForm(identifier: identifier, model: model))
    let facts: [(String, String?)] = [
      ("Model", model ?? known?.name ?? "Unknown Mac"), ("Model identifier", identifier),
      ("Chip", known?.chip ?? processor), ("CPU cores", known?.cpuCores ?? cores),
      ("GPU cores", known?.gpuCores), ("Neural Engine cores", known?.neuralCores),
      ("Memory", HardwareText.memory(megabytes: memory)), ("Memory bandwidth", known?.bandwidth),
      ("Storage", total.flatMap { FieldText.megabytes($0) }),
      ("Free", free.flatMap { FieldText.megabytes($0) }),
      ("Battery", battery), ("Source", known?.confidence.text),
    ]
    return DeviceSummary(
      security: security.map { $0.indicator(of: record) },
      hardware: facts.compactMap { label, value in value.map { DeviceSummary.Fact(label: label, value: $0) }
      },
      storageUse: HardwareText.use(
        total: total, free: free,
        reportedPercent: record.integer("storage.disks[].partitions[].percentUsed")))
  }
}
