internal import ForsettiModuleKit

/// What Apple tells of a Mac by its model identifier. Cores are told where every Mac of the model has as many.
struct AppleMacModel: Sendable, Hashable {
  var name: String
  /// As `AppleChip` knows it.
  var chip: String
  var form: MacForm
  var cpuCores: Int?
  var gpuCores: Int?

  private static let air = "MacBook Air", pro = "MacBook Pro", mini = "Mac mini", studio = "Mac Studio"

  private static let table: [String: AppleMacModel] = [
    "MacBookAir10,1": portable("\(air) (M1, 2020)", "M1", cpu: 8),
    "MacBookPro17,1": portable("\(pro) (13-inch, M1, 2020)", "M1", cpu: 8, gpu: 8),
    "Macmini9,1": desktop("\(mini) (M1, 2020)", "M1", cpu: 8, gpu: 8),
    "iMac21,1": desktop("iMac (24-inch, M1, 2021)", "M1", cpu: 8),
    "iMac21,2": desktop("iMac (24-inch, M1, 2021)", "M1", cpu: 8),
    "MacBookPro18,1": portable("\(pro) (16-inch, 2021)", "M1 Pro"),
    "MacBookPro18,2": portable("\(pro) (16-inch, 2021)", "M1 Max"),
    "MacBookPro18,3": portable("\(pro) (14-inch, 2021)", "M1 Pro"),
    "MacBookPro18,4": portable("\(pro) (14-inch, 2021)", "M1 Max"),
    "Mac13,1": desktop("\(studio) (2022)", "M1 Max"),
    "Mac13,2": desktop("\(studio) (2022)", "M1 Ultra"),
    "Mac14,2": portable("\(air) (M2, 2022)", "M2", cpu: 8),
    "Mac14,3": desktop("\(mini) (2023)", "M2", cpu: 8, gpu: 10),
    "Mac14,5": portable("\(pro) (14-inch, 2023)", "M2 Max"),
    "Mac14,6": portable("\(pro) (16-inch, 2023)", "M2 Max"),
    "Mac14,7": portable("\(pro) (13-inch, M2, 2022)", "M2", cpu: 8, gpu: 10),
    "Mac14,8": desktop("Mac Pro (2023)", "M2 Ultra"),
    "Mac14,9": portable("\(pro) (14-inch, 2023)", "M2 Pro"),
    "Mac14,10": portable("\(pro) (16-inch, 2023)", "M2 Pro"),
    "Mac14,12": desktop("\(mini) (2023)", "M2 Pro"),
    "Mac14,13": desktop("\(studio) (2023)", "M2 Max"),
    "Mac14,14": desktop("\(studio) (2023)", "M2 Ultra"),
    "Mac14,15": portable("\(air) (15-inch, M2, 2023)", "M2", cpu: 8, gpu: 10),
    "Mac15,3": portable("\(pro) (14-inch, Nov 2023)", "M3", cpu: 8, gpu: 10),
    "Mac15,4": desktop("iMac (24-inch, 2023)", "M3", cpu: 8, gpu: 8),
    "Mac15,5": desktop("iMac (24-inch, 2023)", "M3", cpu: 8, gpu: 10),
    "Mac15,6": portable("\(pro) (14-inch, Nov 2023)", "M3 Pro"),
    "Mac15,7": portable("\(pro) (16-inch, Nov 2023)", "M3 Pro"),
    "Mac15,8": portable("\(pro) (14-inch, Nov 2023)", "M3 Max"),
    "Mac15,9": portable("\(pro) (16-inch, Nov 2023)", "M3 Max"),
    "Mac15,10": portable("\(pro) (14-inch, Nov 2023)", "M3 Max"),
    "Mac15,11": portable("\(pro) (16-inch, Nov 2023)", "M3 Max"),
    "Mac15,12": portable("\(air) (13-inch, M3, 2024)", "M3", cpu: 8),
    "Mac15,13": portable("\(air) (15-inch, M3, 2024)", "M3", cpu: 8, gpu: 10),
    "Mac15,14": desktop("\(studio) (2025)", "M3 Ultra"),
    "Mac16,1": portable("\(pro) (14-inch, 2024)", "M4", cpu: 10, gpu: 10),
    "Mac16,2": desktop("iMac (24-inch, 2024)", "M4", cpu: 8, gpu: 8),
    "Mac16,3": desktop("iMac (24-inch, 2024)", "M4", cpu: 10, gpu: 10),
    "Mac16,5": portable("\(pro) (16-inch, 2024)", "M4 Max"),
    "Mac16,6": portable("\(pro) (14-inch, 2024)", "M4 Max"),
    "Mac16,7": portable("\(pro) (16-inch, 2024)", "M4 Pro"),
    "Mac16,8": portable("\(pro) (14-inch, 2024)", "M4 Pro"),
    "Mac16,9": desktop("\(studio) (2025)", "M4 Max"),
    "Mac16,10": desktop("\(mini) (2024)", "M4", cpu: 10, gpu: 10),
    "Mac16,11": desktop("\(mini) (2024)", "M4 Pro"),
    "Mac16,12": portable("\(air) (13-inch, M4, 2025)", "M4", cpu: 10),
    "Mac16,13": portable("\(air) (15-inch, M4, 2025)", "M4", cpu: 10, gpu: 10),
  ]

  /// Every identifier that is known, sorted.
  static var identifiers: [String] { table.keys.sorted() }

  /// Finds a model; nothing for one that isn't known.
  init?(identifier: String) {
    guard let model = Self.table[identifier.trimmedScalars] else { return nil }
    self = model
  }

  private init(_ name: String, _ chip: String, _ form: MacForm, _ cpu: Int?, _ gpu: Int?) {
    (self.name, self.chip, self.form, cpuCores, gpuCores) = (name, chip, form, cpu, gpu)
  }

  private static func portable(_ name: String, _ chip: String, cpu: Int? = nil, gpu: Int? = nil) -> Self {
    Self(name, chip, .portable, cpu, gpu)
  }

  private static func desktop(_ name: String, _ chip: String, cpu: Int? = nil, gpu: Int? = nil) -> Self {
    Self(name, chip, .desktop, cpu, gpu)
  }
}

/// What Apple calls its devices.
enum AppleModelName {
  /// The name of a Mac, phone or tablet by its model identifier; nothing for one that isn't known.
  static func of(_ identifier: String) -> String? {
    AppleMacModel(identifier: identifier)?.name ?? AppleMobileModel(identifier: identifier)?.name
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
