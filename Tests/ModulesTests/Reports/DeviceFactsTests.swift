import Testing

@testable import ForsettiModules

@Suite struct DeviceFactsTests {
  private static let identities: [(DeviceDomain, String?, String?, DeviceType, IdentityConfidence)] = [
    (.computers, "MacBook Air (13-inch, M2, 2022)", "Mac14,2", .mac, .reported),
    (.computers, "iMac (24-inch, M3, 2023)", "iMac21,1", .mac, .reported),
    (.computers, nil, "VirtualMac2,1", .mac, .inferredHigh),
    (.computers, "Mac mini (2023)", nil, .mac, .inferredMedium),
    (.computers, nil, nil, .mac, .inferredMedium),
    (.computers, "VMware20,1", "VMware20,1", .other, .reported),
    (.mobileDevices, "iPad mini (6th generation)", "iPad14,1", .ipad, .reported),
    (.mobileDevices, nil, "iPhone14,7", .iphone, .catalogue),
    (.mobileDevices, nil, "iPhone99,9", .iphone, .inferredHigh),
    (.computers, nil, "Mac14,2", .mac, .catalogue),
    (.mobileDevices, "iPhone 14", nil, .iphone, .inferredMedium),
    (.mobileDevices, "Apple TV 4K", "AppleTV11,1", .other, .reported),
    (.mobileDevices, "iPhone 14", "iPad14,1", .ipad, .catalogue),
    (.mobileDevices, "iPhone 14", "iPad99,1", .ipad, .inferredHigh),
    (.mobileDevices, nil, nil, .unknown, .unknown),
  ]

  @Test(
    "what a device is follows from identifier, model and list, and how sure that is", arguments: identities)
  func identity(
    domain: DeviceDomain, model: String?, identifier: String?, type: DeviceType,
    confidence: IdentityConfidence
  ) {
    let identity = DeviceIdentity(domain, model: model, identifier: identifier)
    #expect(identity.type == type)
    #expect(identity.confidence == confidence)
  }

  private static let days: [(String?, String?)] = [
    ("2026-03-05T10:11:12.123Z", "2026-03-05"), ("2026-03-05T10:11:12Z", "2026-03-05"),
    ("2026-03-05", "2026-03-05"), (" 2026-03-05 ", "2026-03-05"), ("Never", "Never"), (nil, nil), ("", nil),
    ("  ", nil), ("2026-02-30T00:00:00Z", "2026-02-30T00:00:00Z"), ("2026-03-0é", "2026-03-0é"),
    ("20260305", "20260305"),
  ]

  @Test("a date is cut to its day, and another text is left as it is", arguments: days)
  func day(text: String?, expected: String?) { #expect(ReportDay.normalised(text) == expected) }

  private static let versions: [(String, [Int]?)] = [
    ("15.6.1", [15, 6, 1]), ("15", [15]), ("15.0.0", [15]), ("0", [0]), ("17.0.1 (a)", [17, 0, 1]),
    ("15.6b2", [15, 6]), ("", nil), ("beta", nil), (".5", nil), ("999999999", [999_999_999]),
    ("1234567890", nil), ("1.2.3.4.5.6.7", [1, 2, 3, 4, 5, 6]), ("15..6", [15]),
  ]

  @Test("a version is read as far as it is one", arguments: versions)
  func version(text: String, parts: [Int]?) { #expect(VersionNumber(text)?.parts == parts) }
}
