import ForsettiCore

/// `status` and `modules` for people.
struct StatusTable {
  let report: StatusReport

  init(_ report: StatusReport) { self.report = report }

  /// Headline, table and what is wrong.
  func text(_ style: TextStyle) -> String {
    let active = report.modules.count { $0.state == "active" }
    let isWell = active == report.modules.count && report.state == "ready"
    var text = "\(isWell ? style.pass : style.fail) \(style.bold("Forsetti \(escaped(report.version))")) is "
    text += "\(escaped(report.state)), \(active) of \(counted(report.modules.count, "module")) active, up "
    text += "\(Self.duration(report.uptimeMilliseconds)) \(style.dim("(policy \(escaped(report.policy)))"))\n"
    if !report.modules.isEmpty { text += "\n" + rows(style) }
    for module in report.modules {
      if let failure = module.failure { text += "\n  \(style.fail) \(escaped(failure))\n" }
    }
    return text + report.missing.map { "  \(style.yellow("- missing")): \(escaped($0))\n" }.joined()
  }

  /// One line for each module, under a header.
  func rows(_ style: TextStyle) -> String {
    let header = [
      "", "MODULE", "TYPE", "STATE", "PID", "PSS", "UP", "CALLS", "FAILED", "REFUSED", "RESTARTS",
    ].map(style.dim)
    return columns([header] + report.modules.map { row($0, style) })
  }

  private func row(_ module: RunReport.Module, _ style: TextStyle) -> [String] {
    let isSelected = module.moduleID == report.selectedUIModuleID
    func number(_ value: Int?) -> String { value.map(String.init) ?? "-" }
    return [
      module.failure != nil ? style.fail : module.state == "active" ? style.pass : style.open,
      escaped(module.moduleID), escaped(module.type) + (isSelected ? " (selected)" : ""),
      escaped(module.state), number(module.pid.map(Int.init)), module.pssKiB.map { "\($0) KiB" } ?? "-",
      module.uptimeMilliseconds.map(Self.duration) ?? "-", number(module.calls),
      number(module.failedCalls), number(module.refusals), number(module.restarts),
    ]
  }

  /// One module, one line for each thing known of it.
  static func details(of module: RunReport.Module, _ style: TextStyle) -> String {
    var rows: [[String]] = []
    for member in module.json.members ?? [] where !member.value.isNull {
      let value =
        member.value.stringValue ?? member.value.elements?.compactMap(\.stringValue).joined(separator: " ")
        ?? JSONWriter.text(member.value)
      rows.append([style.dim(member.key), escaped(value)])
    }
    return columns(rows, indent: "")
  }

  /// The two greatest units: `3 d 4 h`, `12 min 5 s`, `0 s`.
  static func duration(_ milliseconds: Int) -> String {
    let seconds = milliseconds / 1000
    let parts = [
      (seconds / 86_400, "d"), (seconds / 3600 % 24, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s"),
    ]
    let shown = parts.drop { $0.0 == 0 }.prefix(2)
    return shown.isEmpty ? "0 s" : shown.map { "\($0.0) \($0.1)" }.joined(separator: " ")
  }
}

/// `surface` for people.
enum SurfaceText {
  static func of(_ answer: SurfaceAnswer) -> String {
    guard let moduleID = answer.moduleID else { return "no UI module is active\n" }
    let toolbar = (answer.surface["toolbar"]?.elements ?? []).map { item in
      ["toolbar", item["itemID"]?.stringValue ?? "", item["title"]?.stringValue ?? ""]
    }
    let views = (answer.surface["injections"]?.members ?? []).flatMap { slot in
      (slot.value.elements ?? []).map { injection in
        let view = injection["viewID"]?.stringValue ?? ""
        return [slot.key, view, "drawn by " + (answer.renderers[view] ?? moduleID)]
      }
    }
    let routes = (answer.surface["overlays"]?["routes"]?.elements ?? []).map { route in
      let id = route["routeID"]?.stringValue ?? ""
      return [
        "route", id,
        [route["path"]?.stringValue, answer.routeTitles[id]].compactMap(\.self).joined(separator: "  "),
      ]
    }
    return escaped(moduleID) + "\n" + columns((toolbar + views + routes).map { $0.map(escaped) })
  }
}
