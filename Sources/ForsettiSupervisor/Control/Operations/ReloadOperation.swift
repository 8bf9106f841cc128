import ForsettiIPC
import ForsettiRuntime

/// What `reload` asks.
struct ReloadRequest: ControlRecord {
  /// Whether nothing is to be changed.
  var isTrial = false

  init() {}

  init(isTrial: Bool) { self.isTrial = isTrial }

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("dryRun", &isTrial)
  }
}

extension ControlOperations {
  /// Reads policy, manifests and bundles anew and goes over to them, or says what that would do. Its modules come as
  /// items; the client puts them in.
  static let reload = ControlOperation<ReloadRequest, ReloadReport.Module, ReloadReport>("reload", .change) {
    (request, call) throws(ControlFailure) in
    let reloader = call.context.reloader
    var report: ReloadReport
    do throws(CommandFailure) {
      report = request.isTrial ? try await reloader.plan() : try await reloader.reload()
    } catch { throw ControlFailure(error) }
    for module in report.modules { try await call.stream.send(module) }
    report.modules = []
    return report
  }
}
