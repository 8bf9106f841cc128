internal import ForsettiModuleKit

/// What is known of Apple's chips beyond what an inventory reports. A chip of which makers sell several cuts has ranges,
/// for people to read; what is not known for certain is left out.
struct AppleChip: Sendable, Hashable {
  var cpuCores: String?
  var gpuCores: String?
  var neuralCores: String?

  private static let table: [String: AppleChip] = [
    "m1 max": AppleChip(cpuCores: "10", gpuCores: "24 or 32", neuralCores: "16"),
    "m1 ultra": AppleChip(neuralCores: "32"),
    "m2 max": AppleChip(cpuCores: "12", gpuCores: "30 or 38", neuralCores: "16"),
    "m2 ultra": AppleChip(neuralCores: "32"),
    "m3 pro": AppleChip(cpuCores: "11 or 12", gpuCores: "14 or 18"),
    "m3 ultra": AppleChip(neuralCores: "32"),
    "m4": AppleChip(gpuCores: "up to 10"),
  ]

  /// Finds a chip by its name, as `Apple M2 Max`; nothing for one that isn't known, or isn't Apple's.
  init?(_ name: String) {
    let words = name.lowercased().split(separator: " ").filter { $0 != "apple" }.prefix(3)
    // "M4" is no word of "M4 Max": the name counts as a whole.
    guard let chip = Self.table[words.joined(separator: " ")] else { return nil }
    self = chip
  }

  private init(cpuCores: String? = nil, gpuCores: String? = nil, neuralCores: String? = nil) {
    (self.cpuCores, self.gpuCores, self.neuralCores) = (cpuCores, gpuCores, neuralCores)
  }
}

/// What is known of phones and tablets by their model identifier.
struct AppleMobileModel: Sendable, Hashable {
  var name: String
  var chip: String

  private static let table: [String: AppleMobileModel] = [
    "iPhone16,1": AppleMobileModel(name: "iPhone 15 Pro", chip: "A17 Pro"),
    "iPad16,3": AppleMobileModel(name: "iPad Pro 11-inch (M4)", chip: "M4"),
    "iPad16,4": AppleMobileModel(name: "iPad Pro 11-inch (M4)", chip: "M4"),
    "iPad16,5": AppleMobileModel(name: "iPad Pro 13-inch (M4)", chip: "M4"),
    "iPad16,6": AppleMobileModel(name: "iPad Pro 13-inch (M4)", chip: "M4"),
  ]

  /// Finds a model; nothing for one that isn't known.
  init?(identifier: String) {
    guard let model = Self.table[identifier.trimmedScalars] else { return nil }
    self = model
  }

  private init(name: String, chip: String) {
    (self.name, self.chip) = (name, chip)
  }

  /// Gigabytes of memory. Of these models only those with an M4 are known, which have more from 1 TB of storage on.
  func memoryGigabytes(capacityMegabytes: Int64?) -> Int? {
    guard chip == "M4", let capacityMegabytes else { return nil }
    return capacityMegabytes >= 768_000 ? 16 : 8
  }
}

/// Whether a Mac runs on a battery.
enum MacForm: Sendable, Hashable {
  case portable, desktop, unknown

  /// Tells it by the words of identifier and model, of which newer identifiers have none.
  init(identifier: String?, model: String?) {
    let words = [identifier, model].compactMap { $0?.lowercased() }.joined(separator: " ")
    let desktops = ["imac", "mac mini", "macmini", "mac studio", "macstudio", "mac pro", "macpro"]
    if words.contains("macbook") {
      self = .portable
    } else {
      self = desktops.contains { words.contains($0) } ? .desktop : .unknown
    }
  }
}
