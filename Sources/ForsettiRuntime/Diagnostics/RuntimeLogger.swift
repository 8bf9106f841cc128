public import ForsettiCore
import Glibc
import Synchronization

/// The runtime's logger: filters by level, limits what modules write, and hands records to its sinks.
public final class RuntimeLogger: ForsettiLogger {
  /// What time it is, for stamps and for the rate limit; a test gives its own.
  public struct Clock: Sendable {
    /// Milliseconds since 1970.
    public var wall: @Sendable () -> Int64
    /// Nanoseconds that never go back.
    public var monotonic: @Sendable () -> UInt64

    /// Makes a clock.
    public init(wall: @escaping @Sendable () -> Int64, monotonic: @escaping @Sendable () -> UInt64) {
      self.wall = wall
      self.monotonic = monotonic
    }

    /// The kernel's clocks.
    public static let system = Clock(wall: wallMilliseconds, monotonic: monotonicNanoseconds)
  }

  private let minimumRank: Int
  private let sinks: [any LogSink]
  private let clock: Clock
  private let limiter: Mutex<LogRateLimiter>

  /// Makes a logger that keeps records of `level` and above.
  public init(
    level: LogLevel = .info, sinks: [any LogSink], rateLimit: LogRateLimiter = LogRateLimiter(),
    clock: Clock = .system
  ) {
    minimumRank = level.rank
    self.sinks = sinks
    self.clock = clock
    limiter = Mutex(rateLimit)
  }

  /// Whether records of this level are kept.
  public func isEnabled(_ level: LogLevel) -> Bool { level.rank >= minimumRank }

  /// Logs the supervisor's own words, which no rate limit drops.
  public func log(_ level: LogLevel, _ message: String, moduleID: String?, metadata: [String: String]) {
    guard isEnabled(level) else { return }
    write(
      LogRecord(time: clock.wall(), level: level, moduleID: moduleID, message: message, metadata: metadata))
  }

  /// Logs a module's words, unless it has written too much lately.
  public func relay(_ level: LogLevel, _ message: String, from moduleID: String, metadata: [String: String]) {
    guard isEnabled(level) else { return }
    let now = clock.monotonic()
    guard case .pass(let dropped) = limiter.withLock({ $0.admit(moduleID, now: now) }) else { return }
    report(dropped, of: moduleID)
    write(
      LogRecord(
        time: clock.wall(), level: level, origin: .module, moduleID: moduleID, message: message,
        metadata: metadata))
  }

  /// Tells what a module lost, and forgets its rate; to be called when its process has ended.
  public func forget(moduleID: String) {
    report(limiter.withLock { $0.forget(moduleID) }, of: moduleID)
  }

  private func report(_ dropped: Int, of moduleID: String) {
    guard dropped > 0, isEnabled(.warning) else { return }
    write(
      LogRecord(
        time: clock.wall(), level: .warning, moduleID: moduleID,
        message: "The module logs too much: lines were dropped", metadata: ["dropped": "\(dropped)"]))
  }

  private func write(_ record: LogRecord) {
    for sink in sinks { sink.write(record) }
  }
}

/// Milliseconds since 1970 (CLOCK_REALTIME), from any thread.
public func wallMilliseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Int64(time.tv_sec) &* 1_000 &+ Int64(time.tv_nsec) / 1_000_000
}
