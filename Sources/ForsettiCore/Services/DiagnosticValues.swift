/// One diagnostic event.
public struct DiagnosticReport: Sendable, Hashable {
  /// Written by the supervisor; whatever a module puts here is replaced by its own ID.
  public var source: String
  /// A short word.
  public var category: String
  /// How bad.
  public var severity: LogLevel
  /// One line.
  public var message: String
  /// What else is known.
  public var metadata: [String: String]
  /// Milliseconds since 1970; written by the supervisor.
  public var time: Int64

  /// Makes a report.
  public init(
    source: String = "", category: String, severity: LogLevel, message: String,
    metadata: [String: String] = [:], time: Int64 = 0
  ) {
    self.source = source
    self.category = category
    self.severity = severity
    self.message = message
    self.metadata = metadata
    self.time = time
  }
}

/// Which diagnostic events are wanted; everything absent is no condition.
public struct DiagnosticFilter: Sendable, Hashable {
  /// Whose.
  public var source: String?
  /// A short word.
  public var category: String?
  /// This severity or worse.
  public var atLeast: LogLevel?
  /// Milliseconds since 1970.
  public var since: Int64?
  /// At most so many.
  public var limit: Int

  /// Makes a filter.
  public init(
    source: String? = nil, category: String? = nil, atLeast: LogLevel? = nil, since: Int64? = nil,
    limit: Int = 100
  ) {
    self.source = source
    self.category = category
    self.atLeast = atLeast
    self.since = since
    self.limit = limit
  }
}

/// A form of exported diagnostics.
public enum DiagnosticFormat: String, Sendable, Hashable, CaseIterable {
  case json, markdown
}
