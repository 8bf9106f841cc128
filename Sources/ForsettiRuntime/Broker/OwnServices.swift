import ForsettiCore
import ForsettiIPC

/// What the broker answers itself, at once: security, for it knows the grants, and the write side of diagnostics where
/// the host has no other adapter.
struct OwnServices: Sendable {
  /// The category of a reported incident.
  static let incident = "security_incident"

  let logger: any ForsettiLogger
  let diagnostics: DiagnosticsCenter
  let wallClock: @Sendable () -> Int64

  /// The host's services and ours; an adapter of the host comes before ours.
  func added(to services: ForsettiServiceContainer) -> ForsettiServiceContainer {
    var all = services
    if services[.security].methods.isEmpty { addSecurity(to: &all) }
    if services[.diagnostics].methods.isEmpty { addDiagnostics(to: &all) }
    return all
  }

  private func addSecurity(to services: inout ForsettiServiceContainer) {
    let (logger, diagnostics, wallClock) = (logger, diagnostics, wallClock)
    services.answer(SecurityMethods.grants) { (_, caller) throws(ServiceError) in
      caller.grants.sorted { $0.rawValue < $1.rawValue }
    }
    services.answer(SecurityMethods.decision) { (capability, caller) throws(ServiceError) in
      guard let decision = caller.decisions.first(where: { $0.capability == capability }) else {
        return SecurityDecision(isGranted: false, reason: "the manifest does not request it")
      }
      return SecurityDecision(isGranted: caller.grants.contains(capability), reason: decision.reason)
    }
    services.answer(SecurityMethods.reportIncident) { (incident, caller) throws(ServiceError) in
      guard !incident.name.isBlank else {
        throw .invalidArgument(name: "summary", reason: "it is blank")
      }
      logger.relay(
        .warning, "security incident: \(incident.name)", from: caller.moduleID, metadata: incident.entries)
      diagnostics.report(
        DiagnosticEvent(
          time: wallClock(), source: caller.moduleID, category: Self.incident, severity: .warning,
          message: incident.name, metadata: incident.entries))
      return Nothing()
    }
  }

  private func addDiagnostics(to services: inout ForsettiServiceContainer) {
    let (diagnostics, wallClock) = (diagnostics, wallClock)
    services.answer(DiagnosticsMethods.emit) { (report, caller) throws(ServiceError) in
      diagnostics.report(DiagnosticEvent(report, source: caller.moduleID, time: wallClock()))
      return Nothing()
    }
    services.answer(DiagnosticsMethods.events) { (filter, _) throws(ServiceError) in
      guard (1...1000).contains(filter.limit) else {
        throw .invalidArgument(name: "limit", reason: "1 to 1,000 is meant")
      }
      return diagnostics.latest(.max).reversed().lazy.map { DiagnosticReport($0) }.filter {
        filter.matches($0)
      }
      .prefix(filter.limit).map { $0 }
    }
  }
}

extension DiagnosticFilter {
  /// Whether a report fulfils every condition.
  func matches(_ report: DiagnosticReport) -> Bool {
    (source == nil || source == report.source) && (category == nil || category == report.category)
      && atLeast.map { $0.rank <= report.severity.rank } ?? true && since.map { $0 <= report.time } ?? true
  }
}

extension DiagnosticEvent {
  /// A module's report; source and time are the supervisor's word.
  init(_ report: DiagnosticReport, source: String, time: Int64) {
    self.init(
      time: time, source: source, category: report.category, severity: report.severity,
      message: report.message, metadata: report.metadata)
  }
}

extension DiagnosticReport {
  init(_ event: DiagnosticEvent) {
    self.init(
      source: event.source, category: event.category, severity: event.severity, message: event.message,
      metadata: event.metadata, time: event.time)
  }
}
