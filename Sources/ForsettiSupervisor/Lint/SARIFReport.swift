import ForsettiCore

/// A check in SARIF 2.1.0 (OASIS), which code hosts and editors show by the lines it is about. A line with a reason is a
/// result that is suppressed in the source, its reason the justification.
struct SARIFReport {
  private static let faultRule = "check"

  let check: CheckReport

  /// One run of one tool.
  var json: JSONValue {
    .record([
      "$schema": .string(
        "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"),
      "version": .string("2.1.0"),
      "runs": .array([
        .record([
          "tool": .record(["driver": driver]), "columnKind": .string("unicodeCodePoints"),
          "results": .array(check.findings.map(result) + (check.lint?.findings ?? []).map(result)),
        ])
      ]),
    ])
  }

  private var driver: JSONValue {
    let faults = rule(Self.faultRule, "Policy and manifests are valid, and fit each other.", level: "error")
    return .record([
      "name": .string("forsetti-supervisor"), "version": .string("\(ForsettiVersion.current)"),
      "rules": .array(
        [faults]
          + LintRule.allCases.map { rule($0.rawValue, $0.summary, level: $0.level.rawValue) }),
    ])
  }

  private func rule(_ id: String, _ summary: String, level: String) -> JSONValue {
    .record([
      "id": .string(id), "shortDescription": .record(["text": .string(summary)]),
      "defaultConfiguration": .record(["level": .string(level)]),
    ])
  }

  // MARK: Results

  private func result(_ finding: CheckReport.Finding) -> JSONValue {
    let (file, place) = Self.place(finding.place)
    return .record([
      "ruleId": .string(Self.faultRule), "level": .string(finding.severity.rawValue),
      "message": .record(["text": .string(finding.message)]),
      "locations": .array([location(file, place, finding.pointer)]),
    ])
  }

  private func result(_ finding: LintFinding) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("ruleId", .string(finding.rule.rawValue)), ("level", .string(finding.rule.level.rawValue)),
      ("message", .record(["text": .string(finding.message)])),
      ("locations", .array([location(check.policyPath, finding.place, finding.pointer)])),
    ]
    if let reason = finding.reason {
      let suppression = JSONValue.record(["kind": .string("inSource"), "justification": .string(reason)])
      members.append(("suppressions", .array([suppression])))
    }
    return .object(members)
  }

  private func location(_ file: String, _ place: PolicyPlace?, _ pointer: String) -> JSONValue {
    var physical: [(String, JSONValue)] = [
      ("artifactLocation", .record(["uri": .string(Self.uri(file))]))
    ]
    if let place {
      let region = JSONValue.record([
        "startLine": .integer(place.line), "startColumn": .integer(place.column),
      ])
      physical.append(("region", region))
    }
    var members: [(String, JSONValue)] = [("physicalLocation", .object(physical))]
    if !pointer.isEmpty {
      let logical = JSONValue.record(["fullyQualifiedName": .string(pointer)])
      members.append(("logicalLocations", .array([logical])))
    }
    return .object(members)
  }

  /// `FILE:LINE:COLUMN`, or a file alone.
  static func place(_ text: String) -> (file: String, place: PolicyPlace?) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count > 2, let line = Int(parts[parts.count - 2]), let column = Int(parts[parts.count - 1])
    else { return (text, nil) }
    return (parts.dropLast(2).joined(separator: ":"), PolicyPlace(line: line, column: column))
  }

  /// A path as a URI reference (RFC 3986): absolute ones are of the scheme `file`.
  static func uri(_ path: String) -> String {
    let escaped = path.utf8.reduce(into: "") { text, byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"), UInt8(ascii: "/"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let hex = String(byte, radix: 16, uppercase: true)
        text += hex.utf8.count == 1 ? "%0\(hex)" : "%\(hex)"
      }
    }
    return path.hasPrefix("/") ? "file://\(escaped)" : escaped
  }
}
