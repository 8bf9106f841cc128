internal import ForsettiModuleKit

/// What is known of phones and tablets by their model identifier.
struct AppleMobileModel: Sendable, Hashable {
  var name: String
  var chip: String
  /// Gigabytes of memory, where every device of the model has as many.
  private var memory: Int?

  private static let table: [String: AppleMobileModel] = [
    "iPhone12,1": AppleMobileModel("iPhone 11", "A13 Bionic", 4),
    "iPhone12,3": AppleMobileModel("iPhone 11 Pro", "A13 Bionic", 4),
    "iPhone12,5": AppleMobileModel("iPhone 11 Pro Max", "A13 Bionic", 4),
    "iPhone13,1": AppleMobileModel("iPhone 12 mini", "A14 Bionic", 4),
    "iPhone13,2": AppleMobileModel("iPhone 12", "A14 Bionic", 4),
    "iPhone13,3": AppleMobileModel("iPhone 12 Pro", "A14 Bionic", 6),
    "iPhone13,4": AppleMobileModel("iPhone 12 Pro Max", "A14 Bionic", 6),
    "iPhone14,4": AppleMobileModel("iPhone 13 mini", "A15 Bionic", 4),
    "iPhone14,5": AppleMobileModel("iPhone 13", "A15 Bionic", 4),
    "iPhone14,2": AppleMobileModel("iPhone 13 Pro", "A15 Bionic", 6),
    "iPhone14,3": AppleMobileModel("iPhone 13 Pro Max", "A15 Bionic", 6),
    "iPhone14,6": AppleMobileModel("iPhone SE (3rd generation)", "A15 Bionic", 4),
    "iPhone14,7": AppleMobileModel("iPhone 14", "A15 Bionic", 6),
    "iPhone14,8": AppleMobileModel("iPhone 14 Plus", "A15 Bionic", 6),
    "iPhone15,2": AppleMobileModel("iPhone 14 Pro", "A16 Bionic", 6),
    "iPhone15,3": AppleMobileModel("iPhone 14 Pro Max", "A16 Bionic", 6),
    "iPhone15,4": AppleMobileModel("iPhone 15", "A16 Bionic", 6),
    "iPhone15,5": AppleMobileModel("iPhone 15 Plus", "A16 Bionic", 6),
    "iPhone16,1": AppleMobileModel("iPhone 15 Pro", "A17 Pro", 8),
    "iPhone16,2": AppleMobileModel("iPhone 15 Pro Max", "A17 Pro", 8),
    "iPhone17,1": AppleMobileModel("iPhone 16 Pro", "A18 Pro", 8),
    "iPhone17,2": AppleMobileModel("iPhone 16 Pro Max", "A18 Pro", 8),
    "iPhone17,3": AppleMobileModel("iPhone 16", "A18", 8),
    "iPhone17,4": AppleMobileModel("iPhone 16 Plus", "A18", 8),
    "iPad13,18": AppleMobileModel("iPad (10th generation)", "A14 Bionic", 4),
    "iPad13,19": AppleMobileModel("iPad (10th generation)", "A14 Bionic", 4),
    "iPad14,1": AppleMobileModel("iPad mini (6th generation)", "A15 Bionic", 4),
    "iPad14,2": AppleMobileModel("iPad mini (6th generation)", "A15 Bionic", 4),
    "iPad13,16": AppleMobileModel("iPad Air (5th generation)", "M1", 8),
    "iPad13,17": AppleMobileModel("iPad Air (5th generation)", "M1", 8),
    "iPad14,8": AppleMobileModel("iPad Air 11-inch (M2)", "M2", 8),
    "iPad14,9": AppleMobileModel("iPad Air 11-inch (M2)", "M2", 8),
    "iPad14,10": AppleMobileModel("iPad Air 13-inch (M2)", "M2", 8),
    "iPad14,11": AppleMobileModel("iPad Air 13-inch (M2)", "M2", 8),
    "iPad16,3": AppleMobileModel("iPad Pro 11-inch (M4)", "M4", nil),
    "iPad16,4": AppleMobileModel("iPad Pro 11-inch (M4)", "M4", nil),
    "iPad16,5": AppleMobileModel("iPad Pro 13-inch (M4)", "M4", nil),
    "iPad16,6": AppleMobileModel("iPad Pro 13-inch (M4)", "M4", nil),
  ]

  /// Finds a model; nothing for one that isn't known.
  init?(identifier: String) {
    guard let model = Self.table[identifier.trimmedScalars] else { return nil }
    self = model
  }

  private init(_ name: String, _ chip: String, _ memory: Int?) {
    (self.name, self.chip, self.memory) = (name, chip, memory)
  }

  /// Gigabytes of memory. An iPad Pro with an M4 has more from 1 TB of storage on.
  func memoryGigabytes(capacityMegabytes: Int64?) -> Int? {
    if let memory { return memory }
    return capacityMegabytes.map { $0 >= 768_000 ? 16 : 8 }
  }
}
