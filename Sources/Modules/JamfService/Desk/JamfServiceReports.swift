internal import ForsettiModuleKit

/// What this module tells diagnostics: how requests went, never what was in them.
@MainActor
struct JamfServiceReports {
  let context: ForsettiContext

  /// A request goes out again.
  func retried(_ method: String, _ path: String, _ outcome: JamfAttempts.Outcome) {
    var metadata = ["method": method, "path": JamfPathShapes.known.shape(of: path)]
    switch outcome {
    case .status(let status, let retryAfter):
      metadata["status"] = "\(status)"
      metadata["retry_after_seconds"] = retryAfter.map { "\($0)" }
    case .noAnswer: metadata["status"] = "none"
    }
    emit(.info, "A request to Jamf Pro is tried again", metadata)
  }

  /// A request came to nothing.
  func failed(_ request: APIRequest, from caller: String, _ failure: JamfFailure) {
    emit(
      .warning, "A request to Jamf Pro failed",
      [
        "method": request.method, "path": JamfPathShapes.known.shape(of: request.path), "asked_by": caller,
        "failure": failure.name,
      ])
  }

  /// The connection has another state.
  func changed(_ connection: JamfConnection) {
    emit(.info, "The connection to Jamf Pro changed", ["state": connection.state.rawValue])
  }

  /// Nobody waits for a report: whoever keeps them may be busy, or away.
  private func emit(_ severity: LogLevel, _ message: String, _ metadata: [String: String]) {
    let report = DiagnosticReport(
      category: "jamf", severity: severity, message: message, metadata: metadata)
    Task {
      do { try await context.services.diagnostics?.emit(report) } catch {
        context.logger.debug("a report was not kept", metadata: ["reason": "\(error)"])
      }
    }
  }
}
