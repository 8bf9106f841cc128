import ForsettiCore

/// What `check` found: one policy, all manifests.
struct CheckReport: Equatable {
  /// One finding at one place.
  struct Finding: Equatable {
    enum Severity: String { case error, warning }

    var severity: Severity
    /// The file, with `:line:column` where the finding has a place.
    var place: String
    /// RFC 6901 pointer to the value; empty for the whole file.
    var pointer: String = ""
    var message: String
  }

  var policyPath: String
  var manifestsPath: String
  var manifestCount: Int
  /// Modules that the compatibility check would let start.
  var compatibleCount: Int
  /// Policy first, then manifests in file order, then compatibility in module order.
  var findings: [Finding]
  var milliseconds: Double
  /// What the exit status is when there are errors.
  var failureStatus: ExitStatus = .dataError
  /// What there is to say of a valid policy, where that was asked for.
  var lint: LintReport?

  var errorCount: Int { findings.count { $0.severity == .error } }
  var warningCount: Int { findings.count - errorCount }
  /// Success unless something is invalid, incompatible, or too risky; warnings keep success.
  var status: ExitStatus {
    if errorCount > 0 { return failureStatus }
    return lint?.isFailure == true ? .dataError : .success
  }

  /// For people.
  func text(_ style: TextStyle) -> String {
    var text = ""
    for finding in findings {
      let mark = finding.severity == .error ? style.red("error") : style.yellow("warning")
      let pointer = finding.pointer.isEmpty ? "" : " \(escaped(finding.pointer))"
      text += "\(escaped(finding.place)):\(pointer) \(mark): \(escaped(finding.message))\n"
    }
    if !findings.isEmpty { text += "\n" }
    if let lint { text += lint.text(style, policyPath: policyPath) }
    text += columns([
      ["policy", escaped(policyPath)],
      ["manifests", escaped(manifestsPath)],
      ["modules", "\(manifestCount) read, \(compatibleCount) compatible"],
    ])
    let verdict =
      status == .success
      ? "\(style.pass) \(style.bold("valid and compatible"))" : "\(style.fail) \(style.bold(failure))"
    let warnings = warningCount == 0 ? "" : ", \(counted(warningCount, "warning"))"
    return text + "\n\(verdict)\(warnings) \(style.dim("(\(decimalText(milliseconds, places: 0)) ms)"))\n"
  }

  /// What a check fails by, in words.
  private var failure: String {
    if errorCount > 0 { return counted(errorCount, "error") }
    guard let lint else { return "" }
    var parts: [String] = []
    if lint.openCount > 0 { parts.append("\(counted(lint.openCount, "risky line")) without a reason") }
    if let threshold = lint.threshold, !lint.exceeding.isEmpty {
      parts.append("\(counted(lint.exceeding.count, "module")) above \(decimalText(threshold, places: 1))")
    }
    return parts.joined(separator: ", ")
  }

  /// For programs.
  var json: JSONValue {
    var members: [(String, JSONValue)] = members
    if let lint { members.append(("lint", lint.json)) }
    return .object(members)
  }

  private var members: [(String, JSONValue)] {
    [
      ("valid", .bool(errorCount == 0)), ("policy", .string(policyPath)),
      ("manifests", .string(manifestsPath)),
      ("manifestCount", .integer(manifestCount)), ("compatibleCount", .integer(compatibleCount)),
      ("milliseconds", .milliseconds(milliseconds)),
      (
        "findings",
        .array(
          findings.map {
            .record([
              "severity": .string($0.severity.rawValue), "place": .string($0.place),
              "pointer": .string($0.pointer), "message": .string($0.message),
            ])
          })
      ),
    ]
  }
}

/// `1 error`, `2 errors`.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
