import ForsettiCore
import ForsettiIPC
import ForsettiRuntime
import ForsettiSandbox
import Glibc

/// What `explain --running` asks.
struct ExplainRequest: ControlRecord {
  var module: String?
  /// Whether the text may have colours.
  var isColoured = false

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("module", &module)
    try members("coloured", &isColoured)
  }
}

/// What holds a module that runs, as `explain` shows it.
struct ExplainAnswer: ControlRecord {
  var report = JSONValue.null
  var text = ""

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("report", &report)
    try members("text", &text)
  }
}

extension ControlOperations {
  /// Grants and sandbox of a module's process as they are, not as files would have them by now.
  static let explain = ControlOperation<ExplainRequest, NoValue, ExplainAnswer>("explain", .read) {
    (request, call) throws(ControlFailure) in
    let manager = try call.manager
    guard let name = request.module else {
      throw ControlFailure(.invalidRequest, .usage, "module: a name is meant")
    }
    let id = try manager.find(name)
    guard let module = manager.catalog[id], let status = await manager.observe(id), let plan = status.plan,
      let process = status.process
    else {
      throw ControlFailure(
        .failed, .unavailable, "\(id) does not run; explain without --running says what would hold it")
    }
    var answer = ExplainAnswer()
    do throws(CommandFailure) {
      let report = try ExplainReport(
        of: module, by: manager.policy, plan: plan,
        gates: [
          ExplainReport.Gate(
            name: "process", outcome: .passed,
            reason: "pid \(process.pid), seccomp mode \(process.seccompMode ?? 0), "
              + (process.noNewPrivileges == true ? "no_new_privs" : "new privileges possible"))
        ], userID: geteuid(), cgroup: call.context.bootstrap.runtime.cgroup)
      answer.report = report.json
      answer.text = report.text(TextStyle(isColoured: request.isColoured))
    } catch { throw ControlFailure(error) }
    return answer
  }
}
