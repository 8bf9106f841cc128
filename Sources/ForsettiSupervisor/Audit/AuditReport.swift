import ForsettiCore
import ForsettiRuntime
import ForsettiSandbox

/// What an audit has seen, and the smallest change to the policy that would allow it.
struct AuditReport: Equatable {
  /// One form of a call.
  struct Row: Equatable {
    var count: UInt64
    /// The call with its arguments.
    var call: String
    /// Whether it was let through; otherwise it ended the process.
    var wasLetThrough: Bool
    /// Why no change to the policy allows it; `nil` where the one below does.
    var refusal: String?
  }

  /// A line of the changed policy that somebody should think about.
  struct Warning: Equatable {
    /// 1-based, in the changed file.
    var line: Int
    var text: String
  }

  var moduleID: String
  /// In the order in which each came first.
  var rows: [Row]
  /// Calls past the limit of rows, by name.
  var omitted: [String: UInt64]
  /// How many calls there were.
  var total: UInt64
  var place: PatchPlace
  /// A unified diff; empty where no change allows any of the calls.
  var patch = ""
  var warnings: [Warning] = []

  /// Makes the report of what was seen until now.
  /// - Parameters:
  ///   - policyText: the policy's file as it was when the supervisor started.
  ///   - policyPath: as it was given.
  init(
    of records: AuditRecords, _ subject: ModuleAudit.Subject, policyText: [UInt8], policyPath: String
  ) throws(PolicyFaults) {
    let search = records.smallestGrants(beside: subject.grants, policy: subject.sandbox)
    moduleID = subject.moduleID
    rows = records.records.map { record in
      let isRefused = search.refused.contains(ObservedCall(record.call))
      return Row(
        count: record.count, call: record.call.callText, wasLetThrough: record.wasLetThrough,
        refusal: isRefused ? Self.refusal(of: record) : nil)
    }
    omitted = records.omitted
    total = records.total
    place = PatchPlace(of: policyPath)
    guard !search.change.isEmpty else { return }
    let addition = PolicyAddition(
      moduleID: subject.moduleID, origin: subject.origin, direct: search.change.direct,
      capabilities: search.change.capabilities)
    let diff = UnifiedDiff(from: policyText, to: try addition.applied(to: policyText), name: place.name)
    patch = diff.text
    warnings = search.change.direct.sorted { $0.rawValue < $1.rawValue }.compactMap { grant in
      let line = diff.added.last { $0.text.contains("\"\(grant.rawValue)\"") }
      return line.map { Warning(line: $0.number, text: "\(grant.rawValue): \(grant.warning)") }
    }
  }

  private static func refusal(of record: AuditRecords.Record) -> String {
    record.wasLetThrough
      ? "no policy line allows it" : "nothing allows it: \(NeverList.reason(for: record.call.syscall))"
  }
}

// MARK: - Text

extension AuditReport {
  /// For people. patch(1) takes the whole of it: what is no patch it passes over.
  /// - Parameter onTerminal: nothing in the policy's lines may steer that; elsewhere the patch is exact, byte for byte.
  func text(_ style: TextStyle, onTerminal: Bool) -> String {
    let title = style.bold("Audit of \(escaped(moduleID))")
    guard total > 0 else { return "\n\(title): it made no call outside its sandbox\n" }
    var text = "\n\(title): \(counted(Int(clamping: total), "call")) outside its sandbox\n\n"
    text += columns(rows.map { row($0, style) })
    for (name, count) in omitted.sorted(by: { $0.key < $1.key }) {
      text +=
        "  \(count)  \(escaped(name)) in further forms, past the limit of \(AuditRecords.limit); no change is sought for them\n"
    }
    guard !patch.isEmpty else {
      return text + "\nNo change to the policy allows any of them: the module has to do without.\n"
    }
    text +=
      "\nThe smallest change to the policy that allows what can be allowed (\(escaped(place.command))):\n\n"
    for warning in warnings {
      text += "\(style.yellow("warning")): line \(warning.line): \(warning.text)\n"
    }
    return text + "\n" + (onTerminal ? escaped(patch, keeping: ["\n", "\t"]) : patch)
  }

  private func row(_ row: Row, _ style: TextStyle) -> [String] {
    [
      "\(row.count)", row.wasLetThrough ? "let through" : style.red("ended by it"), escaped(row.call),
      style.dim(row.refusal.map { escaped($0) } ?? "the change below allows it"),
    ]
  }
}

// MARK: - JSON

extension AuditReport {
  /// For programs: one object.
  var json: JSONValue {
    .record([
      "audit": .string(moduleID), "calls": .integer(total), "records": .array(rows.map(Self.json)),
      "omitted": .object(omitted.sorted { $0.key < $1.key }.map { ($0.key, .integer($0.value)) }),
      "patch": .string(patch), "apply": .string(place.command),
      "warnings": .array(
        warnings.map { .record(["line": .integer($0.line), "text": .string($0.text)]) }),
    ])
  }

  private static func json(_ row: Row) -> JSONValue {
    .record([
      "count": .integer(row.count), "call": .string(row.call), "letThrough": .bool(row.wasLetThrough),
      "refusal": .string(row.refusal),
    ])
  }
}
