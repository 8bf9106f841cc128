internal import ForsettiModuleKit

/// What Apple tells of its chips beyond what an inventory reports. A chip that is sold in several cuts has ranges, for
/// people to read; what is not known for certain is left out.
struct AppleChip: Sendable, Hashable {
  /// As Apple calls it, without its own name: `M2 Max`.
  var name: String
  var cpuCores: String
  var gpuCores: String
  var neuralCores: Int
  /// Gigabytes of memory that it reads in a second.
  var bandwidth: String

  private static let table: [String: AppleChip] = [
    "m1": AppleChip("M1", cpu: "8", gpu: "7 or 8", bandwidth: "68"),
    "m1 pro": AppleChip("M1 Pro", cpu: "8 or 10", gpu: "14 or 16", bandwidth: "200"),
    "m1 max": AppleChip("M1 Max", cpu: "10", gpu: "24 or 32", bandwidth: "400"),
    "m1 ultra": AppleChip("M1 Ultra", cpu: "20", gpu: "48 or 64", neural: 32, bandwidth: "800"),
    "m2": AppleChip("M2", cpu: "8", gpu: "8 or 10", bandwidth: "100"),
    "m2 pro": AppleChip("M2 Pro", cpu: "10 or 12", gpu: "16 or 19", bandwidth: "200"),
    "m2 max": AppleChip("M2 Max", cpu: "12", gpu: "30 or 38", bandwidth: "400"),
    "m2 ultra": AppleChip("M2 Ultra", cpu: "24", gpu: "60 or 76", neural: 32, bandwidth: "800"),
    "m3": AppleChip("M3", cpu: "8", gpu: "8 or 10", bandwidth: "100"),
    "m3 pro": AppleChip("M3 Pro", cpu: "11 or 12", gpu: "14 or 18", bandwidth: "150"),
    "m3 max": AppleChip("M3 Max", cpu: "14 or 16", gpu: "30 or 40", bandwidth: "300 or 400"),
    "m3 ultra": AppleChip("M3 Ultra", cpu: "28 or 32", gpu: "60 or 80", neural: 32, bandwidth: "819"),
    "m4": AppleChip("M4", cpu: "8 to 10", gpu: "up to 10", bandwidth: "120"),
    "m4 pro": AppleChip("M4 Pro", cpu: "12 or 14", gpu: "16 or 20", bandwidth: "273"),
    "m4 max": AppleChip("M4 Max", cpu: "14 or 16", gpu: "32 or 40", bandwidth: "410 or 546"),
  ]

  private static let cuts: Set<Substring> = ["pro", "max", "ultra"]

  /// Finds a chip by its name, wherever that stands in a text: `Apple M2 Max`. Nothing for one that isn't known, or isn't
  /// Apple's.
  init?(_ text: String) {
    let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
    // Intel has had an m3 too.
    guard !words.contains("intel"), let place = words.firstIndex(where: Self.isFamily) else { return nil }
    // "M4" is no name of an "M4 Max": with its cut it is another chip.
    let cut = words.dropFirst(place + 1).first.flatMap { Self.cuts.contains($0) ? " \($0)" : nil }
    guard let chip = Self.table[words[place] + (cut ?? "")] else { return nil }
    self = chip
  }

  private static func isFamily(_ word: Substring) -> Bool {
    word.first == "m" && word.count > 1 && word.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
  }

  private init(_ name: String, cpu: String, gpu: String, neural: Int = 16, bandwidth: String) {
    (self.name, cpuCores, gpuCores, neuralCores, self.bandwidth) = (name, cpu, gpu, neural, bandwidth)
  }
}
