import ForsettiCore
import ForsettiSandbox

/// Why a module would or would not start, and all that its sandbox lets through.
struct ExplainReport: Equatable {
  /// One gate on the way to active.
  struct Gate: Equatable {
    /// Whether an activation would pass it.
    enum Outcome: String { case passed, failed }

    var name: String
    var outcome: Outcome
    var reason: String
  }

  /// One capability the manifest asks for.
  struct Grant: Equatable {
    var capability: String
    var verdict: PolicyDecision.Verdict
    /// The policy's reason, and the place that decided.
    var reason: String
  }

  var moduleID: String
  var displayName: String
  var manifestFile: String
  var sha256: String
  /// In the order an activation passes them.
  var gates: [Gate]
  /// In the manifest's order.
  var grants: [Grant]
  /// The plan, as the sandbox explains it.
  var plan: [PlanRow]
  /// The seccomp filter as the kernel takes it.
  var filter: [UInt8]
  /// The filter as container tools take one, and what is lost so.
  var profile: OCIExport
  /// What this kernel lacks, one line each.
  var missing: [String]

  /// Success when no gate fails.
  var status: ExitStatus { gates.contains { $0.outcome == .failed } ? .dataError : .success }

  private func rows(_ list: PlanRow.List) -> [PlanRow] { plan.filter { $0.list == list } }
}

// MARK: - Text

extension ExplainReport {
  /// For people.
  func text(_ style: TextStyle) -> String {
    var text = "\(style.bold(escaped(displayName)))  \(escaped(moduleID))\n"
    text += style.dim("\(escaped(manifestFile))  sha256 \(sha256)") + "\n"
    text += section("Gates", style)
    text += columns(gates.map { [mark($0.outcome, style), $0.name, escaped($0.reason)] })
    text += section("Grants", style)
    text += grants.isEmpty ? "  the manifest asks for nothing\n" : ""
    text += columns(grants.map { [mark($0.verdict, style), $0.capability, escaped($0.reason)] })
    for list in PlanRow.List.allCases where !rows(list).isEmpty {
      text += section(title(list), style)
      text += columns(rows(list).map { row($0, style) })
    }
    if !missing.isEmpty {
      text += section("This kernel lacks", style) + missing.map { "  \($0)\n" }.joined()
    }
    return text
  }

  private func section(_ title: String, _ style: TextStyle) -> String { "\n\(style.bold(title))\n" }

  private func title(_ list: PlanRow.List) -> String {
    let count = Set(rows(list).map(\.name)).count
    switch list {
    case .kernel: return "System calls the kernel carries out (\(count))"
    case .served: return "System calls the supervisor answers (\(count))"
    case .violation: return "Every other system call"
    case .landlock: return "Landlock"
    case .limit: return "Limits"
    case .brokered: return "Services through the supervisor"
    }
  }

  private func row(_ row: PlanRow, _ style: TextStyle) -> [String] {
    let conditions = row.conditions.joined(separator: ", ")
    let reason = style.dim(row.reason)
    switch row.list {
    case .kernel: return [row.name, conditions, reason]
    case .served: return [row.name, conditions, row.outcome, reason]
    case .limit: return [row.name, row.outcome, row.heldBy.map { "by \($0)" } ?? "", reason]
    case .violation, .landlock, .brokered: return [row.name, row.outcome, reason]
    }
  }

  private func mark(_ outcome: Gate.Outcome, _ style: TextStyle) -> String {
    switch outcome {
    case .passed: style.pass
    case .failed: style.fail
    }
  }

  private func mark(_ verdict: PolicyDecision.Verdict, _ style: TextStyle) -> String {
    switch verdict {
    case .granted: style.pass
    case .leftOut: style.open
    case .denied: style.fail
    }
  }
}

// MARK: - JSON

extension ExplainReport {
  /// For programs.
  var json: JSONValue {
    .record([
      "moduleID": .string(moduleID), "displayName": .string(displayName), "manifest": .string(manifestFile),
      "sha256": .string(sha256), "gates": .array(gates.map(Self.json)),
      "grants": .array(grants.map(Self.json)),
      "plan": .array(plan.map(Self.json)), "missing": .strings(missing),
      "filterInstructions": .integer(filter.count / 8),
    ])
  }

  private static func json(_ gate: Gate) -> JSONValue {
    .record([
      "gate": .string(gate.name), "outcome": .string(gate.outcome.rawValue), "reason": .string(gate.reason),
    ])
  }

  private static func json(_ grant: Grant) -> JSONValue {
    .record([
      "capability": .string(grant.capability), "verdict": .string(grant.verdict.rawValue),
      "reason": .string(grant.reason),
    ])
  }

  private static func json(_ row: PlanRow) -> JSONValue {
    .record([
      "list": .string(row.list.rawValue), "name": .string(row.name), "conditions": .strings(row.conditions),
      "outcome": .string(row.outcome), "reason": .string(row.reason),
      "heldBy": row.heldBy.map { .string($0) } ?? .null,
    ])
  }
}
