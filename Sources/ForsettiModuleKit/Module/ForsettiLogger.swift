/// Where log records go (seed "Logging").
public protocol ForsettiLogger: Sendable {
  /// Takes one record. Never blocks, never fails: what can't be kept is dropped and counted.
  func log(_ level: LogLevel, _ message: String, metadata: [String: String])
}

/// A module's logger. The supervisor attributes each record to the module whose process sent it.
public struct ForsettiModuleLogger: Sendable {
  /// The module the records are attributed to.
  public let moduleID: String
  private let destination: any ForsettiLogger

  /// Makes a logger of one module.
  public init(moduleID: String, destination: any ForsettiLogger) {
    self.moduleID = moduleID
    self.destination = destination
  }

  /// Details useful during development.
  public func debug(_ message: String, metadata: [String: String] = [:]) {
    destination.log(.debug, message, metadata: metadata)
  }

  /// Lifecycle and normal operation.
  public func info(_ message: String, metadata: [String: String] = [:]) {
    destination.log(.info, message, metadata: metadata)
  }

  /// Recoverable problems or skipped work, with the error behind them where there is one.
  public func warning(_ message: String, error: (any Error)? = nil, metadata: [String: String] = [:]) {
    destination.log(.warning, message, metadata: metadata.describing(error))
  }

  /// Failed operations, with the error behind them where there is one.
  public func error(_ message: String, error: (any Error)? = nil, metadata: [String: String] = [:]) {
    destination.log(.error, message, metadata: metadata.describing(error))
  }
}

extension [String: String] {
  /// With `errorDescription` and `errorType` of the error, which win over the caller's keys of that name.
  fileprivate func describing(_ error: (any Error)?) -> Self {
    guard let error else { return self }
    var described = self
    described["errorDescription"] = "\(error)"
    described["errorType"] = "\(type(of: error))"
    return described
  }
}
