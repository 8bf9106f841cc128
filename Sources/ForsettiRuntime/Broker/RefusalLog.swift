import ForsettiCore

/// What a module was refused: the first of each kind is a warning with its ID, the rest is counted and told of at the
/// end, so that a module that asks for ever costs one line.
struct RefusalLog {
  /// A kind of refusal; there are few, whatever the module asks for.
  enum Kind: Hashable {
    /// By the service's number.
    case denied(UInt8, ServiceError.Denial)
    case publish, subscribe, message, callRate, eventRate
  }

  private let moduleID: String
  private let logger: any ForsettiLogger
  private let auditLog: any AuditRecorder
  private var counts: [Kind: UInt64] = [:]

  init(moduleID: String, logger: any ForsettiLogger, auditLog: any AuditRecorder) {
    self.moduleID = moduleID
    self.logger = logger
    self.auditLog = auditLog
  }

  /// Refusals so far.
  var total: UInt64 { counts.values.reduce(0, &+) }

  /// Counts a refusal; the message is made for the first of its kind only.
  mutating func note(_ kind: Kind, _ message: @autoclosure () -> String) {
    let count = counts[kind, default: 0] &+ 1
    counts[kind] = count
    guard count == 1 else { return }
    let message = message()
    logger.warning(message, moduleID: moduleID)
    auditLog.record(AuditEvent(.denied, moduleID: moduleID, details: ["reason": message]))
  }

  /// Tells of what came after each first refusal, in one line.
  mutating func finish(lateAnswers: UInt64) {
    let repeated = counts.values.reduce(0) { $0 &+ ($1 &- 1) }
    counts = [:]
    var metadata: [String: String] = [:]
    if repeated > 0 { metadata["repeatedRefusals"] = "\(repeated)" }
    if lateAnswers > 0 { metadata["lateAnswers"] = "\(lateAnswers)" }
    guard !metadata.isEmpty else { return }
    logger.info("ended with calls that came to nothing", moduleID: moduleID, metadata: metadata)
  }
}
