internal import ForsettiModuleKit

/// What of a device is told at a glance.
struct DeviceSummary: Sendable, Hashable {
  /// One thing that keeps a device safe, or does not.
  struct Indicator: Sendable, Hashable {
    var title: String
    var state: String
    var tone: ViewTone
  }

  struct Fact: Sendable, Hashable {
    var label: String
    var value: String
  }

  var security: [Indicator]
  var hardware: [Fact]
  /// How much of the storage is used, 0 to 1.
  var storageUse: Double?
}

/// How a value of the inventory is judged.
struct SecurityRule: Sendable {
  enum Judgement: Sendable {
    /// On is good.
    case protects
    /// On is neither good nor bad.
    case neutral
    /// On is bad.
    case endangers
    /// Good and middling values; others are bad.
    case oneOf(good: [String], middling: [String])
    /// Whatever it is, it is told.
    case informs
  }

  var title: String
  var key: String
  var judgement: Judgement

  init(_ title: String, _ key: String, _ judgement: Judgement) {
    (self.title, self.key, self.judgement) = (title, key, judgement)
  }

  /// What is told of a device; one that reported nothing is neither good nor bad.
  func indicator(of record: InventoryRecord) -> DeviceSummary.Indicator {
    guard let value = record[key] else {
      return DeviceSummary.Indicator(title: title, state: "Not reported", tone: .neutral)
    }
    let (state, tone): (String, ViewTone) =
      switch (judgement, value.lowercased()) {
      case (.protects, "true"): ("On", .success)
      case (.protects, "false"): ("Off", .error)
      case (.endangers, "true"): ("Yes", .error)
      case (.endangers, "false"): ("No", .success)
      case (.neutral, "true"): ("On", .neutral)
      case (.neutral, "false"): ("Off", .neutral)
      case (.oneOf(let good, _), _) where good.contains(value): (FieldText.shown(value), .success)
      case (.oneOf(_, let middling), _) where middling.contains(value): (FieldText.shown(value), .warning)
      case (.oneOf, _): (FieldText.shown(value), .error)
      case (.informs, _): (FieldText.shown(value), .info)
      default: (FieldText.shown(value), .neutral)
      }
    return DeviceSummary.Indicator(title: title, state: state, tone: tone)
  }
}

/// Figures of hardware as people read them.
enum HardwareText {
  /// How much of a storage is used, 0 to 1. What the device says of itself counts before what can be reckoned.
  static func use(total: Int64?, free: Int64?, reportedPercent: Int64?) -> Double? {
    if let percent = reportedPercent, 0...100 ~= percent { return Double(percent) / 100 }
    guard let total, let free, total > 0, free >= 0 else { return nil }
    return max(0, 1 - Double(free) / Double(total))
  }

  /// The battery: a figure is one, whatever the model seems to be.
  static func battery(percent: Int64?, form: MacForm) -> String {
    if let percent, 0...100 ~= percent { return "\(percent) %" }
    return form == .desktop ? "Not applicable" : "Not reported"
  }

  /// `32.0 GB` of megabytes; nothing where they are not known.
  static func memory(megabytes: Int64?) -> String? {
    guard let megabytes, megabytes > 0 else { return nil }
    return "\(FieldText.oneDecimal(Double(megabytes) / 1_024)) GB"
  }
}
