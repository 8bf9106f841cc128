import ForsettiCore
import ForsettiIPC

/// A crash report for people: what happened and what to do first, then all that is known. Every text may be the module's.
struct CrashReportText {
  let report: CrashReport
  let style: TextStyle

  init(_ report: CrashReport, _ style: TextStyle) {
    self.report = report
    self.style = style
  }

  /// The whole report.
  var text: String {
    headline
      + section("Backtrace", backtrace, none: "none")
      + section("Last log lines", log, none: "it wrote none")
      + section("Last frames it sent", frameHeads, none: "it sent none")
      + section("Used up", usage, none: "unknown")
      + section("Calls that the supervisor answered", servedCalls, none: "none")
      + section("Earlier ends", ends, none: "none that counts")
      + (evidence.missing.isEmpty
        ? "" : section("Not known", evidence.missing.map { [escaped($0)] }, none: ""))
  }

  private var evidence: CrashEvidence { report.evidence }

  private var headline: String {
    let module = report.module
    var rows = [
      ["reason", escaped(report.exit.reason.message)],
      ["ended by", Self.status(report.exit.status)],
    ]
    if let words = report.lastWords { rows.append(["last words", escaped(words)]) }
    if let fault = evidence.fault, fault.address != 0 { rows.append(["address", Self.hex(fault.address)]) }
    if case .violation(let violation) = report.exit.reason, violation.number >= 0 {
      rows.append(["arguments", violation.arguments.map(Self.hex).joined(separator: " ")])
      rows.append(["instruction", Self.hex(violation.instructionPointer)])
    }
    if let wayOut = report.wayOut { rows.append(["way out", escaped(wayOut)]) }
    let command = "forsetti-supervisor " + report.next.command(for: module.moduleID)
    rows.append(["what follows", "\(report.next.message); `\(escaped(command))` changes that"])
    rows += [
      ["started", timestampText(report.startedAt)], ["ended", timestampText(report.endedAt)],
      ["active for", StatusTable.duration(Int(clamping: report.uptimeMilliseconds))],
      ["version", "\(escaped(module.version)) (\(escaped(module.origin)), \(module.type.rawValue))"],
      ["entry point", escaped(module.entryPoint)], ["manifest", escaped(module.manifestSHA256)],
      ["asked for", Self.list(module.capabilitiesRequested)], ["granted", Self.list(report.grants)],
    ]
    return
      "\(style.fail) \(style.bold(escaped(module.moduleID))) ended unasked: crash report \(report.id)\n\n"
      + columns(rows.map { [style.dim($0[0]), $0[1]] })
  }

  private var backtrace: [[String]] {
    evidence.backtrace.enumerated().map { number, frame in
      let place = frame.file.map { file in
        "\(file.split(separator: "/").last ?? "")" + (frame.offset.map { " + \(Self.hex($0))" } ?? "")
      }
      return [
        style.dim("\(number)"), Self.hex(frame.address),
        escaped((frame.function ?? "") + (frame.functionOffset.map { " + \($0)" } ?? "")),
        style.dim(escaped(place ?? "")),
      ]
    }
  }

  private var log: [[String]] {
    evidence.log.map { line in
      [style.dim("\(line.atMilliseconds) ms"), line.level?.rawValue ?? "output", escaped(line.text)]
    }
  }

  private var frameHeads: [[String]] {
    evidence.frameHeads.map { head in
      [
        escaped(head.kind), head.callID == 0 ? "-" : "call \(head.callID)", "\(head.length) bytes",
        escaped(head.method ?? ""),
      ]
    }
  }

  private var usage: [[String]] {
    guard let usage = evidence.usage else { return [] }
    func milliseconds(_ microseconds: Int64) -> String {
      decimalText(Double(microseconds) / 1_000, places: 1) + " ms"
    }
    return [
      [
        "processor",
        "\(milliseconds(usage.userMicroseconds)) own, \(milliseconds(usage.systemMicroseconds)) kernel",
      ],
      ["memory", "\(usage.peakMemoryKiB) KiB at most"],
      ["page faults", "\(usage.minorFaults), \(usage.majorFaults) of them from a device"],
      ["waits", "\(usage.voluntarySwitches) of its own, \(usage.involuntarySwitches) when its time was up"],
    ].map { [style.dim($0[0]), $0[1]] }
  }

  private var servedCalls: [[String]] {
    let rows = evidence.servedCalls.sorted { $0.key < $1.key }.map { [escaped($0.key), "\($0.value)"] }
    return evidence.delayedCalls == 0
      ? rows : rows + [[style.dim("made to wait"), "\(evidence.delayedCalls)"]]
  }

  private var ends: [[String]] { report.ends.map { [timestampText($0)] } }

  private func section(_ title: String, _ rows: [[String]], none: String) -> String {
    "\n\(style.bold(title))\n" + columns(rows.isEmpty ? [[style.dim(none)]] : rows)
  }

  private static func status(_ status: ProcessStatus) -> String {
    switch status {
    case .exited(let code): "exit code \(code)"
    case .signalled(let signal): SignalName.text(signal)
    }
  }

  private static func hex(_ value: UInt64) -> String { "0x" + String(value, radix: 16) }

  private static func list(_ capabilities: [Capability]) -> String {
    capabilities.isEmpty ? "nothing" : capabilities.map(\.rawValue).joined(separator: ", ")
  }
}

/// What `crashes list` shows: one line a report, newest first.
struct CrashList {
  private let summaries: [CrashSummary]

  init(_ summaries: [CrashSummary]) { self.summaries = summaries }

  /// For people.
  func text(_ style: TextStyle) -> String {
    guard !summaries.isEmpty else { return "No module has ended unasked.\n" }
    let header = ["", "REPORT", "MODULE", "REASON", "AFTER", "WHAT FOLLOWS"].map(style.dim)
    return columns([header] + summaries.map { row($0, style) })
  }

  private func row(_ summary: CrashSummary, _ style: TextStyle) -> [String] {
    if let fault = summary.fault {
      return [style.yellow("-"), escaped(summary.id), "", "", "", escaped(fault)]
    }
    return [
      style.fail, escaped(summary.id), escaped(summary.moduleID ?? ""), escaped(summary.reason ?? ""),
      summary.uptimeMilliseconds.map(StatusTable.duration) ?? "-", escaped(summary.next ?? ""),
    ]
  }

  /// For programs.
  var json: JSONValue { .record(["crashes": .array(summaries.map(\.json))]) }
}
