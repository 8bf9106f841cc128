import ForsettiCore
import ForsettiIPC

// Diagnostic reports are the only calls that wait for their provider (SPEC §4).
extension ModuleBroker {
  /// Keeps a report whose provider is not active; false for every other call.
  func keepsReport(_ method: MethodInfo, _ payload: Span<UInt8>, of session: ModuleSession) -> Bool {
    guard method == DiagnosticsMethods.emit.info,
      let report = try? DiagnosticsMethods.emit.request(
        CallHead(service: method.serviceNumber, method: method.number), payload)
    else { return false }
    diagnostics.report(DiagnosticEvent(report, source: session.moduleID, time: wallClock()))
    return true
  }

  /// Hands what was kept to the provider of diagnostics, one report after the other, while there is one.
  func handOverReports() {
    guard handover == nil, diagnostics.count > 0, reportTaker != nil else { return }
    handover = Reactor.task { [weak self] in
      await self?.handOver()
    }
  }

  /// Whoever takes reports.
  private struct ReportTaker {
    /// `nil` for the host.
    let provider: ModuleSession?
    let take: @ReactorActor @Sendable (DiagnosticReport) async throws(ServiceError) -> Void
  }

  /// Whoever takes reports now.
  private var reportTaker: ReportTaker? {
    switch rules.routes[.diagnostics] {
    case .host:
      services.keepReport.map { keep in
        ReportTaker(provider: nil) { (report) throws(ServiceError) in try await keep(report) }
      }
    case .module(let id):
      session(of: id).map { provider in
        ReportTaker(provider: provider) { (report) throws(ServiceError) in
          _ = try await provider.call(DiagnosticsMethods.emit, report, source: report.source)
        }
      }
    case .unavailable: nil
    }
  }

  private func handOver() async {
    defer { handover = nil }
    // Asked for each report: another provider may have taken its place.
    while let taker = reportTaker {
      let (events, lost) = diagnostics.take(1)
      if lost > 0 {
        logger.warning(
          "\(lost) diagnostic reports are lost, as too many waited for their provider", moduleID: nil)
      }
      guard let event = events.first else { return }
      do throws(ServiceError) { try await taker.take(DiagnosticReport(event)) } catch {
        switch error {
        case .moduleCrashed, .serviceUnavailable, .deadlineExceeded, .cancelled:
          // Whoever provides diagnostics next gets it, at once if that is somebody else already.
          diagnostics.putBack(event)
          if let next = reportTaker, next.provider !== taker.provider { continue }
          return
        default:
          logger.warning("a diagnostic report of \(event.source) was not taken: \(error)", moduleID: nil)
        }
      }
    }
  }
}
