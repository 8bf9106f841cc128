/// How long each phase of a module process may take, in milliseconds; past it the process is ended.
public struct PhaseDeadlines: Sendable, Hashable {
  /// The phases a policy gives a deadline; raw values are the keys of the file.
  public enum Name: String, Sendable, Hashable, CaseIterable {
    case lockdown, describe, start, stop
    /// From SIGTERM to SIGKILL.
    case terminate
  }

  /// What a policy may ask: long enough to be met on a busy machine, short enough that a boot ends.
  public static let range: ClosedRange<Int64> = 10...600_000

  /// From spawn to the `locked` frame.
  public var lockdown: Int
  /// From `release` to the `describe` frame.
  public var describe: Int
  /// From `start` to `started`.
  public var start: Int
  /// From `stop` to the end of the process, before SIGTERM.
  public var stop: Int
  /// From SIGTERM to SIGKILL.
  public var terminate: Int

  /// Makes deadlines; the defaults suit a loaded small machine.
  public init(
    lockdown: Int = 5_000, describe: Int = 5_000, start: Int = 10_000, stop: Int = 5_000,
    terminate: Int = 1_000
  ) {
    self.lockdown = lockdown
    self.describe = describe
    self.start = start
    self.stop = stop
    self.terminate = terminate
  }

  /// The deadline of a phase, milliseconds.
  public subscript(phase: ModulePhase) -> Int {
    switch phase {
    case .lockdown: lockdown
    case .describe: describe
    case .start: start
    case .stop: stop
    }
  }

  /// A deadline by its name in the file, milliseconds.
  public subscript(named name: Name) -> Int {
    get {
      switch name {
      case .lockdown: lockdown
      case .describe: describe
      case .start: start
      case .stop: stop
      case .terminate: terminate
      }
    }
    set {
      switch name {
      case .lockdown: lockdown = newValue
      case .describe: describe = newValue
      case .start: start = newValue
      case .stop: stop = newValue
      case .terminate: terminate = newValue
      }
    }
  }
}
