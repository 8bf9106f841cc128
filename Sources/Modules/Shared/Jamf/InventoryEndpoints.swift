/// The calls of the inventory that several modules make, the newest version first.
enum InventoryEndpoints {
  static let computers = JamfEndpoint.versions(
    [3, 2, 1], "GET", "/api/v{v}/computers-inventory", needs: [.readComputers])
  static let mobileDevices = [
    JamfEndpoint("GET", "/api/v2/mobile-devices/detail", needs: [.readMobileDevices])
  ]
  static let computerAttributes =
    JamfEndpoint.versions(
      [2, 1], "GET", "/api/v{v}/computer-extension-attributes", needs: [.readComputerAttributes])
    + [JamfEndpoint("GET", "/JSSResource/computerextensionattributes", needs: [.readComputerAttributes])]
  static let mobileAttributes =
    JamfEndpoint.versions(
      [2, 1], "GET", "/api/v{v}/mobile-device-extension-attributes", needs: [.readMobileAttributes])
    + [JamfEndpoint("GET", "/JSSResource/mobiledeviceextensionattributes", needs: [.readMobileAttributes])]
}
