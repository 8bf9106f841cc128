import ForsettiCore
import ForsettiRuntime

/// What `check --lint` adds to a check: risky lines of the policy, and how much each module could harm.
struct LintReport: Equatable {
  /// In the order of the policy's text.
  var findings: [LintFinding]
  /// Most exposed first.
  var exposures: [ModuleExposure]
  /// What no module may be above, where somebody said so.
  var threshold: Double?

  /// Lints a policy for the modules that are there.
  init(_ policy: Policy, text: [UInt8], _ catalog: ForsettiModuleCatalog, threshold: Double?) {
    let modules = catalog.manifests.map { LintedModule($0.manifest, origin: $0.origin) }
    findings = PolicyLint.findings(in: text, of: policy, for: modules)
    exposures = modules.map { ModuleExposure(of: $0, by: policy) }.enumerated().sorted { left, right in
      let (one, other) = (left.element.score, right.element.score)
      return one != other ? one > other : left.offset < right.offset
    }.map(\.element)
    self.threshold = threshold
  }

  /// Lines that somebody has to give a reason for.
  var openCount: Int { findings.count(where: \.isOpen) }
  /// Modules above the threshold.
  var exceeding: [ModuleExposure] { threshold.map { limit in exposures.filter { $0.score > limit } } ?? [] }
  /// Whether a check fails by it.
  var isFailure: Bool { openCount > 0 || !exceeding.isEmpty }

  // MARK: For people

  /// Lines without a reason, notes, and the table of modules.
  func text(_ style: TextStyle, policyPath: String) -> String {
    var text = ""
    for finding in findings where finding.reason == nil {
      let mark = finding.isOpen ? style.red("error") : style.dim("note")
      text += "\(escaped(policyPath)):\(finding.place.line):\(finding.place.column): "
      text += "\(escaped(finding.pointer)) \(mark): \(escaped(finding.message))"
      text += finding.isOpen ? "; or say why by a \"reason\"" : ""
      text += " \(style.dim("[\(finding.rule.rawValue)]"))\n"
    }
    if !text.isEmpty { text += "\n" }
    let rows = exposures.map { exposure in
      [
        escaped(exposure.moduleID), score(exposure, style), exposure.level.rawValue,
        style.dim(
          exposure.heaviest.prefix(2).map { "\($0.name): \(escaped($0.answer))" }.joined(separator: "; ")),
      ]
    }
    text += columns([["MODULE", "EXPOSURE", "", "MOST OF IT"]] + rows, indent: "") + "\n"
    return text + columns([["risky lines", "\(openCount) without a reason, \(reasonedCount) with one"]])
  }

  private var reasonedCount: Int { findings.count { $0.reason != nil } }

  private func score(_ exposure: ModuleExposure, _ style: TextStyle) -> String {
    let text = decimalText(exposure.score, places: 1)
    return threshold.map { exposure.score > $0 } == true ? style.red("\(text) ✗") : text
  }

  // MARK: For programs

  /// All findings, those with a reason too.
  var json: JSONValue {
    .record([
      "openCount": .integer(openCount),
      "findings": .array(
        findings.map {
          .record([
            "rule": .string($0.rule.rawValue), "level": .string($0.rule.level.rawValue),
            "line": .integer($0.place.line), "column": .integer($0.place.column),
            "pointer": .string($0.pointer), "message": .string($0.message), "reason": .string($0.reason),
          ])
        }),
      "threshold": threshold.map { .number($0) } ?? .null,
      "exposure": .array(exposures.map(Self.json)),
    ])
  }

  private static func json(_ exposure: ModuleExposure) -> JSONValue {
    .record([
      "moduleID": .string(exposure.moduleID), "score": .number(exposure.score),
      "level": .string(exposure.level.rawValue),
      "questions": .array(
        exposure.questions.map {
          .record([
            "name": .string($0.name), "weight": .number($0.weight), "share": .number($0.share),
            "answer": .string($0.answer),
          ])
        }),
    ])
  }
}
