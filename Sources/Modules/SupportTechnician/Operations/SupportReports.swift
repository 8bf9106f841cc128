internal import ForsettiModuleKit

// What diagnostics is told. Never which device, which user, which ticket, or what Jamf Pro said: any of it may be personal.

extension SupportOperation {
  /// The report of its end.
  var report: DiagnosticReport {
    DiagnosticReport(
      category: "support.action", severity: state == .accepted || state == .done ? .info : .warning,
      message: "An order has come to its end",
      metadata: [
        "action": order.word, "outcome": word, "kind": device.kind.rawValue,
        "ticket": hasTicket ? "present" : "none",
      ])
  }
}

extension TemporaryAdminRun {
  /// The report of its end.
  var report: DiagnosticReport {
    DiagnosticReport(
      category: "support.temporary-admin", severity: .info,
      message: "A request for rights has come to its end",
      metadata: ["outcome": title, "minutes": minutes.map { "\($0)" } ?? "none"])
  }
}
