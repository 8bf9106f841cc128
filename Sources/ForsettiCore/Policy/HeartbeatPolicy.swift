/// How a module is asked whether its executor still turns.
public struct HeartbeatPolicy: Sendable, Hashable {
  /// The numbers of a heartbeat; raw values are the keys of the file.
  public enum Number: String, Sendable, Hashable, CaseIterable {
    case intervalMilliseconds, timeoutMilliseconds

    /// What a policy may ask.
    public var range: ClosedRange<Int64> {
      switch self {
      case .intervalMilliseconds: 100...3_600_000
      case .timeoutMilliseconds: 100...600_000
      }
    }
  }

  /// Whether it is asked at all.
  public var isEnabled: Bool
  /// From one question to the next.
  public var intervalMilliseconds: Int
  /// How long an answer may take before the module is ended.
  public var timeoutMilliseconds: Int

  /// Makes a policy. With the defaults a thousand idle modules cost the supervisor less than a hundredth of a core, and
  /// nobody is ended for one slow piece of work.
  public init(isEnabled: Bool = true, intervalMilliseconds: Int = 5_000, timeoutMilliseconds: Int = 15_000) {
    self.isEnabled = isEnabled
    self.intervalMilliseconds = intervalMilliseconds
    self.timeoutMilliseconds = timeoutMilliseconds
  }
}

/// What a rule or the defaults of a policy say of heartbeats; what is absent falls to the next weaker word.
public struct HeartbeatSettings: Sendable, Hashable {
  /// Whether modules are asked at all.
  public var isEnabled: Bool?
  /// Numbers that differ.
  public var numbers: [HeartbeatPolicy.Number: Int]

  /// Makes settings; the default says nothing.
  public init(isEnabled: Bool? = nil, numbers: [HeartbeatPolicy.Number: Int] = [:]) {
    self.isEnabled = isEnabled
    self.numbers = numbers
  }
}

extension HeartbeatPolicy {
  /// This policy, with what the settings say in place of its own.
  func changed(by settings: HeartbeatSettings) -> HeartbeatPolicy {
    HeartbeatPolicy(
      isEnabled: settings.isEnabled ?? isEnabled,
      intervalMilliseconds: settings.numbers[.intervalMilliseconds] ?? intervalMilliseconds,
      timeoutMilliseconds: settings.numbers[.timeoutMilliseconds] ?? timeoutMilliseconds)
  }
}

extension Policy {
  /// Heartbeat of a module.
  public func heartbeat(for moduleID: String, origin: ModuleOrigin = .builtIn) -> HeartbeatPolicy {
    rules(for: moduleID, origin: origin).reversed().reduce(heartbeatDefaults) { $0.changed(by: $1.heartbeat) }
  }
}

extension PolicyReader {
  mutating func heartbeat(_ node: PolicyNode) -> HeartbeatSettings {
    var settings = HeartbeatSettings()
    guard let object = object(node, .heartbeat) else { return settings }
    settings.isEnabled = object["enabled"].flatMap { boolean($0) }
    for number in HeartbeatPolicy.Number.allCases {
      guard let value = object[number.rawValue].flatMap({ integer($0, in: number.range) }) else { continue }
      settings.numbers[number] = Int(value)
    }
    return settings
  }
}
