import ForsettiCore
import ForsettiHostileSet
import ForsettiRuntime

/// What a crash test has shown.
struct CrashTestReport: Sendable {
  /// How many modules of the user ran beside.
  var userModules: Int
  /// Why others did not, one line each: they are not among the neighbours.
  var notStarted: [String]
  /// What the neighbours saw while nobody did any harm.
  var quiet = Neighbourhood.Span()
  /// In the order they were run.
  var results: [CaseResult] = []
  var storm: StormReport?
  /// Every system call under the plans of the policy and of each direct grant; `nil` where it was not asked for.
  var syscalls: [SyscallMatrix.Row]?
  /// The supervisor itself, before the first case and after the last.
  var before = SupervisorFootprint(processes: 0, descriptors: 0, memoryKiB: 0)
  var after = SupervisorFootprint(processes: 0, descriptors: 0, memoryKiB: 0)
  var isInterrupted = false

  init(userModules: Int, notStarted: [String]) {
    self.userModules = userModules
    self.notStarted = notStarted
  }

  /// What the supervisor holds more than before, one line each.
  var excess: [String] { after.excess(over: before) }

  var containedCount: Int { results.count(where: \.isContained) }

  /// Whether isolation held: in every case, in the storm, and with nothing left behind.
  var isHeld: Bool {
    !isInterrupted && containedCount == results.count && excess.isEmpty && storm?.failureCount ?? 0 == 0
      && quiet.lost == 0 && syscalls?.allSatisfy(\.unexpected.isEmpty) ?? true
  }

  var status: ExitStatus { isHeld ? .success : isInterrupted ? .temporaryFailure : .software }
}

// For people.
extension CrashTestReport {
  /// The table and what it comes to.
  func text(_ style: TextStyle) -> String {
    var text = columns(
      [["", "CASE", "DETECTED", "RECOVERED", "P99 BESIDE", "LOST", "WHAT CAME OF IT"].map(style.dim)]
        + results.map { row($0, style) })
    for result in results where !result.isContained {
      text += "\n  \(style.fail) \(result.hostileCase.name): it \(result.hostileCase.attempt)\n"
      text += result.problems.map { "      \(escaped($0))\n" }.joined()
    }
    if let storm { text += "\n" + self.text(of: storm, style) }
    if let syscalls { text += "\n" + syscalls.map { self.text(of: $0, style) }.joined() }
    text += "\n" + columns(summary(style))
    return text + "\n" + verdict(style)
  }

  private func row(_ result: CaseResult, _ style: TextStyle) -> [String] {
    [
      result.isContained ? style.pass : style.fail, result.hostileCase.name,
      "\(decimalText(result.facts.detectMilliseconds, places: 1)) ms",
      result.facts.recoverMilliseconds.map { "\(decimalText($0, places: 1)) ms" } ?? "-",
      Self.milliseconds(result.facts.neighbours.times), "\(result.facts.neighbours.lost)",
      escaped(result.reason),
    ]
  }

  private func text(of storm: StormReport, _ style: TextStyle) -> String {
    let mark = storm.failureCount == 0 ? style.pass : style.fail
    var text = "  \(mark) storm of \(storm.plan.seconds) s, seed \(storm.plan.seed): "
    text += "\(counted(storm.runs, "case")), \(storm.failureCount) not contained, "
    text += "p99 beside \(Self.milliseconds(storm.neighbours.times)), \(storm.neighbours.lost) lost\n"
    for result in storm.failures {
      text += "      \(result.hostileCase.name): \(escaped(result.reason))\n"
      text += result.problems.map { "        \(escaped($0))\n" }.joined()
    }
    return text
  }

  private func text(of row: SyscallMatrix.Row, _ style: TextStyle) -> String {
    let mark = row.unexpected.isEmpty ? style.pass : style.fail
    return "  \(mark) system calls by \(row.mode.rawValue) under \(escaped(row.policy)): \(row.probed) made, "
      + "\(row.unexpected.count) not as planned\n"
      + row.unexpected.prefix(10).map { "      \(escaped($0.description))\n" }.joined()
  }

