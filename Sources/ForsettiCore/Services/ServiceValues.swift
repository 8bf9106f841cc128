/// An HTTP request of a module.
public struct HTTPRequest: Sendable, Hashable {
  /// The verb, upper case.
  public var method: String
  /// Absolute.
  public var url: String
  /// In order.
  public var headers: [HTTPField]
  /// At most what the policy allows.
  public var body: [UInt8]

  /// Makes a request.
  public init(method: String = "GET", url: String, headers: [HTTPField] = [], body: [UInt8] = []) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// One header field; names compare without case, and may occur more than once.
public struct HTTPField: Sendable, Hashable {
  /// As written.
  public var name: String
  /// Without line breaks.
  public var value: String

  /// Makes a field.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// The answer to an HTTP request, redirects followed.
public struct HTTPResponse: Sendable, Hashable {
  /// 100 to 599.
  public var status: Int
  /// Where the answer came from, after redirects.
  public var url: String
  /// In order.
  public var headers: [HTTPField]
  /// At most what the policy allows.
  public var body: [UInt8]

  /// Makes a response.
  public init(status: Int, url: String, headers: [HTTPField], body: [UInt8]) {
    self.status = status
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// A request to the provider of the `api` role.
public struct APIRequest: Sendable, Hashable {
  /// The verb, upper case.
  public var method: String
  /// Absolute, normalised by the supervisor.
  public var path: String
  /// In order, not yet escaped.
  public var query: [HTTPField]
  /// In order.
  public var headers: [HTTPField]
  /// At most what the policy allows.
  public var body: [UInt8]

  /// Makes a request.
  public init(
    method: String = "GET", path: String, query: [HTTPField] = [], headers: [HTTPField] = [],
    body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }
}

/// The provider's answer.
public struct APIResponse: Sendable, Hashable {
  /// 100 to 599.
  public var status: Int
  /// In order.
  public var headers: [HTTPField]
  /// At most what the policy allows.
  public var body: [UInt8]

  /// Makes a response.
  public init(status: Int, headers: [HTTPField] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// SQL with its parameters, which are never part of the text.
public struct SQLStatement: Sendable, Hashable {
  /// One statement.
  public var text: String
  /// In the order of the `?` in the text.
  public var parameters: [SQLParameter]

  /// Makes a statement.
  public init(_ text: String, _ parameters: [SQLParameter] = []) {
    self.text = text
    self.parameters = parameters
  }
}

/// A value in or out of the shared database.
public enum SQLParameter: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

/// Rows of a query.
public struct SQLRows: Sendable, Hashable {
  /// Names, in order.
  public var columns: [String]
  /// Each as long as `columns`.
  public var rows: [[SQLParameter]]

  /// Makes rows.
  public init(columns: [String], rows: [[SQLParameter]]) {
    self.columns = columns
    self.rows = rows
  }
}

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

/// What the policy decided of a capability of the asking module.
public struct SecurityDecision: Sendable, Hashable {
  /// Whether the module has it.
  public var isGranted: Bool
  /// One line.
  public var reason: String

  /// Makes a decision.
  public init(isGranted: Bool, reason: String) {
    self.isGranted = isGranted
    self.reason = reason
  }
}
