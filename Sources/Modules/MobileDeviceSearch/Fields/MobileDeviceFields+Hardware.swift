// What a mobile device is made of, and the networks it is in.
extension MobileDeviceFields {
  /// The section HARDWARE.
  static let machine: [InventoryField] = [
    found("model", "Model", "hardware.model"),
    found("modelIdentifier", "Model identifier", "hardware.modelIdentifier"),
    found("modelNumber", "Model number", "hardware.modelNumber"),
    found("capacityMb", "Capacity (MB)", "hardware.capacityMb", .integer),
    found("availableSpaceMb", "Free (MB)", "hardware.availableSpaceMb", .integer),
    found("usedSpacePercentage", "Used (%)", "hardware.usedSpacePercentage", .integer),
    found("batteryLevel", "Battery (%)", "hardware.batteryLevel", .integer),
    found("modemFirmwareVersion", "Modem firmware", "hardware.modemFirmwareVersion"),
    found("deviceId", "Device ID", "hardware.deviceId"),
    found("bluetoothLowEnergyCapable", "Bluetooth low energy", "hardware.bluetoothLowEnergyCapable", .bool),
    shown("batteryHealth", "Battery health", "hardware.batteryHealth"),
  ]

  /// The section NETWORK.
  static let network: [InventoryField] = [
    found("imei", "IMEI", "network.imei"),
    found("devicePhoneNumber", "Phone number of the device", "network.phoneNumber"),
    found("roaming", "Roaming", "network.roaming", .bool),
    found("currentCarrierNetwork", "Carrier", "network.currentCarrierNetwork"),
    found("eid", "EID", "network.eid"),
    found("iccid", "ICCID", "network.iccid"),
    found("meid", "MEID", "network.meid"),
    shown("cellularTechnology", "Cellular technology", "network.cellularTechnology"),
    found("carrierSettingsVersion", "Carrier settings version", "network.carrierSettingsVersion"),
    found("currentMobileCountryCode", "Current country code", "network.currentMobileCountryCode"),
    found("currentMobileNetworkCode", "Current network code", "network.currentMobileNetworkCode"),
    shown("homeCarrierNetwork", "Home carrier", "network.homeCarrierNetwork"),
    found("homeMobileCountryCode", "Home country code", "network.homeMobileCountryCode"),
    found("homeMobileNetworkCode", "Home network code", "network.homeMobileNetworkCode"),
    found("dataRoamingEnabled", "Data roaming allowed", "network.dataRoamingEnabled", .bool),
    shown("voiceRoamingEnabled", "Voice roaming allowed", "network.voiceRoamingEnabled", .bool),
    found("personalHotspotEnabled", "Personal Hotspot", "network.personalHotspotEnabled", .bool),
  ]

  /// The section SERVICE_SUBSCRIPTIONS: one for each SIM.
  static let subscriptions: [InventoryField] = [
    shown("serviceSubscriptions[].label", "Subscriptions", "serviceSubscriptions[].label"),
    shown("serviceSubscriptions[].labelId", "Subscription label IDs", "serviceSubscriptions[].labelId"),
    shown("serviceSubscriptions[].slot", "Subscription slots", "serviceSubscriptions[].slot"),
    shown(
      "serviceSubscriptions[].phoneNumber", "Subscription phone numbers", "serviceSubscriptions[].phoneNumber"
    ),
    shown("serviceSubscriptions[].imei", "Subscription IMEIs", "serviceSubscriptions[].imei"),
    shown("serviceSubscriptions[].meid", "Subscription MEIDs", "serviceSubscriptions[].meid"),
    shown("serviceSubscriptions[].eid", "Subscription EIDs", "serviceSubscriptions[].eid"),
    shown("serviceSubscriptions[].iccid", "Subscription ICCIDs", "serviceSubscriptions[].iccid"),
    shown(
      "serviceSubscriptions[].subscriberCarrierNetwork", "Subscription carriers",
      "serviceSubscriptions[].subscriberCarrierNetwork"),
    shown(
      "serviceSubscriptions[].currentCarrierNetwork", "Subscription current carriers",
      "serviceSubscriptions[].currentCarrierNetwork"),
    shown(
      "serviceSubscriptions[].currentMobileCountryCode", "Subscription country codes",
      "serviceSubscriptions[].currentMobileCountryCode"),
    shown(
      "serviceSubscriptions[].currentMobileNetworkCode", "Subscription network codes",
      "serviceSubscriptions[].currentMobileNetworkCode"),
    shown(
      "serviceSubscriptions[].carrierSettingsVersion", "Subscription settings versions",
      "serviceSubscriptions[].carrierSettingsVersion"),
    shown(
      "serviceSubscriptions[].dataPreferred", "Subscriptions for data", "serviceSubscriptions[].dataPreferred"
    ),
    shown(
      "serviceSubscriptions[].voicePreferred", "Subscriptions for voice",
      "serviceSubscriptions[].voicePreferred"),
    shown("serviceSubscriptions[].roaming", "Subscriptions that roam", "serviceSubscriptions[].roaming"),
  ]
}
