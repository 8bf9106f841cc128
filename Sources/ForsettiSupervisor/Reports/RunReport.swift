import ForsettiCore
import ForsettiRuntime

/// What a boot came to, as `run` shows it and `run --once --json` prints it.
struct RunReport: Equatable {
  /// One module as the kernel and the supervisor see it at the moment of the report.
  struct Module: Equatable, Sendable {
    var moduleID: String
    var type: String
    /// `active`, or `failed`.
    var state: String
    var pid: Int32?
    var threads: Int?
    var kernelSyscalls: [String] = []
    var servedSyscalls: [String] = []
    /// Capabilities, by name.
    var grants: [String] = []
    var openFileDescriptors: Int?
    var pssKiB: Int?
    var activationMilliseconds: Double?
    var uptimeMilliseconds: Int?
    var lateAnswers: Int?
    var refusals: Int?
    /// Counted since the supervisor started, over all its processes.
    var calls: Int?
    var failedCalls: Int?
    var droppedEvents: Int?
    var droppedLogLines: Int?
    var restarts: Int?
    /// Why it is not active.
    var failure: String?
  }

  var version: String
  var policyPath: String
  /// `ready` or `failed`.
  var state: String
  var bootMilliseconds: Double
  var selectedUIModuleID: String?
  /// In activation order.
  var modules: [Module]
  /// Bundles that are not let in, one line each.
  var refusedBundles: [String] = []
  /// What holds every module, one line each.
  var layers: [String]
  /// What this kernel or user lacks, one line each.
  var missing: [String] = []
  /// What the selected module shows of itself.
  var surface = UISurface.empty

  /// For people, on standard output.
  func text(_ style: TextStyle, staysUp: Bool) -> String {
    let active = modules.count { $0.state == "active" }
    let headline = active == modules.count && state == "ready" ? style.pass : style.fail
    var text =
      "\(headline) \(style.bold("Forsetti \(version)")): \(active) of \(counted(modules.count, "module"))"
    text += " active in \(decimalText(bootMilliseconds, places: 1)) ms"
    text += " \(style.dim("(policy \(escaped(policyPath)))"))\n\n"
    text += columns([header(style)] + modules.map { row($0, style) })
    for module in modules {
      guard let failure = module.failure else { continue }
      text += "\n  \(style.fail) \(escaped(failure))\n"
    }
    for refusal in refusedBundles { text += "\n  \(style.fail) refused: \(escaped(refusal))\n" }
    text += surfaceLine
    text += "\n  Locked before any of their code ran:\n"
    text += layers.map { "  \(style.dim("-")) \($0)\n" }.joined()
    text += missing.map { "  \(style.yellow("- missing")): \($0)\n" }.joined()
    if staysUp { text += "\nRunning until SIGTERM or Ctrl-C.\n" }
    return text
  }

  private func header(_ style: TextStyle) -> [String] {
    ["", "MODULE", "TYPE", "PID", "THREADS", "CALLS", "FDS", "PSS", "ACTIVE IN"].map(style.dim)
  }

  private func row(_ module: Module, _ style: TextStyle) -> [String] {
    let isSelected = module.moduleID == selectedUIModuleID
    func number(_ value: Int?) -> String { value.map(String.init) ?? "-" }
    return [
      module.failure == nil ? style.pass : style.fail,
      escaped(module.moduleID),
      module.type + (isSelected ? " (selected)" : ""),
      number(module.pid.map(Int.init)),
      number(module.threads),
      module.failure == nil ? "\(module.kernelSyscalls.count) + \(module.servedSyscalls.count)" : "-",
      number(module.openFileDescriptors),
      module.pssKiB.map { "\($0) KiB" } ?? "-",
      module.activationMilliseconds.map { "\(decimalText($0, places: 1)) ms" } ?? "-",
    ]
  }

  /// For programs: one object.
  var json: JSONValue {
    .record([
      "state": .string(state), "bootMilliseconds": .milliseconds(bootMilliseconds),
      "selectedUIModuleID": .string(selectedUIModuleID),
      "modules": .array(modules.map(\.json)), "surface": Self.surfaceJSON(surface),
      "refusedBundles": .strings(refusedBundles), "missing": .strings(missing),
    ])
  }
}
