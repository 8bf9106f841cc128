import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite struct InventoryReaderTests {
  private static func json(_ text: String) throws -> JSONValue { try JSONParser.parse(Array(text.utf8)).root }

  private static func reader(attribute: String? = nil) throws -> InventoryReader {
    var buildings = PlaceNames()
    buildings.add([
      try json(#"{"id": "3", "name": "Mill Campus"}"#), try json(#"{"id": 4, "name": "Quay 7"}"#),
    ])
    buildings.add([try json(#"{"id": "5", "name": " "}"#), try json("7"), try json(#"{"name": "x"}"#)])
    return InventoryReader(buildings: buildings, departments: PlaceNames(), locationAttribute: attribute)
  }

  private static let computer = """
    {"id": "1", "general": {"name": "Zoë’s Mac", "assetTag": "MAC-1", "remoteManagement": {"managed": true},
      "supervised": false, "reportDate": "2026-10-31T08:00:00Z", "lastEnrolledDate": "2025-01-02T08:00:00.5Z"},
     "hardware": {"model": "Mac mini (2023)", "modelIdentifier": "Mac14,3", "serialNumber": "C1",
      "batteryCapacityPercent": null},
     "operatingSystem": {"version": "15.6.1"},
     "storage": {"disks": [{"partitions": [{"partitionType": "OTHER", "percentUsed": 1},
      {"partitionType": "BOOT", "percentUsed": 55}]}]},
     "userAndLocation": {"username": "zoe", "realname": "Zoë X", "email": "z@example.invalid", "buildingId": "3",
      "departmentId": "9", "room": "2.14"},
     "extensionAttributes": [{"name": "Site", "values": ["North", "East"]}, {"name": "Empty", "values": []}]}
    """

  @Test("a computer's record becomes a device, with names for its places") func computer() throws {
    var reader = try Self.reader(attribute: "Site")
    let device = reader.device(try Self.json(Self.computer), of: .computers)
    let texts = ReportField.allCases.map { device.text(of: $0) }
    #expect(
      texts == [
        "Mac", "Zoë’s Mac", "C1", "MAC-1", "Mac mini (2023)", "Mac14,3", "M2", "15.6.1", "2025-01-02",
        "2026-10-31",
        "Mill Campus", "9", "2.14", "North, East", "zoe", "Zoë X", "z@example.invalid", "Yes", "No", "55",
        nil,
        "Reported",
      ])
  }

  private static let chips: [(DeviceDomain, String, String?, IdentityConfidence, String?)] = [
    (.computers, #"{"modelIdentifier": "Mac14,2"}"#, "MacBook Air (M2, 2022)", .catalogue, "M2"),
    (
      .computers, #"{"modelIdentifier": "Mac14,2", "processorType": "Apple M9"}"#, "MacBook Air (M2, 2022)",
      .catalogue, "M2"
    ),
    (.mobileDevices, #"{"modelIdentifier": "iPhone16,1"}"#, "iPhone 15 Pro", .catalogue, "A17 Pro"),
    (
      .computers, #"{"modelIdentifier": "Mac99,1", "processorType": "Apple M4 Max"}"#, nil, .inferredHigh,
      "M4 Max"
    ),
    (
      .computers, #"{"model": "MacBook Pro", "processorType": "Intel Core i7"}"#, "MacBook Pro",
      .inferredMedium, "Intel Core i7"
    ),
    (.computers, #"{"modelIdentifier": "Mac99,1", "processorType": " "}"#, nil, .inferredHigh, nil),
  ]

  @Test("a model that is known brings its name and chip; else the chip is what is reported", arguments: chips)
  func chip(
    domain: DeviceDomain, hardware: String, model: String?, confidence: IdentityConfidence, chip: String?
  ) throws {
    var reader = try Self.reader()
    let device = reader.device(try Self.json(#"{"hardware": \#(hardware)}"#), of: domain)
    #expect(device.model == model)
    #expect(device.confidence == confidence)
    #expect(device.chip == chip)
  }

  @Test("a mobile device's record becomes a device") func mobileDevice() throws {
    var reader = try Self.reader(attribute: "Cart")
    let device = reader.device(
      try Self.json(
        """
        {"mobileDeviceId": "1", "general": {"displayName": "Tablet", "assetTag": "", "managed": true,
          "supervised": true, "osVersion": "18.6", "lastInventoryUpdateDate": "2026-10-31T08:00:00Z",
          "lastEnrolledDate": "Never"},
         "hardware": {"model": "iPad mini", "modelIdentifier": "iPad14,1", "serialNumber": "F1",
          "usedSpacePercentage": 140, "batteryLevel": 30.9},
         "userAndLocation": {"username": "u", "realName": "U X", "emailAddress": "u@example.invalid",
          "buildingId": 4, "departmentId": "-1", "room": null},
         "extensionAttributes": [{"name": "Cart", "value": ["Cart A"]}]}
        """), of: .mobileDevices)
    let texts = ReportField.allCases.map { device.text(of: $0) }
    #expect(
      texts == [
        "iPad", "Tablet", "F1", nil, "iPad mini", "iPad14,1", "A15 Bionic", "18.6", "Never", "2026-10-31",
        "Quay 7", nil,
        nil,
        "Cart A", "u", "U X", "u@example.invalid", "Yes", "Yes", "100", "30", "Reported",
      ])
  }

  @Test(
    "a record of another shape is a device of which nothing is known",
    arguments: [
      "null", "7", "[]", "{}", #"{"general": [], "hardware": 1, "storage": {"disks": [1]}}"#,
      #"{"general": {"name": {}, "managed": "yes", "remoteManagement": 1}, "storage": {"disks": [{"partitions": 7}]}}"#,
      #"{"hardware": {"batteryLevel": "90", "model": 7, "usedSpacePercentage": {}}, "extensionAttributes": {}}"#,
    ])
  func shapeless(text: String) throws {
    var reader = try Self.reader(attribute: "Site")
    let record = try Self.json(text)
    for domain in DeviceDomain.allCases {
      let device = reader.device(record, of: domain)
      let identity = DeviceIdentity(domain, model: nil, identifier: nil)
      #expect(
        device == ReportDevice(domain: domain, type: identity.type, confidence: identity.confidence))
    }
  }

  @Test("a number of any size is a percent, and a text of any length one bounded line") func bounds() throws {
    var reader = try Self.reader()
    let long = String(repeating: "x", count: 3_000)
    let device = reader.device(
      try Self.json(
        #"{"general": {"displayName": "a\u001b[31m\#(long)"}, "hardware": {"batteryLevel": 1e300, "usedSpacePercentage": -1e300}}"#
      ),
      of: .mobileDevices)
    #expect(device.battery == 100)
    #expect(device.storageUsed == 0)
    #expect(device.name?.unicodeScalars.allSatisfy { !$0.isUnfitForDisplay } == true)
    #expect((device.name?.unicodeScalars.count ?? 0) < 300)
  }
}
