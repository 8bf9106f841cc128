import ForsettiCore
import ForsettiIPC
import ForsettiRuntime

/// What `status` and `modules` ask.
struct StatusRequest: ControlRecord {
  /// Only the module that this means; all if absent.
  var module: String?
  /// Whether modules that nobody wants are among them.
  var isComplete = false

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("module", &module)
    try members("complete", &isComplete)
  }
}

/// The supervisor as it is now. Its modules come as items, one each; the client puts them in.
struct StatusReport: ControlRecord {
  var state = ""
  var bootMilliseconds: Double?
  var selectedUIModuleID: String?
  var modules: [RunReport.Module] = []
  var surface = JSONValue.null
  var refusedBundles: [String] = []
  var missing: [String] = []
  var version = ""
  var policy = ""
  var uptimeMilliseconds = 0
  var layers: [String] = []

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("state", &state)
    try members("bootMilliseconds", &bootMilliseconds)
    try members("selectedUIModuleID", &selectedUIModuleID)
    try members("modules", &modules)
    try members("surface", &surface)
    try members("refusedBundles", &refusedBundles)
    try members("missing", &missing)
    try members("version", &version)
    try members("policy", &policy)
    try members("uptimeMilliseconds", &uptimeMilliseconds)
    try members("layers", &layers)
  }
}

extension ControlOperations {
  /// The supervisor and its modules, in the shape of `run --once --json`.
  static let status = ControlOperation<StatusRequest, RunReport.Module, StatusReport>("status", .read) {
    (request, call) throws(ControlFailure) in
    let calls = try await send(request, by: call)
    return report(of: call.context, calls: calls)
  }

  /// Sends a row for each module that is asked for; returns how many calls a module may make at most.
  @ReactorActor private static func send(
    _ request: StatusRequest, by call: ControlCall
  ) async throws(ControlFailure) -> CallCounts {
    var greatest = CallCounts()
    guard let manager = call.context.bootstrap.runtime.moduleManager else { return greatest }
    let ids = try request.module.map { (name) throws(ControlFailure) in [try manager.find(name)] }
    for ids in ids.map({ [$0[...]] }) ?? manager.moduleIDsInTurns {
      var modules: [ModuleStatus] = []
      for id in ids {
        guard let status = await manager.observe(id) else { continue }
        guard status.state != .discovered || request.isComplete || request.module != nil else { continue }
        greatest.take(status)
        modules.append(status)
      }
      try await call.stream.send(made: { [modules] in modules.map(RunReport.Module.init(_:)) })
    }
    return greatest
  }

  /// The system calls that a module may make: those that reach the kernel, and those that the supervisor answers.
  struct CallCounts {
    var kernel = 0
    var served = 0

    /// The greater of what it has and what a module has.
    mutating func take(_ status: ModuleStatus) {
      kernel = max(kernel, status.plan?.kernelCallCount ?? 0)
      served = max(served, status.plan?.servedCallCount ?? 0)
    }
  }

  /// What is told beside the modules.
  /// - Parameter calls: how many a module may make at most.
  @ReactorActor static func report(of context: ControlContext, calls: CallCounts) -> StatusReport {
    let runtime = context.bootstrap.runtime
    var report = StatusReport()
    report.state = context.bootstrap.state.name
    report.bootMilliseconds = context.bootstrap.report.map { ($0.milliseconds * 1000).rounded() / 1000 }
    report.version = ForsettiVersion.current.description
    report.policy = context.policyPath
    report.uptimeMilliseconds = context.uptimeMilliseconds
    report.missing = context.kernel.missing
    report.surface = RunReport.surfaceJSON(runtime.surface.surface)
    guard let manager = runtime.moduleManager else { return report }
    report.refusedBundles = manager.catalog.refusals.map(\.description)
    report.selectedUIModuleID = manager.activeUIModuleID
    report.layers = context.kernel.layers(kernelCalls: calls.kernel, servedCalls: calls.served)
    return report
  }

  /// What the selected UI module shows.
  static let surface = ControlOperation<NoValue, NoValue, SurfaceAnswer>("surface", .read) {
    (_, call) throws(ControlFailure) in
    let runtime = call.context.bootstrap.runtime
    var answer = SurfaceAnswer(
      moduleID: runtime.moduleManager?.activeUIModuleID,
      surface: RunReport.surfaceJSON(runtime.surface.surface))
    guard let manager = runtime.moduleManager else { return answer }
    for (view, moduleID) in manager.renderers { answer.renderers[view.text] = moduleID }
    let titles = manager.titles
    (answer.routeTitles, answer.viewTitles) = (titles.routes, titles.views)
    return answer
  }
}

/// What is on the surface, and whose it is.
struct SurfaceAnswer: ControlRecord {
  var moduleID: String?
  var surface = JSONValue.null
  /// Who draws each view that is on it or that its routes lead to.
  var renderers: [String: String] = [:]
  /// What routes and views are called, by their IDs.
  var routeTitles: [String: String] = [:]
  var viewTitles: [String: String] = [:]

  init() {}

  init(moduleID: String?, surface: JSONValue) {
    self.moduleID = moduleID
    self.surface = surface
  }

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("moduleID", &moduleID)
    try members("surface", &surface)
    try members("renderers", &renderers)
    try members("routeTitles", &routeTitles)
    try members("viewTitles", &viewTitles)
  }
}
