internal import ForsettiModuleKit

/// The hardware of a Mac: what is known of its model, or what it reports where its model is not known.
struct MacHardware: Sendable, Hashable {
  /// What a Mac says of itself.
  struct Report: Sendable, Hashable {
    var identifier: String?
    var model: String?
    var processor: String?
    /// Cores of the processor.
    var cores: String?
    var memoryMegabytes: Int64?
  }

  /// How far it can be trusted.
  enum Confidence: Sendable, Hashable, CaseIterable {
    /// The model identifier is one that is known.
    case high
    /// It is what the Mac reports, and nothing is known besides.
    case low

    /// For people.
    var text: String {
      switch self {
      case .high: "What Apple tells of this model identifier, and what the computer reports"
      case .low: "What the computer reports; its model identifier is not known here"
      }
    }
  }

  var name: String
  var form: MacForm
  var confidence: Confidence
  /// The fields of the inventory that it was concluded from.
  var sources: [String]
  /// As Apple or the Mac calls it.
  var chip: String?
  /// A number, or for a chip of several cuts a range of them.
  var cpuCores: String?
  var gpuCores: String?
  var neuralCores: String?
  /// As `200 GB/s`.
  var bandwidth: String?
  /// Gigabytes, rounded.
  var memoryGigabytes: Int?

  /// Nothing where neither identifier nor model say what it is.
  init?(_ report: Report) {
    let known = report.identifier.flatMap { AppleMacModel(identifier: $0) }
    let chip = (known?.chip ?? report.processor).flatMap { AppleChip($0) }
    if let known {
      (name, form, confidence) = (known.name, known.form, .high)
      sources = ["hardware.modelIdentifier"]
    } else if let model = report.model?.trimmedScalars, !model.isEmpty {
      (name, form, confidence) = (model, MacForm(identifier: report.identifier, model: model), .low)
      sources = ["hardware.model"]
      if report.processor != nil { sources.append("hardware.processorType") }
      if report.memoryMegabytes != nil { sources.append("hardware.totalRamMegabytes") }
    } else {
      return nil
    }
    self.chip = report.processor ?? known?.chip
    // What this Mac reports beats what is known of its model, and that what is known of its chip.
    cpuCores = report.cores ?? known?.cpuCores.map { "\($0)" } ?? chip?.cpuCores
    gpuCores = known?.gpuCores.map { "\($0)" } ?? chip?.gpuCores
    neuralCores = chip.map { "\($0.neuralCores)" }
    bandwidth = chip.map { "\($0.bandwidth) GB/s" }
    memoryGigabytes = report.memoryMegabytes.flatMap { megabytes in
      megabytes > 0 ? Int(exactly: megabytes / 1_024 + (megabytes % 1_024 >= 512 ? 1 : 0)) : nil
    }
  }
}
