import ForsettiCore
import ForsettiRuntime
import Glibc

/// What commands decide that do their work without a supervisor: kept in the same log, before they say that it is done.
enum CommandAudit {
  static func keep(
    _ kind: AuditEvent.Kind, _ moduleID: String, _ details: [String: String], state: String
  ) throws(CommandFailure) {
    let event = AuditEvent(kind, moduleID: moduleID, actor: "operator:\(getuid())", details: details)
    do throws(AuditError) { try AuditLog.record(event, stateFolder: state) } catch {
      throw CommandFailure(
        status: .ioError, message: "it is done, but could not be kept in the audit log: \(error)")
    }
  }
}
