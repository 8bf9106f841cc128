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
struct OverviewLine: ControlRecord, Equatable {
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
  var uptimeMilliseconds: Int?
  var failure: String?

  init() {}

  init(_ status: ModuleStatus) {
    moduleID = status.moduleID
    type = status.type?.rawValue ?? "-"
    state = status.state.rawValue
    pid = status.process.map { Int($0.pid) }
    threads = status.process?.threads
    kernelSyscalls = status.plan?.kernelCallCount ?? 0
    servedSyscalls = status.plan?.servedCallCount ?? 0
    grants = status.plan?.brokered.map(\.rawValue) ?? []
    openFileDescriptors = status.process?.openFileDescriptors
    uptimeMilliseconds = status.uptimeMilliseconds
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
    try members("uptimeMilliseconds", &uptimeMilliseconds)
    try members("failure", &failure)
  }
}

extension ControlOperations {
  /// The supervisor and all its modules, those too that nobody wants, a line each.
  static let overview = ControlOperation<OverviewRequest, OverviewLine, StatusReport>("overview", .read) {
    (request, call) throws(ControlFailure) in
    var asked = StatusRequest()
    asked.module = request.module
    asked.isComplete = true
    // The processes of all modules are looked at for the figures already.
    let lines = try await send(
      asked, looksAtProcesses: request.module != nil, by: call, row: OverviewLine.init(_:))
    return report(of: call.context, calls: lines.map { ($0.kernelSyscalls, $0.servedSyscalls) })
  }
}
