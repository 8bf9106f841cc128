// What a computer is made of.
extension ComputerFields {
  /// The section HARDWARE.
  static let machine: [InventoryField] = [
    found("hardware.make", "Make"),
    found("hardware.model", "Model"),
    found("hardware.modelIdentifier", "Model identifier"),
    found("hardware.appleSilicon", "Apple silicon", .bool),
    found("hardware.supportsIosAppInstalls", "Runs iOS apps", .bool),
    found("hardware.bleCapable", "Bluetooth low energy", .bool),
    shown("hardware.processorType", "Processor"),
    shown("hardware.processorArchitecture", "Processor architecture"),
    shown("hardware.processorCount", "Processors", .integer),
    shown("hardware.coreCount", "Cores", .integer),
    shown("hardware.totalRamMegabytes", "Memory (MB)", .integer),
    shown("hardware.batteryCapacityPercent", "Battery (%)", .integer),
    shown("hardware.processorSpeedMhz", "Processor speed (MHz)", .integer),
    shown("hardware.busSpeedMhz", "Bus speed (MHz)", .integer),
    shown("hardware.cacheSizeKilobytes", "Cache (KB)", .integer),
    shown("hardware.openRamSlots", "Free memory slots", .integer),
    shown("hardware.networkAdapterType", "Network adapter"),
    shown("hardware.altNetworkAdapterType", "Second network adapter"),
    shown("hardware.altMacAddress", "Second MAC address"),
    shown("hardware.nicSpeed", "Network speed"),
    shown("hardware.opticalDrive", "Optical drive"),
    shown("hardware.smcVersion", "SMC version"),
    shown("hardware.bootRom", "Boot ROM"),
  ]

  /// The section STORAGE.
  static let storage: [InventoryField] = [
    shown("storage.bootDriveAvailableSpaceMegabytes", "Free on the boot drive (MB)", .integer),
    shown("storage.disks[].sizeMegabytes", "Disks (MB)"),
    shown("storage.disks[].partitions[].percentUsed", "Partitions used (%)"),
    shown("storage.disks[].smartStatus", "SMART status"),
    shown("storage.disks[].device", "Disk devices"),
    given("storage.disks[].model", "Disk models"),
    shown("storage.disks[].revision", "Disk revisions"),
    shown("storage.disks[].serialNumber", "Disk serial numbers"),
    shown("storage.disks[].type", "Disk types"),
    given("storage.disks[].partitions[].name", "Partitions"),
    shown("storage.disks[].partitions[].partitionType", "Partition types"),
    shown("storage.disks[].partitions[].sizeMegabytes", "Partition sizes (MB)"),
    shown("storage.disks[].partitions[].availableMegabytes", "Free on partitions (MB)"),
    shown("storage.disks[].partitions[].fileVault2State", "FileVault of partitions"),
    shown("storage.disks[].partitions[].fileVault2ProgressPercent", "FileVault progress of partitions (%)"),
    shown("storage.disks[].partitions[].lvmManaged", "Partitions under a volume manager"),
  ]
}
