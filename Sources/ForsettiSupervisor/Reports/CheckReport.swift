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

  var errorCount: Int { findings.count { $0.severity == .error } }
  var warningCount: Int { findings.count - errorCount }
  /// Success unless something is invalid or incompatible; warnings keep success.
  var status: ExitStatus { errorCount == 0 ? .success : failureStatus }

  /// For people.
  func text(_ style: TextStyle) -> String {
    var text = ""
    for finding in findings {
      let mark = finding.severity == .error ? style.red("error") : style.yellow("warning")
      let pointer = finding.pointer.isEmpty ? "" : " \(escaped(finding.pointer))"
      text += "\(escaped(finding.place)):\(pointer) \(mark): \(escaped(finding.message))\n"
    }
    if !findings.isEmpty { text += "\n" }
    text += columns([
      ["policy", escaped(policyPath)],
      ["manifests", escaped(manifestsPath)],
      ["modules", "\(manifestCount) read, \(compatibleCount) compatible"],
    ])
    let verdict =
      errorCount == 0
      ? "\(style.pass) \(style.bold("valid and compatible"))"
      : "\(style.fail) \(style.bold(counted(errorCount, "error")))"
    let warnings = warningCount == 0 ? "" : ", \(counted(warningCount, "warning"))"
    return text + "\n\(verdict)\(warnings) \(style.dim("(\(decimalText(milliseconds, places: 0)) ms)"))\n"
  }

  /// For programs.
  var json: JSONValue {
    .record([
      "valid": .bool(errorCount == 0), "policy": .string(policyPath), "manifests": .string(manifestsPath),
      "manifestCount": .integer(manifestCount), "compatibleCount": .integer(compatibleCount),
      "milliseconds": .milliseconds(milliseconds),
      "findings": .array(
        findings.map {
          .record([
            "severity": .string($0.severity.rawValue), "place": .string($0.place),
            "pointer": .string($0.pointer), "message": .string($0.message),
          ])
        }),
    ])
  }
}

/// `1 error`, `2 errors`.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
