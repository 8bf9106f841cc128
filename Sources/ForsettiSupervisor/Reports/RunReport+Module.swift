import ForsettiCore
import ForsettiIPC

// The one shape of a module in `run --once --json`, in `status --json` and on the control socket.
extension RunReport.Module: ControlRecord {
  /// Nothing known.
  init() { self.init(moduleID: "", type: "", state: "") }

  /// Every member, in the order of the report.
  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    var process = pid.map(Int.init)
    // To a microsecond.
    var milliseconds = activationMilliseconds.map { ($0 * 1000).rounded() / 1000 }
    try members("moduleID", &moduleID)
    try members("type", &type)
    try members("state", &state)
    try members("pid", &process)
    try members("threads", &threads)
    try members("kernelSyscalls", &kernelSyscalls)
    try members("servedSyscalls", &servedSyscalls)
    try members("grants", &grants)
    try members("openFileDescriptors", &openFileDescriptors)
    try members("pssKiB", &pssKiB)
    try members("activationMilliseconds", &milliseconds)
    try members("uptimeMilliseconds", &uptimeMilliseconds)
    try members("lateAnswers", &lateAnswers)
    try members("refusals", &refusals)
    try members("calls", &calls)
    try members("failedCalls", &failedCalls)
    try members("droppedEvents", &droppedEvents)
    try members("droppedLogLines", &droppedLogLines)
    try members("restarts", &restarts)
    try members("failure", &failure)
    pid = process.flatMap { Int32(exactly: $0) }
    activationMilliseconds = milliseconds
  }
}
