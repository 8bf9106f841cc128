/// How much a module may send in the long run. What is not set is not limited, but for log lines, which have a limit of
/// the runtime's own. After a rest a second's worth may come at once.
public struct ModuleRates: Sendable, Hashable {
  /// The numbers of the rates; raw values are the keys of the file.
  public enum Name: String, Sendable, Hashable, CaseIterable {
    case callsPerSecond, eventsPerSecond, bytesPerSecond, logLinesPerSecond

    /// What a policy may ask.
    public var range: ClosedRange<Int64> {
      switch self {
      case .callsPerSecond, .eventsPerSecond, .logLinesPerSecond: 1...1_000_000
      case .bytesPerSecond: 1_024...1_099_511_627_776
      }
    }
  }

  private var values: [Name: Int] = [:]

  /// Makes rates; nothing is limited.
  public init() {}

  /// A rate by its name in the file; `nil` where there is none.
  public subscript(name: Name) -> Int? {
    get { values[name] }
    set { values[name] = newValue }
  }
}

extension Policy {
  /// Rates of a module.
  public func rates(for moduleID: String, origin: ModuleOrigin = .builtIn) -> ModuleRates {
    var rates = rateDefaults
    for rule in rules(for: moduleID, origin: origin).reversed() {
      for (name, value) in rule.rates { rates[name] = value }
    }
    return rates
  }
}