  private func summary(_ style: TextStyle) -> [[String]] {
    func pair(_ name: String, _ before: Int, _ after: Int, _ unit: String) -> [String] {
      [style.dim(name), "\(before)\(unit) before, \(after)\(unit) after"]
    }
    let rounds = quiet.rounds + results.reduce(0) { $0 + $1.facts.neighbours.rounds }
    return [
      [style.dim("beside"), "\(counted(userModules, "module")) of yours, 2 of ours: \(rounds) rounds"],
      [style.dim("p99 of a quiet round"), Self.milliseconds(quiet.times)],
      pair("processes", before.processes, after.processes, ""),
      pair("descriptors", before.descriptors, after.descriptors, ""),
      pair("memory", before.memoryKiB, after.memoryKiB, " KiB"),
    ] + notStarted.map { [style.yellow("not beside"), escaped($0)] }
  }

  private func verdict(_ style: TextStyle) -> String {
    if isHeld {
      return
        "\(style.pass) \(style.bold("isolation held")): \(counted(results.count, "case")), none got out\n"
    }
    if isInterrupted { return "\(style.fail) \(style.bold("interrupted")): nothing is proved\n" }
    var text = "\(style.fail) \(style.bold("isolation is not proved")): "
    text += "\(containedCount) of \(counted(results.count, "case")) contained\n"
    return text + excess.map { "  \(style.fail) left behind: \($0)\n" }.joined()
  }

  private static func milliseconds(_ times: LatencyHistogram) -> String {
    times.count == 0 ? "-" : "\(decimalText(times.p99Microseconds / 1_000, places: 2)) ms"
  }
}

// For programs.
extension CrashTestReport {
  /// One object.
  var json: JSONValue {
    .record([
      "held": .bool(isHeld), "interrupted": .bool(isInterrupted), "userModules": .integer(userModules),
      "notStarted": .strings(notStarted),
      "quietP99Milliseconds": .milliseconds(quiet.times.p99Microseconds / 1_000),
      "cases": .array(results.map(Self.json)), "storm": storm.map(Self.json) ?? .null,
      "syscalls": syscalls.map { .array($0.map(Self.json)) } ?? .null,
      "before": Self.json(before), "after": Self.json(after),
    ])
  }

  private static func json(_ result: CaseResult) -> JSONValue {
    let facts = result.facts
    return .record([
      "name": .string(result.hostileCase.name), "attempt": .string(result.hostileCase.attempt),
      "contained": .bool(result.isContained), "reason": .string(result.reason),
      "detectMilliseconds": .milliseconds(facts.detectMilliseconds),
      "recoverMilliseconds": .milliseconds(facts.recoverMilliseconds),
      "aftermath": .string(facts.aftermath?.rawValue),
      "crashReport": .string(facts.report?.exit.reason.kind.rawValue),
      "neighboursLost": .integer(facts.neighbours.lost),
      "neighboursP99Milliseconds": .milliseconds(facts.neighbours.times.p99Microseconds / 1_000),
      "problems": .strings(result.problems),
    ])
  }

  private static func json(_ row: SyscallMatrix.Row) -> JSONValue {
    .record([
      "policy": .string(row.policy), "mode": .string(row.mode.rawValue), "probed": .integer(row.probed),
      "unexpected": .strings(row.unexpected.map(\.description)),
    ])
  }

  private static func json(_ storm: StormReport) -> JSONValue {
    .record([
      "seconds": .integer(storm.plan.seconds), "seed": .string("\(storm.plan.seed)"),
      "runs": .integer(storm.runs), "notContained": .integer(storm.failureCount),
      "neighboursLost": .integer(storm.neighbours.lost),
      "neighboursP99Milliseconds": .milliseconds(storm.neighbours.times.p99Microseconds / 1_000),
      "failures": .array(storm.failures.map(json)),
    ])
  }

  private static func json(_ footprint: SupervisorFootprint) -> JSONValue {
    .record([
      "processes": .integer(footprint.processes), "descriptors": .integer(footprint.descriptors),
      "memoryKiB": .integer(footprint.memoryKiB),
    ])
  }
}
