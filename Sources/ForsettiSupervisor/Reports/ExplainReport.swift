import ForsettiCore

/// Why a module would or would not start, and all that its sandbox lets through.
struct ExplainReport: Equatable {
  /// One gate on the way to active.
  struct Gate: Equatable {
    enum Outcome: String { case passed, failed, open }

    var name: String
    var outcome: Outcome
    var reason: String
  }

  /// One capability the manifest asks for.
  struct Grant: Equatable {
    var capability: String
    var isGranted: Bool
    /// The policy's reason and the line that decided.
    var reason: String
  }

  /// One system call, or one answer given for it.
  struct SystemCall: Equatable {
    /// `kernel` or `served`.
    var list: String
    var name: String
    var condition: String
    /// What the supervisor answers; empty in the kernel list.
    var answer: String
    var reason: String
  }

  /// A name with its value and, where there is one, a reason.
  struct Entry: Equatable {
    var name: String
    var value: String
    var reason: String = ""
  }

  var moduleID: String
  var displayName: String
  var manifestFile: String
  var sha256: String
  var gates: [Gate]
  var grants: [Grant]
  var systemCalls: [SystemCall]
  var landlock: [Entry]
  var limits: [Entry]
  /// The seccomp filter, eight bytes an instruction.
  var filter: [UInt8]
  /// What this kernel lacks.
  var missing: [String]

  /// Success when no gate fails.
  var status: ExitStatus { gates.contains { $0.outcome == .failed } ? .dataError : .success }

  /// For people.
  func text(_ style: TextStyle) -> String {
    var text = "\(style.bold(escaped(displayName)))  \(escaped(moduleID))\n"
    text += style.dim("\(escaped(manifestFile))  sha256 \(sha256)") + "\n"
    text += section("Gates", style)
    text += columns(gates.map { [mark($0.outcome, style), $0.name, escaped($0.reason)] })
    text += section("Grants", style)
    text += grants.isEmpty ? "  the manifest asks for nothing\n" : ""
    text += columns(
      grants.map { [$0.isGranted ? style.pass : style.fail, $0.capability, escaped($0.reason)] })
    let kernel = systemCalls.filter { $0.list == "kernel" }
    let served = systemCalls.filter { $0.list != "kernel" }
    text += section("System calls that reach the kernel (\(Set(kernel.map(\.name)).count))", style)
    text += columns(kernel.map { [$0.name, $0.condition, style.dim(escaped($0.reason))] })
    text += section("System calls the supervisor answers (\(Set(served.map(\.name)).count))", style)
    text += columns(served.map { [$0.name, $0.condition, $0.answer, style.dim(escaped($0.reason))] })
    text += "\n  Any other call is recorded and kills the module.\n"
    text += section("Landlock", style) + rows(landlock, style)
    text += section("Limits", style) + rows(limits, style)
    text +=
      missing.isEmpty ? "" : section("Missing in this kernel", style) + missing.map { "  \($0)\n" }.joined()
    return text
  }

  private func section(_ title: String, _ style: TextStyle) -> String { "\n\(style.bold(title))\n" }

  private func rows(_ entries: [Entry], _ style: TextStyle) -> String {
    columns(entries.map { [$0.name, $0.value] + ($0.reason.isEmpty ? [] : [style.dim(escaped($0.reason))]) })
  }

  private func mark(_ outcome: Gate.Outcome, _ style: TextStyle) -> String {
    switch outcome {
    case .passed: style.pass
    case .failed: style.fail
    case .open: style.open
    }
  }

  /// For programs.
  var json: JSONValue {
    func list(_ entries: [Entry]) -> JSONValue {
      .array(
        entries.map {
          .record(["name": .string($0.name), "value": .string($0.value), "reason": .string($0.reason)])
        })
    }
    return .record([
      "moduleID": .string(moduleID), "displayName": .string(displayName), "manifest": .string(manifestFile),
      "sha256": .string(sha256),
      "gates": .array(
        gates.map {
          .record([
            "gate": .string($0.name), "outcome": .string($0.outcome.rawValue), "reason": .string($0.reason),
          ])
        }),
      "grants": .array(
        grants.map {
          .record([
            "capability": .string($0.capability), "granted": .bool($0.isGranted),
            "reason": .string($0.reason),
          ])
        }),
      "systemCalls": .array(
        systemCalls.map {
          .record([
            "list": .string($0.list), "name": .string($0.name), "condition": .string($0.condition),
            "answer": .string($0.answer), "reason": .string($0.reason),
          ])
        }),
      "landlock": list(landlock), "limits": list(limits), "missing": .strings(missing),
      "filterInstructions": .integer(filter.count / 8),
    ])
  }
}
