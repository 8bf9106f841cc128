internal import ForsettiModuleKit

/// What is known of a device's hardware beyond its record.
enum SupportHardware {
  /// Facts for the page of a device; none of a model that isn't known and says nothing of its chip.
  static func facts(_ kind: SupportDeviceKind, _ record: JSONValue) -> [SupportDetail.Fact] {
    let facts = kind == .computer ? computer(record["hardware"]) : mobileDevice(record["ios"])
    return facts.compactMap { label, value in value.map { SupportDetail.Fact(label: label, value: $0) } }
  }

  private static func computer(_ hardware: JSONValue?) -> [(String, String?)] {
    guard let hardware,
      let known = MacHardware(
        MacHardware.Report(
          identifier: hardware.supportText("modelIdentifier"), model: hardware.supportText("model"),
          processor: hardware.supportText("processorType"),
          cores: hardware["coreCount"]?.integerValue.map { "\($0)" }))
    else { return [] }
    return [
      ("Chip", known.chip), ("CPU cores", known.cpuCores), ("GPU cores", known.gpuCores),
      ("Neural Engine cores", known.neuralCores), ("Memory bandwidth", known.bandwidth),
    ]
  }

  private static func mobileDevice(_ hardware: JSONValue?) -> [(String, String?)] {
    guard let hardware,
      let model = hardware.supportText("modelIdentifier").flatMap({ AppleMobileModel(identifier: $0) })
    else { return [] }
    let memory = model.memoryGigabytes(capacityMegabytes: hardware["capacityMb"]?.integerValue)
    return [("Chip", model.chip), ("Memory", memory.map { "\($0) GB" })]
  }
}
