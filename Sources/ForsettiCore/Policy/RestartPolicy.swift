/// What happens after a module process ended without having been asked to.
public struct RestartPolicy: Sendable, Hashable {
  /// When a module is started again, in the words of Erlang/OTP's supervisors.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// After every end.
    case permanent
    /// After a crash, not after a clean exit.
    case transient
    /// Never.
    case temporary
  }

  /// What a restart takes along, as the strategies of Erlang/OTP's supervisors do.
  public enum Strategy: String, Sendable, Hashable, CaseIterable {
    /// This module alone: `one_for_one`.
    case one
    /// Whoever requires what it provides, too: `rest_for_one`, by requirement instead of order.
    case dependents
    /// Every module: `one_for_all`.
    case all
  }

  /// What lets a module out of quarantine besides a person's activation, which always does.
  public enum QuarantineEnd: String, Sendable, Hashable, CaseIterable {
    /// A person's reset alone.
    case reset
    /// A new start of the supervisor too.
    case supervisorStart
  }

  /// The numbers of a restart policy; raw values are the keys of the file.
  public enum Number: String, Sendable, Hashable, CaseIterable {
    case backoffFirstMilliseconds, backoffMaximumMilliseconds, restarts, withinMilliseconds,
      stableMilliseconds

    /// What a policy may ask.
    public var range: ClosedRange<Int64> {
      switch self {
      case .backoffFirstMilliseconds: 1...600_000
      case .backoffMaximumMilliseconds: 1...3_600_000
      case .restarts: 0...1_000
      case .withinMilliseconds: 1_000...86_400_000
      case .stableMilliseconds: 1_000...86_400_000
      }
    }
  }

  /// When a module is started again.
  public var kind: Kind
  /// What its restart takes along.
  public var strategy: Strategy
  /// What ends a quarantine.
  public var quarantineEnds: QuarantineEnd
  /// Upper bound of the first wait; each further one doubles it, the wait itself is drawn below the bound.
  public var backoffFirstMilliseconds: Int
  /// Where the doubling ends.
  public var backoffMaximumMilliseconds: Int
  /// More restarts than this within `withinMilliseconds` put the module into quarantine.
  public var restarts: Int
  /// The time within which restarts are counted.
  public var withinMilliseconds: Int
  /// A module that ran this long counts as healthy again: its backoff starts anew.
  public var stableMilliseconds: Int

  /// Makes a policy; the defaults give a flaky module five chances a minute.
  public init(
    kind: Kind = .transient, strategy: Strategy = .one, quarantineEnds: QuarantineEnd = .reset,
    backoffFirstMilliseconds: Int = 100, backoffMaximumMilliseconds: Int = 30_000, restarts: Int = 5,
    withinMilliseconds: Int = 60_000, stableMilliseconds: Int = 60_000
  ) {
    self.kind = kind
    self.strategy = strategy
    self.quarantineEnds = quarantineEnds
    self.backoffFirstMilliseconds = backoffFirstMilliseconds
    self.backoffMaximumMilliseconds = backoffMaximumMilliseconds
    self.restarts = restarts
    self.withinMilliseconds = withinMilliseconds
    self.stableMilliseconds = stableMilliseconds
  }

  /// A number by its name in the file.
  public subscript(number: Number) -> Int {
    get {
      switch number {
      case .backoffFirstMilliseconds: backoffFirstMilliseconds
      case .backoffMaximumMilliseconds: backoffMaximumMilliseconds
      case .restarts: restarts
      case .withinMilliseconds: withinMilliseconds
      case .stableMilliseconds: stableMilliseconds
      }
    }
    set {
      switch number {
      case .backoffFirstMilliseconds: backoffFirstMilliseconds = newValue
      case .backoffMaximumMilliseconds: backoffMaximumMilliseconds = newValue
      case .restarts: restarts = newValue
      case .withinMilliseconds: withinMilliseconds = newValue
      case .stableMilliseconds: stableMilliseconds = newValue
      }
    }
  }
}

/// What a rule or the defaults of a policy say of restarts; what is absent falls to the next weaker word.
public struct RestartSettings: Sendable, Hashable {
  /// When a module is started again.
  public var kind: RestartPolicy.Kind?
  /// What a restart takes along.
  public var strategy: RestartPolicy.Strategy?
  /// What ends a quarantine.
  public var quarantineEnds: RestartPolicy.QuarantineEnd?
  /// Numbers that differ.
  public var numbers: [RestartPolicy.Number: Int]

  /// Makes settings; the default says nothing.
  public init(
    kind: RestartPolicy.Kind? = nil, strategy: RestartPolicy.Strategy? = nil,
    quarantineEnds: RestartPolicy.QuarantineEnd? = nil,
    numbers: [RestartPolicy.Number: Int] = [:]
  ) {
    self.kind = kind
    self.strategy = strategy
    self.quarantineEnds = quarantineEnds
    self.numbers = numbers
  }
}

extension RestartPolicy {
  /// This policy, with what the settings say in place of its own.
  func changed(by settings: RestartSettings) -> RestartPolicy {
    var changed = self
    if let kind = settings.kind { changed.kind = kind }
    if let strategy = settings.strategy { changed.strategy = strategy }
    if let end = settings.quarantineEnds { changed.quarantineEnds = end }
    for (number, value) in settings.numbers { changed[number] = value }
    return changed
  }
}
