// What is installed on a computer. Lists are texts: their values stand one behind the other.
extension ComputerFields {
  /// The section APPLICATIONS.
  static let applications: [InventoryField] = [
    shown("applications[].name", "Applications"),
    shown("applications[].bundleId", "Application bundle IDs"),
    shown("applications[].version", "Application versions"),
    shown("applications[].cfBundleShortVersionString", "Application short versions"),
    shown("applications[].cfBundleVersion", "Application bundle versions"),
    shown("applications[].path", "Application paths"),
    shown("applications[].sizeMegabytes", "Application sizes (MB)"),
    shown("applications[].macAppStore", "Applications from the App Store"),
    shown("applications[].updateAvailable", "Applications with an update"),
    shown("applications[].externalVersionId", "Application version IDs"),
  ]

  /// What else is installed. The API lists plug-ins and fonts in its first version alone.
  static let software: [InventoryField] = [
    shown("packageReceipts.installedByJamfPro", "Packages of Jamf Pro"),
    shown("packageReceipts.installedByInstallerSwu", "Packages of the installer"),
    shown("packageReceipts.cached", "Cached packages"),
    shown("softwareUpdates[].name", "Software updates"),
    shown("softwareUpdates[].version", "Software update versions"),
    shown("softwareUpdates[].packageName", "Software update packages"),
    shown("licensedSoftware[].id", "Licensed software IDs"),
    shown("licensedSoftware[].name", "Licensed software"),
    shown("plugins[].name", "Plug-ins (first version)"),
    shown("plugins[].version", "Plug-in versions (first version)"),
    shown("plugins[].path", "Plug-in paths (first version)"),
    shown("fonts[].name", "Fonts (first version)"),
    shown("fonts[].version", "Font versions (first version)"),
    shown("fonts[].path", "Font paths (first version)"),
    shown("services[].name", "Services"),
    shown("printers[].name", "Printers"),
    shown("printers[].type", "Printer types"),
    shown("printers[].uri", "Printer addresses"),
    shown("printers[].location", "Printer places"),
    shown("ibeacons[].name", "iBeacon regions"),
  ]
}
