internal import ForsettiModuleKit

/// What the runtime tells everybody of the lives of modules, as events to keep.
enum LifecycleNotice {
  /// What the runtime publishes it under.
  static let pattern = "forsetti.lifecycle.*"
  /// The source that reports of the runtime have.
  static let source = "forsetti.runtime"

  /// The report of a notice; nothing for one of another kind.
  static func report(_ type: String, _ payload: [String: String], at time: Int64) -> DiagnosticReport? {
    guard let moduleID = payload["moduleID"], let word = type.split(separator: ".").last else { return nil }
    let role = payload["role"] ?? "its"
    let (severity, message): (LogLevel, String)
    switch word {
    case "activated": (severity, message) = (.info, "\(moduleID) is active")
    case "replaced": (severity, message) = (.info, "\(moduleID) has a new process")
    case "deactivated": (severity, message) = (.info, "\(moduleID) was stopped")
    case "ended": (severity, message) = (.error, "\(moduleID) ended unasked")
    case "provider_lost":
      (severity, message) = (.warning, "The \(role) role has no provider: \(moduleID) is not active")
    case "provider_returned":
      (severity, message) = (.info, "The \(role) role has its provider again: \(moduleID)")
    default: return nil
    }
    return DiagnosticReport(
      source: source, category: "lifecycle", severity: severity, message: message,
      metadata: payload.filter { $0.key == "moduleID" || $0.key == "role" }, time: time)
  }
}
