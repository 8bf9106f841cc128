/// Whether a module's executor still turns: a value that says when to ask and when to give up. It counts looks that the
/// supervisor itself makes, not time that passes: a supervisor that was stopped, or had no processor, makes one late look
/// where it would have made many, and so blames nobody for its own absence.
public struct Heartbeat: Sendable, Hashable {
  /// Looks in a row without an answer that end a module; so many share the policy's timeout.
  public static let looks = 4

  /// What follows from a look.
  public enum Action: Sendable, Hashable {
    /// Ask, and look again after so many milliseconds.
    case ping(lookAfterMilliseconds: Int)
    /// Only look again.
    case look(afterMilliseconds: Int)
    /// It has not answered for so long.
    case lost(milliseconds: Int)
  }

  private enum State: Hashable {
    /// Not asked, or not since it answered.
    case resting
    /// Asked at this many looks ago; looks that do not count are beside.
    case asked(looks: Int, spared: Int)
    /// It answered since it was asked.
    case answered
  }

  private let policy: HeartbeatPolicy
  private var state = State.resting

  /// Begins; the first look is due after `firstLookMilliseconds`.
  public init(_ policy: HeartbeatPolicy) { self.policy = policy }

  /// When to look first, milliseconds.
  public var firstLookMilliseconds: Int { policy.intervalMilliseconds }

  private var step: Int { max(1, policy.timeoutMilliseconds / Self.looks) }

  /// Looks, when it is due.
  /// - Parameter wasHeldUp: whether the supervisor itself made the module wait since the last look. As many such looks as
  ///   others are not held against it: a module that calls without end can't hide behind them.
  public mutating func look(wasHeldUp: Bool = false) -> Action {
    switch state {
    case .resting: return ask()
    case .answered:
      state = .resting
      let rest = policy.intervalMilliseconds - step
      return rest > 0 ? .look(afterMilliseconds: rest) : ask()
    case .asked(let looks, let spared) where wasHeldUp && spared < Self.looks:
      state = .asked(looks: looks, spared: spared + 1)
    case .asked(let looks, let spared):
      guard looks + 1 < Self.looks else { return .lost(milliseconds: policy.timeoutMilliseconds) }
      state = .asked(looks: looks + 1, spared: spared)
    }
    return .look(afterMilliseconds: step)
  }

  private mutating func ask() -> Action {
    state = .asked(looks: 0, spared: 0)
    return .ping(lookAfterMilliseconds: step)
  }

  /// The question could be put only now: the time for its answer begins anew.
  public mutating func askedLate() { state = .asked(looks: 0, spared: 0) }

  /// Takes an answer; false where none was asked for.
  public mutating func takeAnswer() -> Bool {
    guard case .asked = state else { return false }
    state = .answered
    return true
  }
}
