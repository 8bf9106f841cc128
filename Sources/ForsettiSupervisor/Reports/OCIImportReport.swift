import ForsettiCore
import ForsettiSandbox

/// What of a seccomp profile a policy can express, for people and programs.
struct OCIImportReport: Equatable {
  var path: String
  var found: OCIImport

  /// The rule of a policy that expresses it, but for the modules that it is for; `nil` where none needs to.
  private var rule: JSONValue? {
    found.proposed.isEmpty
      ? nil
      : .record([
        "modules": .string("MODULE"),
        "sandbox": .record(["direct": .strings(found.proposed.map(\.rawValue))]),
      ])
  }

  private var count: Int {
    found.same.count + found.narrowed.count + found.answered.count + found.refused.count
  }
}

// MARK: - Text

extension OCIImportReport {
  /// Columns of names that go on over lines are as wide.
  private static let width = 90

  /// For people.
  func text(_ style: TextStyle) -> String {
    var text = "\(style.bold(escaped(path)))  lets through \(counted(count, "call")) of this machine\n"
    text += section("The policy that expresses it", style)
    text +=
      "  " + (rule.map { JSONWriter.text($0) } ?? "no rule: whatever of it can be had, every module has")
      + "\n"
    text += found.grants.map { grant($0, style) }.joined()
    text += list("As in the profile", Self.wrapped(nil, found.same), style)
    text += list(
      "In other forms",
      found.narrowed.map {
        [$0.name, "here \(Self.forms($0.here))", style.dim("the profile: \(Self.forms($0.profile))")]
      }, style)
    text += list(
      "Answered by the supervisor", found.answered.map { [$0.name, $0.answers.joined(separator: "; ")] },
      style)
    text += refused(style)
    text += list(
      "Every module may do, and the profile does not let through in that form",
      found.beyond.map { [$0.name, $0.conditions.joined(separator: ", "), style.dim($0.reason)] }, style)
    text += list(
      "Let through with capabilities, of which a module has none",
      found.capable.flatMap { Self.wrapped(escaped($0.capability), $0.calls.map(escaped)) }, style)
    text += list("No calls of this machine", Self.wrapped(nil, found.unknown.map(escaped)), style)
    text += list("Lost besides", found.losses.map { [escaped($0)] }, style)
    return text
  }

  private func section(_ title: String, _ style: TextStyle) -> String { "\n\(style.bold(title))\n" }

  private func list(_ title: String, _ rows: [[String]], _ style: TextStyle) -> String {
    rows.isEmpty ? "" : section(title, style) + columns(rows)
  }

  private func grant(_ grant: OCIImport.Grant, _ style: TextStyle) -> String {
    let lacking = grant.lacking.map { "\($0.name) \($0.conditions.joined(separator: ", "))" }
    return grant.isProposed
      ? "  \(style.pass) direct \(grant.grant.rawValue): the profile lets through all that it adds\n"
      : "  \(style.open) not direct \(grant.grant.rawValue): the profile does not let through "
        + lacking.joined(separator: "; ") + "\n"
  }

  /// Grouped by what keeps them out, in the order of the first call of each.
  private func refused(_ style: TextStyle) -> String {
    var reasons: [String] = []
    var calls: [String: [String]] = [:]
    for form in found.refused {
      if calls[form.reason] == nil { reasons.append(form.reason) }
      let conditions = form.conditions.isEmpty ? "" : " (\(form.conditions.joined(separator: "; or ")))"
      calls[form.reason, default: []].append(form.name + conditions)
    }
    guard !reasons.isEmpty else { return "" }
    return section("Never let through (\(found.refused.count))", style)
      + reasons.map { reason in
        "  \(reason)\n" + columns(Self.wrapped(nil, calls[reason] ?? []), indent: "      ")
      }.joined()
  }

  private static func forms(_ forms: [String]) -> String {
    forms.isEmpty ? "with any arguments" : forms.joined(separator: "; or ")
  }

  /// Names as lines, the first of them behind a title.
  private static func wrapped(_ title: String?, _ names: [String]) -> [[String]] {
    var lines: [String] = []
    for name in names {
      if let line = lines.last, line.count + name.count + 2 <= width {
        lines[lines.count - 1] = "\(line), \(name)"
      } else {
        lines.append(name)
      }
    }
    guard let title else { return lines.map { [$0] } }
    return lines.enumerated().map { [$0.offset == 0 ? title : "", $0.element] }
  }
}

// MARK: - JSON

extension OCIImportReport {
  /// For programs.
  var json: JSONValue {
    .record([
      "profile": .string(path), "rule": rule ?? .null,
      "grants": .array(
        found.grants.map {
          .record([
            "grant": .string($0.grant.rawValue), "proposed": .bool($0.isProposed),
            "calls": .strings($0.calls),
            "lacking": Self.json($0.lacking),
          ])
        }),
      "same": .strings(found.same),
      "narrowed": .array(
        found.narrowed.map {
          .record([
            "call": .string($0.name), "profile": .strings($0.profile), "here": .strings($0.here),
          ])
        }),
      "answered": .array(
        found.answered.map { .record(["call": .string($0.name), "answers": .strings($0.answers)]) }),
      "refused": Self.json(found.refused), "beyond": Self.json(found.beyond),
      "capabilities": .array(
        found.capable.map {
          .record(["capability": .string($0.capability), "calls": .strings($0.calls)])
        }),
      "unknown": .strings(found.unknown), "losses": .strings(found.losses),
    ])
  }

  private static func json(_ forms: [OCIImport.Form]) -> JSONValue {
    .array(
      forms.map {
        .record([
          "call": .string($0.name), "conditions": .strings($0.conditions), "reason": .string($0.reason),
        ])
      })
  }
}
