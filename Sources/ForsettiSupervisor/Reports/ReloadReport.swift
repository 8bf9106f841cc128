import ForsettiCore
import ForsettiIPC
import ForsettiRuntime

/// What a reload did, or would do. Its modules cross the socket as items, one each.
struct ReloadReport: ControlRecord, Equatable {
  /// One module that something is said of.
  struct Module: ControlRecord, Equatable {
    var moduleID = ""
    var step = ReloadPlan.Step.none.rawValue
    var changes: [String] = []

    mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
      try members("moduleID", &moduleID)
      try members("step", &step)
      try members("changes", &changes)
    }
  }

  var isApplied = false
  var modules: [Module] = []
  /// Keys of the policy that hold from now on.
  var keys: [String] = []
  /// Keys that wait for the next start.
  var keysForRestart: [String] = []
  /// Modules that did not run before, were tried again, and still do not.
  var failures: [String] = []

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("applied", &isApplied)
    try members("modules", &modules)
    try members("keys", &keys)
    try members("keysForRestart", &keysForRestart)
    try members("failures", &failures)
  }
}

extension ReloadReport {
  init(_ plan: ReloadPlan) {
    modules = plan.modules.map {
      Module(moduleID: $0.moduleID, step: $0.step.rawValue, changes: $0.changes.map(\.text))
    }
    keys = plan.keys.map(\.rawValue)
    keysForRestart = plan.keysForRestart.map(\.rawValue)
  }

  init(_ outcome: ReloadOutcome) {
    self.init(outcome.plan)
    isApplied = true
    failures = outcome.failures.map(\.message)
  }

  /// One line for the log.
  var summary: String {
    let replaced = modules.count { $0.step == "replace" || $0.step == "replaceAtOnce" }
    let parts = [
      replaced > 0 ? "\(replaced) replaced" : nil, count("stop", "stopped"), count("start", "tried again"),
      failures.isEmpty ? nil : "\(failures.count) still do not run",
      keys.isEmpty ? nil : "policy: \(keys.joined(separator: ", "))",
      keysForRestart.isEmpty ? nil : "waiting for a restart: \(keysForRestart.joined(separator: ", "))",
    ].compactMap { $0 }
    return parts.isEmpty ? "nothing is different for what runs" : parts.joined(separator: "; ")
  }

  private func count(_ step: String, _ word: String) -> String? {
    let count = modules.count { $0.step == step }
    return count > 0 ? "\(count) \(word)" : nil
  }

  /// For people: one line for each module and key, as a diff.
  func text(_ style: TextStyle) -> String {
    let rows =
      modules.map { module in
        [mark(of: module, style), escaped(module.moduleID), verb(of: module), escaped(reasons(of: module))]
      } + keys.map { [style.yellow("~"), "policy", isApplied ? "changed" : "changes", escaped($0)] }
      + keysForRestart.map { [style.red("!"), "policy", "waits", "\(escaped($0)): restart the supervisor"] }
    guard !rows.isEmpty else { return "nothing has changed\n" }
    let left = failures.map { "  \(style.fail) \(escaped($0))\n" }.joined()
    let end = isApplied ? "" : style.dim("Nothing was changed; reload without --dry-run does it.") + "\n"
    return columns(rows) + left + end
  }

  private func mark(of module: Module, _ style: TextStyle) -> String {
    switch ReloadPlan.Step(rawValue: module.step) {
    case .start: style.green("+")
    case .stop: style.red("-")
    case .replace, .replaceAtOnce: style.yellow("~")
    case .some(.none), nil: style.open
    }
  }

  private func verb(of module: Module) -> String {
    switch ReloadPlan.Step(rawValue: module.step) {
    case .start: isApplied ? "tried again" : "is tried again"
    case .stop: isApplied ? "stopped" : "stops"
    case .replace: isApplied ? "new process" : "gets a new process"
    case .replaceAtOnce: isApplied ? "new process" : "gets a new process, the old one is cut short"
    case .some(.none), nil: "-"
    }
  }

  private func reasons(of module: Module) -> String {
    module.changes.isEmpty ? "it does not run" : module.changes.joined(separator: "; ")
  }
}

extension ReloadPlan.Change {
  /// In a few words.
  var text: String {
    switch self {
    case .added: "new; activate starts it"
    case .removed: "its manifest is gone"
    case .refused(let reason): "refused: \(reason)"
    case .manifest: "manifest"
    case .executable: "executable"
    case .origin(let from, let to): "origin \(from) → \(to)"
    case .granted(let capabilities): capabilities.map { "+\($0.rawValue)" }.joined(separator: " ")
    case .withdrawn(let capabilities): capabilities.map { "-\($0.rawValue)" }.joined(separator: " ")
    case .setting(let part): part.rawValue
    case .incompatible(let reason): reason
    }
  }
}
