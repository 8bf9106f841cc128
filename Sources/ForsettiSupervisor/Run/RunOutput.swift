import ForsettiCore
import ForsettiRuntime

/// What a run says on standard output.
struct RunOutput: Sendable {
  let options: RunOptions
  let output: OutputStream

  /// What was booted.
  func show(_ report: RunReport) async throws(CommandFailure) {
    if options.json {
      try await write(report.json.line)
    } else if !options.quiet {
      try await write(report.text(output.style, staysUp: !options.once))
    }
  }

  /// Why nothing was booted, for whoever reads JSON.
  func show(_ failure: CommandFailure, after duration: Duration) async throws(CommandFailure) {
    guard options.json else { return }
    try await write(RunReport.failureJSON(failure, milliseconds: duration.milliseconds).line)
  }

  /// What an audit has to tell, if anything.
  @ReactorActor
  func show(_ audited: AuditedRun?) async throws(CommandFailure) {
    if let news = try audited?.news(for: output) { try await write(news) }
  }

  /// What was stopped. Whoever reads no more must not keep us from ending.
  func offer(_ ends: [ModuleEnd], after duration: Duration) {
    guard !options.quiet, !options.json else { return }
    var text = "Stopped \(counted(ends.count, "module")) in "
    text += "\(decimalText(duration.milliseconds, places: 1)) ms.\n"
    for end in ends where end.exit.reason != .stopped {
      text += "  \(escaped(end.moduleID)): \(escaped("\(end.exit)"))\n"
    }
    output.offer(text)
  }

  /// Writes off the reactor: a terminal that was stopped with ^S, or a full pipe, must not stop the modules too.
  @concurrent
  private func write(_ text: String) async throws(CommandFailure) { try output.write(text) }
}
