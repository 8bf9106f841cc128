import Testing

@testable import ForsettiModules

@Suite struct AppleHardwareTests {
  @Test(
    "a chip is known by its whole name, whatever the case and the maker's name",
    arguments: [
      ("Apple M2 Max", "12", "30 or 38", "16"), ("  m2   MAX ", "12", "30 or 38", "16"),
      ("Apple M3 Pro", "11 or 12", "14 or 18", nil), ("M4", nil, "up to 10", nil),
      ("M1 Max", "10", "24 or 32", "16"),
      ("Apple M2 Ultra", nil, nil, "32"),
    ] as [(String, String?, String?, String?)])
  func chips(name: String, cpu: String?, gpu: String?, neural: String?) throws {
    let chip = try #require(AppleChip(name))
    #expect(chip.cpuCores == cpu)
    #expect(chip.gpuCores == gpu)
    #expect(chip.neuralCores == neural)
  }

  @Test(
    "no cores are made up for a chip that is not known",
    arguments: ["", " ", "Apple", "M2", "M4 Max", "Apple M9", "Intel Core i9", "Intel Core Ultra 7"])
  func unknownChips(name: String) { #expect(AppleChip(name) == nil) }

  @Test(
    "memory of a model that comes with two sizes follows from its capacity",
    arguments: [
      ("iPad16,3", 256_000, 8), (" iPad16,6 ", 1_024_569, 16), ("iPad16,5", 767_999, 8),
      ("iPad16,4", 768_000, 16),
      ("iPad16,3", nil, nil), ("iPhone16,1", 256_000, nil),
    ] as [(String, Int64?, Int?)])
  func memory(identifier: String, capacity: Int64?, gigabytes: Int?) throws {
    let model = try #require(AppleMobileModel(identifier: identifier))
    #expect(model.memoryGigabytes(capacityMegabytes: capacity) == gigabytes)
  }

  @Test("a model is known by its identifier or not at all")
  func models() {
    #expect(AppleMobileModel(identifier: "iPhone16,1")?.name == "iPhone 15 Pro")
    #expect(AppleMobileModel(identifier: "iPhone16,1")?.chip == "A17 Pro")
    #expect(AppleMobileModel(identifier: "iPhone99,1") == nil)
    #expect(AppleMobileModel(identifier: " ") == nil)
  }

  @Test(
    "a Mac is portable where its names say so",
    arguments: [
      ("MacBookPro16,1", nil, .portable), ("Mac14,2", "MacBook Air (13-inch, M2, 2022)", .portable),
      ("iMac21,1", nil, .desktop), ("Mac14,3", "Mac mini (2023)", .desktop), ("Macmini9,1", nil, .desktop),
      (nil, "Mac Studio", .desktop), ("MacPro7,1", nil, .desktop), ("Mac14,2", nil, .unknown),
      (nil, nil, .unknown),
    ] as [(String?, String?, MacForm)])
  func forms(identifier: String?, model: String?, form: MacForm) {
    #expect(MacForm(identifier: identifier, model: model) == form)
  }

  @Test(
    "storage is used as far as the device says, or as its sizes say",
    arguments: [
      (1_000, 250, nil, 0.75), (1_000, 250, 73, 0.73), (1_000, 400, 150, 0.6), (1_000, 2_000, nil, 0),
      (nil, nil, 40, 0.4), (nil, 250, nil, nil), (0, 0, nil, nil), (1_000, -1, nil, nil),
      (nil, nil, nil, nil),
    ] as [(Int64?, Int64?, Int64?, Double?)])
  func use(total: Int64?, free: Int64?, percent: Int64?, use: Double?) {
    #expect(HardwareText.use(total: total, free: free, reportedPercent: percent) == use)
  }

  @Test(
    "a battery that reports is one; a desktop has none",
    arguments: [
      (80, .desktop, "80 %"), (nil, .desktop, "Not applicable"), (nil, .portable, "Not reported"),
      (nil, .unknown, "Not reported"), (101, .portable, "Not reported"), (-1, .desktop, "Not applicable"),
    ] as [(Int64?, MacForm, String)])
  func battery(percent: Int64?, form: MacForm, text: String) {
    #expect(HardwareText.battery(percent: percent, form: form) == text)
  }

  @Test("memory is in gigabytes")
  func memoryText() {
    #expect(HardwareText.memory(megabytes: 32_768) == "32.0 GB")
    #expect(HardwareText.memory(megabytes: nil) == nil)
  }
}
