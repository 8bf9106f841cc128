public import ForsettiCore

/// One line of the runtime's log.
public struct LogRecord: Sendable, Hashable {
  /// Whose words the message is.
  public enum Origin: String, Sendable, Hashable {
    /// The supervisor's, perhaps about a module.
    case supervisor
    /// The module's own, by its logger or on its stdout or stderr: hostile text, rate-limited.
    case module
  }

  /// Milliseconds since 1970 (CLOCK_REALTIME).
  public var time: Int64
  /// How much it weighs.
  public var level: LogLevel
  /// Whose words it is.
  public var origin: Origin
  /// The module that wrote it or that it is about.
  public var moduleID: String?
  /// One line once escaped.
  public var message: String
  /// Further facts; sinks write them sorted by key.
  public var metadata: [String: String]

  /// Makes a record.
  public init(
    time: Int64, level: LogLevel, origin: Origin = .supervisor, moduleID: String? = nil, message: String,
    metadata: [String: String] = [:]
  ) {
    self.time = time
    self.level = level
    self.origin = origin
    self.moduleID = moduleID
    self.message = message
    self.metadata = metadata
  }
}

/// Where records go. Called from any thread, so it must not block.
public protocol LogSink: Sendable {
  /// Takes one record.
  func write(_ record: LogRecord)
}

/// The runtime's side of the seeds' logger. From any thread; never blocks.
public protocol ForsettiLogger: Sendable {
  /// Whether records of this level are kept, so that a message nobody sees need not be made.
  func isEnabled(_ level: LogLevel) -> Bool

  /// Logs the supervisor's own words.
  ///
  /// - Parameter moduleID: the module they are about.
  func log(_ level: LogLevel, _ message: String, moduleID: String?, metadata: [String: String])

  /// Logs a module's words, as hostile text and under its rate limit.
  func relay(_ level: LogLevel, _ message: String, from moduleID: String, metadata: [String: String])

  /// The module's process has ended: tells what its rate limit dropped, and forgets its share.
  func forget(moduleID: String)
}

extension ForsettiLogger {
  /// Nothing to forget, for a logger without rate limits.
  public func forget(moduleID: String) {}

  /// Logs what helps while developing.
  public func debug(
    _ message: @autoclosure () -> String, moduleID: String? = nil,
    metadata: @autoclosure () -> [String: String] = [:]
  ) {
    if isEnabled(.debug) { log(.debug, message(), moduleID: moduleID, metadata: metadata()) }
  }

  /// Logs normal operation.
  public func info(
    _ message: @autoclosure () -> String, moduleID: String? = nil,
    metadata: @autoclosure () -> [String: String] = [:]
  ) {
    if isEnabled(.info) { log(.info, message(), moduleID: moduleID, metadata: metadata()) }
  }

  /// Logs what went wrong but was coped with.
  public func warning(
    _ message: @autoclosure () -> String, moduleID: String? = nil,
    metadata: @autoclosure () -> [String: String] = [:]
  ) {
    if isEnabled(.warning) { log(.warning, message(), moduleID: moduleID, metadata: metadata()) }
  }

  /// Logs what failed.
  public func error(
    _ message: @autoclosure () -> String, moduleID: String? = nil,
    metadata: @autoclosure () -> [String: String] = [:]
  ) {
    if isEnabled(.error) { log(.error, message(), moduleID: moduleID, metadata: metadata()) }
  }
}

extension LogLevel {
  /// The place in the order debug, info, warning, error.
  var rank: Int {
    switch self {
    case .debug: 0
    case .info: 1
    case .warning: 2
    case .error: 3
    }
  }
}
