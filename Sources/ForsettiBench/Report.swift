import ForsettiCore

/// Outcomes for people, and for programs.
struct Report {
  var outcomes: [Runner.Outcome]
  var options: Options
  /// The load before and after.
  var loads: (String, String)

  /// Whether everything was measured and every bar is met.
  var isMet: Bool {
    outcomes.allSatisfy { outcome in
      outcome.rows.allSatisfy { $0.failure == nil }
        && outcome.measure.verdicts.allSatisfy { $0.value(outcome.medians).map($0.isMet) ?? false }
    }
  }

  var text: String {
    var lines = [
      Machine.line,
      "\(options.rounds) rounds of \(options.seconds) s; load \(loads.0) to \(loads.1); placed "
        + Placement.current.rawValue + (Placement.isUrgent ? ", urgent" : ""),
    ]
    for outcome in outcomes {
      lines += ["", "\(outcome.measure.name) (\(outcome.measure.unit))"]
      for row in outcome.rows {
        guard row.failure == nil else {
          lines.append("  \(padded(row.series.name, 44)) not measured: \(row.failure ?? "")")
          continue
        }
        let spread = row.rounds.count > 1 ? "  spread ×\(decimal(row.spread))" : ""
        lines.append(
          "  \(padded(row.series.name, 44)) \(aligned(decimal(row.median), 12))   p99 \(decimal(row.worst))\(spread)"
        )
      }
      for verdict in outcome.measure.verdicts { lines.append("  " + line(verdict, outcome)) }
    }
    return lines.joined(separator: "\n")
  }

  private func line(_ verdict: Verdict, _ outcome: Runner.Outcome) -> String {
    let (sign, bar) =
      switch verdict.bar {
      case .atMost(let limit): ("≤", limit)
      case .atLeast(let limit): ("≥", limit)
      }
    let title = padded(verdict.title, 44)
    guard let value = verdict.value(outcome.medians) else { return "\(title) not measured" }
    return "\(title) \(aligned(decimal(value), 12))   bar \(sign) \(decimal(bar)), reach for "
      + "\(decimal(verdict.reach))   \(verdict.isMet(value) ? "met" : "MISSED")"
  }

  var json: JSONValue {
    .object([
      ("machine", .string(Machine.line)), ("place", .string(Placement.current.rawValue)),
      ("isUrgent", .bool(Placement.isUrgent)), ("rounds", .integer(options.rounds)),
      ("seconds", .number(options.seconds)), ("isMet", .bool(isMet)),
      ("measures", .array(outcomes.map(json))),
    ])
  }

  private func json(_ outcome: Runner.Outcome) -> JSONValue {
    .object([
      ("measure", .string(outcome.measure.name)), ("unit", .string(outcome.measure.unit)),
      (
        "series",
        .array(
          outcome.rows.map { row in
            guard row.failure == nil else {
              return .object([("name", .string(row.series.name)), ("error", .string(row.failure ?? ""))])
            }
            return .object([
              ("name", .string(row.series.name)), ("p50", .number(row.median)), ("p99", .number(row.worst)),
              ("spread", .number(row.spread)), ("n", .integer(row.rounds.reduce(0) { $0 + $1.count })),
            ])
          })
      ),
      ("verdicts", .array(outcome.measure.verdicts.map { json($0, outcome) })),
    ])
  }

  private func json(_ verdict: Verdict, _ outcome: Runner.Outcome) -> JSONValue {
    let (name, bar) =
      switch verdict.bar {
      case .atMost(let limit): ("atMost", limit)
      case .atLeast(let limit): ("atLeast", limit)
      }
    let value = verdict.value(outcome.medians)
    return .object(omittingAbsent: [
      ("title", .string(verdict.title)), ("value", value.map { .number($0) }), (name, .number(bar)),
      ("reach", .number(verdict.reach)), ("isMet", .bool(value.map(verdict.isMet) ?? false)),
    ])
  }
}

/// Four significant digits, as people write them.
func decimal(_ value: Double) -> String {
  guard value.isFinite else { return "unknown" }
  let magnitude = value.magnitude
  if magnitude >= 1e6 { return decimal(value / 1e6) + " M" }
  let places = magnitude >= 1000 ? 0 : magnitude >= 100 ? 1 : magnitude >= 10 ? 2 : 3
  var scale = 1.0
  for _ in 0..<places { scale *= 10 }
  let rounded = (value * scale).rounded() / scale
  return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
}

private func padded(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

private func aligned(_ text: String, _ width: Int) -> String {
  String(repeating: " ", count: max(0, width - text.count)) + text
}
