public import ForsettiCore
public import ForsettiRuntime

/// A logger that nobody reads.
public struct SilentLogger: ForsettiLogger {
  /// Makes one.
  public init() {}

  /// Nothing is.
  public func isEnabled(_ level: LogLevel) -> Bool { false }

  /// Drops it.
  public func log(_ level: LogLevel, _ message: String, moduleID: String?, metadata: [String: String]) {}

  /// Drops it.
  public func relay(
    _ level: LogLevel, _ message: String, from moduleID: String, metadata: [String: String]
  ) {}

  /// Knows of none.
  public func forget(moduleID: String) {}
}
