import ForsettiCore
import ForsettiHostileSet

/// What was seen of one hostile case.
struct CaseFacts: Sendable, Hashable {
  /// What came of it.
  enum Outcome: Sendable, Hashable {
    case ended(ExitReason)
    case refused(ModuleManagerError)
    /// It went on, and said this.
    case said(String)
    /// Nothing, for so long that more waiting would be of no use.
    case nothing
  }

  var outcome = Outcome.nothing
  /// From the moment it was told to, until the supervisor knew.
  var detectMilliseconds = 0.0
  /// From then until it was active again; `nil` where it is not to be.
  var recoverMilliseconds: Double?
  /// What became of the module.
  var aftermath: HostileCase.Aftermath?
  /// The report that it left.
  var report: CrashReport?
  /// Other modules that ended meanwhile.
  var othersEnded: [String] = []
  /// What the modules beside have seen.
  var neighbours = Neighbourhood.Span()
}

/// One case and whether it was contained: a pure judgement of what was seen.
struct CaseResult: Sendable, Hashable {
  let hostileCase: HostileCase
  let facts: CaseFacts

  /// Whether the module did no harm, ended exactly as it must, and nobody beside lost anything.
  var isContained: Bool { problems.isEmpty }

  /// What was not as it must be, one line each.
  var problems: [String] {
    var problems: [String] = []
    if !isExpected { problems.append("expected was: \(hostileCase.expected.message)") }
    if facts.aftermath != hostileCase.aftermath {
      let seen = facts.aftermath?.rawValue ?? "unknown"
      problems.append("afterwards it is \(seen), not \(hostileCase.aftermath.rawValue)")
    }
    if let reportProblem { problems.append(reportProblem) }
    if !facts.othersEnded.isEmpty {
      problems.append("ended with it: \(facts.othersEnded.joined(separator: ", "))")
    }
    if facts.neighbours.lost > 0 {
      let silent = facts.neighbours.silent
      problems.append(
        "the neighbours lost \(facts.neighbours.lost)"
          + (silent.isEmpty ? "" : "; silent: \(silent.joined(separator: ", "))"))
    }
    return problems
  }

  private var isExpected: Bool {
    switch (hostileCase.expected, facts.outcome) {
    case (.ends(let cause), .ended(let reason)): cause.matches(reason)
    case (.refused(let refusal), .refused(let error)): refusal.matches(error)
    case (.survives(let text), .said(let said)): said.contains(text)
    default: false
    }
  }

  /// What is wrong with its crash report, or with there being none.
  private var reportProblem: String? {
    let isRight: (ExitReason) -> Bool
    switch hostileCase.expected {
    case .ends(let cause), .refused(.crashed(let cause)): isRight = cause.matches
    case .refused(.timedOut(let phase)): isRight = { $0 == .timedOut(phase) }
    case .refused(.identityMismatch), .refused(.executableChanged), .survives:
      return facts.report.map { "it left a crash report and should not: \($0.exit.reason.message)" }
    }
    guard let report = facts.report else { return "it left no crash report" }
    guard isRight(report.exit.reason) else {
      return "its crash report says: \(report.exit.reason.message)"
    }
    guard let words = hostileCase.lastWords, report.lastWords?.contains(words) != true else { return nil }
    return "its crash report doesn't have its last words: \(words)"
  }

  /// What came of it, in words.
  var reason: String {
    switch facts.outcome {
    case .ended(let reason): reason.message
    case .refused(let error): error.fault
    case .said(let text): "it goes on; it got: \(text)"
    case .nothing: "nothing was seen of it"
    }
  }
}
