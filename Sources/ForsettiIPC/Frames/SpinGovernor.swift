/// Whether a loop, the module's or the supervisor's, should look for input a little longer before it sleeps: waking up
/// costs more than looking, where an answer comes that soon, and looking is nothing but waste where it doesn't.
///
/// Looking is worth it after a wait that was short, and no more after three in a row that brought nothing, until many
/// waits were short again. A process that is idle has slept long, and so never looks.
///
/// The limit is about twice what waking up costs on a virtual machine (23 µs, measured): while one end still sleeps the
/// other must look on for that long, or the two never get into step. Input that comes just too late each time costs one
/// look in `proof` waits, under two percent of a core.
public struct SpinGovernor: Sendable {
  /// Nanoseconds to look.
  public static let limit: Int64 = 40_000
  /// A wait of at most so many nanoseconds, waking up included, was short.
  public static let shortWait: Int64 = 100_000
  private static let patience = 3
  private static let proof = 32

  /// A core is free.
  public var isAllowed = false
  private(set) var misses = 0
  private(set) var shortWaits = 0

  /// How long to look now, in nanoseconds; 0 for not at all.
  public var budget: Int64 {
    guard isAllowed, shortWaits > 0 else { return 0 }
    return misses < Self.patience || shortWaits >= Self.proof ? Self.limit : 0
  }

  /// Makes one that never looks, until it is allowed to.
  public init() {}

  /// Looking brought input.
  public mutating func didFind() { misses = 0 }

  /// Looking brought nothing.
  public mutating func didMiss() {
    misses = min(misses + 1, Self.patience)
    if misses == Self.patience { shortWaits = 0 }
  }

  /// The process slept, from when it had nothing to do.
  public mutating func didWait(_ nanoseconds: Int64) {
    shortWaits = nanoseconds <= Self.shortWait ? min(shortWaits + 1, Self.proof) : 0
  }
}
