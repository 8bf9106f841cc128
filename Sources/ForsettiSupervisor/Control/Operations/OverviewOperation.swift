import ForsettiCore
import ForsettiIPC
import ForsettiRuntime

/// What `overview` asks.
struct OverviewRequest: ControlRecord {
  /// Only the module that this means, and its process is looked at; all if absent, and no process is.
  var module: String?

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("module", &module)
  }
}

/// A module as a table shows it. Of a thousand modules the names of all their system calls would be most of `status`, and
/// nobody reads them there: they are counted.
struct OverviewLine: TableRow, Equatable {
  var moduleID = ""
  var type = ""
  var state = ""
  var pid: Int?
  var threads: Int?
  /// How many system calls the kernel lets through, and how many the supervisor answers.
  var kernelSyscalls = 0
  var servedSyscalls = 0
  var grants: [String] = []
  var openFileDescriptors: Int?
  /// Since when it has been active, on the clock of the answer's `uptimeMilliseconds`: so a line stays the same as long as its
  /// module does.
  var activeSinceMilliseconds: Int?
  var failure: String?

  init() {}

  /// - Parameter clock: the supervisor's milliseconds at a time of the runtime's clock.
  init(_ status: ModuleStatus, clock: (UInt64) -> Int) {
    moduleID = status.moduleID
    type = status.type?.rawValue ?? "-"
    state = status.state.rawValue
    pid = status.process.map { Int($0.pid) }
    threads = status.process?.threads
    kernelSyscalls = status.plan?.kernelCallCount ?? 0
    servedSyscalls = status.plan?.servedCallCount ?? 0
    grants = status.plan?.brokered.map(\.rawValue) ?? []
    openFileDescriptors = status.process?.openFileDescriptors
    activeSinceMilliseconds = status.activeSince.map(clock)
    failure = status.failure?.message
  }

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("moduleID", &moduleID)
    try members("type", &type)
    try members("state", &state)
    try members("pid", &pid)
    try members("threads", &threads)
    try members("kernelSyscalls", &kernelSyscalls)
    try members("servedSyscalls", &servedSyscalls)
    try members("grants", &grants)
    try members("openFileDescriptors", &openFileDescriptors)
    try members("activeSinceMilliseconds", &activeSinceMilliseconds)
    try members("failure", &failure)
  }
}

extension ControlOperations {
  /// The supervisor and all its modules, those too that nobody wants, a line each.
  static let overview = ControlOperation<OverviewRequest, OverviewLine, StatusReport>("overview", .read) {
    (request, call) throws(ControlFailure) in
    let context = call.context
    var calls = CallCounts()
    guard let manager = context.bootstrap.runtime.moduleManager else {
      return report(of: context, calls: calls)
    }
    if let name = request.module {
      // Nobody looks at the processes of all modules for this.
      if let status = await manager.observe(try manager.find(name)) {
        calls.take(status)
        try await call.stream.send(OverviewLine(status, clock: context.milliseconds(at:)))
      }
      return report(of: context, calls: calls)
    }
    let table = context.tables.overview
    try await table.update(from: manager, isSteady: true) { id in
      manager.status(of: id).map { OverviewLine($0, clock: context.milliseconds(at:)) }
    }
    calls.kernel = table.rows.greatest(\.kernelSyscalls)
    calls.served = table.rows.greatest(\.servedSyscalls)
    try await call.stream.send(encoded: table.rows.told(since: 0).rows)
    return report(of: context, calls: calls)
  }
}
