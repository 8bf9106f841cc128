import Testing

@testable import ForsettiModules

@Suite struct AppleHardwareTests {
  @Test(
    "a chip is known by its whole name, whatever stands around it",
    arguments: [
      ("Apple M2 Max", "12", "30 or 38", 16), ("  m2   MAX ", "12", "30 or 38", 16),
      ("Apple M2 Max (12 cores)", "12", "30 or 38", 16), ("Apple M3 Pro", "11 or 12", "14 or 18", 16),
      ("M4", "8 to 10", "up to 10", 16), ("M1 Max", "10", "24 or 32", 16),
      ("Apple M2 Ultra", "24", "60 or 76", 32), ("M1 Ultra", "20", "48 or 64", 32),
      ("Apple M2", "8", "8 or 10", 16),
    ] as [(String, String, String, Int)])
  func chips(name: String, cpu: String, gpu: String, neural: Int) throws {
    let chip = try #require(AppleChip(name))
    #expect(chip.cpuCores == cpu)
    #expect(chip.gpuCores == gpu)
    #expect(chip.neuralCores == neural)
  }

  @Test(
    "no cores are made up for a chip that is not known",
    arguments: [
      "", " ", "Apple", "Apple M9", "M9 Max", "Intel Core i9", "Intel Core Ultra 7",
      "Intel Core m3", "Apple M", "Max",
    ])
  func unknownChips(name: String) { #expect(AppleChip(name) == nil) }

  @Test(
    "memory of a model that comes with two sizes follows from its capacity",
    arguments: [
      ("iPad16,3", 256_000, 8), (" iPad16,6 ", 1_024_569, 16), ("iPad16,5", 767_999, 8),
      ("iPad16,4", 768_000, 16),
      ("iPad16,3", nil, nil), ("iPhone16,1", 256_000, 8), ("iPhone16,1", nil, 8),
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

  @Test("each known Mac has a name and a chip that is known, and says that it was known by its identifier")
  func everyMac() throws {
    #expect(AppleMacModel.identifiers.count >= 25)
    for identifier in AppleMacModel.identifiers {
      let mac = try #require(MacHardware(MacHardware.Report(identifier: identifier)))
      #expect(!mac.name.isEmpty)
      #expect(mac.confidence == .high)
      #expect(mac.sources == ["hardware.modelIdentifier"])
      #expect(mac.chip.flatMap { AppleChip($0) } != nil, "\(identifier)")
      #expect(mac.form != .unknown)
    }
  }

  private static let macs: [(String, String, Int?, Int?, Int, MacForm)] = [
    ("MacBookPro18,2", "M1 Max", nil, nil, 16, .portable), ("Mac15,6", "M3 Pro", nil, nil, 16, .portable),
    ("MacBookPro17,1", "M1", 8, 8, 16, .portable), ("Mac14,15", "M2", 8, 10, 16, .portable),
    ("Mac13,2", "M1 Ultra", nil, nil, 32, .desktop), ("Mac14,8", "M2 Ultra", nil, nil, 32, .desktop),
    ("Macmini9,1", "M1", 8, 8, 16, .desktop), ("iMac21,1", "M1", 8, nil, 16, .desktop),
    (" Mac16,3 ", "M4", 10, 10, 16, .desktop),
  ]

  @Test("a model tells cores where all of it have as many, and the form", arguments: macs)
  func mac(identifier: String, chip: String, cpu: Int?, gpu: Int?, neural: Int, form: MacForm) throws {
    let model = try #require(AppleMacModel(identifier: identifier))
    #expect((model.chip, model.cpuCores, model.gpuCores) == (chip, cpu, gpu))
    #expect(AppleChip(model.chip)?.neuralCores == neural)
    #expect(model.form == form)
  }

  @Test("a known identifier counts, whether a model is reported or not")
  func knownIdentifier() throws {
    for model in ["", "  ", "Some Mac"] {
      let mac = try #require(MacHardware(MacHardware.Report(identifier: " Mac14,2 ", model: model)))
      #expect(mac.name == "MacBook Air (M2, 2022)")
      #expect(mac.confidence == .high)
    }
  }

  @Test("of a Mac that is not known, what it reports is told, and nothing is made up")
  func unknownMac() throws {
    let mac = try #require(
      MacHardware(
        MacHardware.Report(
          identifier: "Mac99,1", model: "Mac mini (2031)", processor: "Apple M9 Max", memoryMegabytes: 32_700)
      ))
    #expect((mac.name, mac.chip, mac.form) == ("Mac mini (2031)", "Apple M9 Max", .desktop))
    #expect(mac.confidence == .low)
    #expect((mac.cpuCores, mac.gpuCores, mac.neuralCores) == (nil, nil, nil))
    #expect(mac.memoryGigabytes == 32)
    #expect(mac.sources == ["hardware.model", "hardware.processorType", "hardware.totalRamMegabytes"])
    #expect(MacHardware(MacHardware.Report(identifier: "Mac99,1", model: " ")) == nil)
    #expect(MacHardware(MacHardware.Report()) == nil)
    #expect(MacHardware(MacHardware.Report(model: "M", memoryMegabytes: .max))?.memoryGigabytes != nil)
    #expect(MacHardware(MacHardware.Report(model: "M", memoryMegabytes: -5))?.memoryGigabytes == nil)
  }

  @Test("what a Mac reports beats what is known of its model, and that what is known of its chip")
  func order() {
    #expect(MacHardware(MacHardware.Report(identifier: "Mac16,3", cores: "9"))?.cpuCores == "9")
    #expect(MacHardware(MacHardware.Report(identifier: "Mac16,3"))?.cpuCores == "10")
    let binned = MacHardware(MacHardware.Report(identifier: "MacBookPro18,2"))
    #expect((binned?.cpuCores, binned?.gpuCores, binned?.bandwidth) == ("10", "24 or 32", "400 GB/s"))
  }

  @Test("each confidence has its words", arguments: MacHardware.Confidence.allCases)
  func confidence(confidence: MacHardware.Confidence) { #expect(!confidence.text.isEmpty) }

  @Test("the name of a model is known by its identifier, or not at all") func names() {
    #expect(AppleModelName.of("Mac14,2") == "MacBook Air (M2, 2022)")
    #expect(AppleModelName.of(" iPhone16,1 ") == "iPhone 15 Pro")
    #expect(AppleModelName.of("VirtualMac2,1") == nil)
  }
}
