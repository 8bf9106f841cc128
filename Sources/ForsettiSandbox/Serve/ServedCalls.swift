public import ForsettiCore

/// What to do with a call that the filter handed over.
public enum ServedAnswer: Sendable, Hashable {
  /// Let the kernel carry it out.
  case `continue`
  /// Let it fail with this error number.
  case errno(Int32)
  /// Open this constant path read-only and make the descriptor the call's result (SECCOMP_ADDFD_FLAG_SEND).
  case addDescriptor(ConstantPath)
  /// Read the path that this argument points to, check that the notification is still valid, and ask again with it.
  case needsPath(argument: Int)
  /// Check what this step needs, then let the kernel carry it out.
  case setUpTail(SetUpStep)
  /// Outside the plan, of a module that is audited: record it, then let the kernel carry it out.
  case audited
  /// In neither list: record it and end the process.
  case violation
}

/// An answer, and when it may be given.
public struct ServedReply: Sendable, Hashable {
  /// What to do.
  public var answer: ServedAnswer
  /// Nanoseconds of the caller's clock; `nil`: at once.
  public var notBefore: UInt64?
}

/// The closed table by which the supervisor answers one process, with what that process has used up so far.
/// A value without effects: the caller reads memory, opens and answers.
public struct ServedCalls: Sendable, Hashable {
  /// Answers that a process gets without waiting, and the steady rate: at most 0.7 % of a core for the supervisor.
  public static let budget = TokenBucket(burst: 64, interval: 1_000_000)

  /// Answers that had to wait, for the report.
  public private(set) var delayed: UInt64 = 0
  /// Answers given.
  public private(set) var answered: UInt64 = 0
  /// Answers given, by the calls' numbers.
  public private(set) var counts: [Int32: UInt64] = [:]

  private let processID: Int32
  private let rules: [Int32: [ServedRule]]
  private let audited: [Int32: [SyscallRule]]
  private let executes: Bool
  private var stepsTaken = 0
  /// Whether a third party's executable has said what it is, so that its start is over.
  private var isDescribed = false
  private var budget: TokenBucket

  /// Makes the table of one process.
  /// - Parameter processID: in the PID namespace the module itself sees, which is the supervisor's.
  public init(plan: SandboxPlan, processID: Int32, budget: TokenBucket = ServedCalls.budget) {
    self.processID = processID
    executes = plan.served.contains { $0.answer == .setUp(.execute) }
    self.budget = budget
    var rules: [Int32: [ServedRule]] = [:]
    for rule in plan.served {
      // A name unknown here has no number, so no call can have it: it stays a violation.
      guard let number = SyscallNames.number(of: rule.call.name) else { continue }
      rules[number, default: []].append(rule)
    }
    self.rules = rules
    audited = Dictionary(
      grouping: plan.audited.lazy.filter { SyscallNames.number(of: $0.name) != nil },
      by: { SyscallNames.number(of: $0.name) ?? -1 })
  }

  /// The answer to a call.
  /// - Parameters:
  ///   - path: what the argument of an earlier `needsPath` pointed to; `nil` at the first asking.
  ///   - now: nanoseconds of any clock that doesn't go back.
  public mutating func answer(
    _ call: SeccompNotification, path: String? = nil, now: UInt64
  ) -> ServedReply {
    let answer = judge(call, path: path)
    switch answer {
    case .needsPath, .violation: return ServedReply(answer: answer, notBefore: nil)
    case .setUpTail: stepsTaken += 1
    case .continue, .errno, .addDescriptor, .audited: break
    }
    let due = budget.queue(now: now)
    answered &+= 1
    counts[call.number, default: 0] &+= 1
    if due != nil { delayed &+= 1 }
    return ServedReply(answer: answer, notBefore: due)
  }

  private func judge(_ call: SeccompNotification, path: String?) -> ServedAnswer {
    let observed = ObservedCall(call, processID: processID)
    for rule in rules[call.number] ?? [] {
      // Registers first: memory is read only for a call that could still be served.
      guard rule.call.conditions.allSatisfy({ $0.isOfMemory || $0.holds(for: observed) }) else { continue }
      if let condition = rule.call.conditions.first(where: \.isOfMemory) {
        guard let path else { return .needsPath(argument: condition.argument) }
        guard condition.matches(path) else { continue }
      }
      // A step out of its turn is none, but the same call may be a later one.
      if case .setUp(let step) = rule.answer, !isNext(step) { continue }
      if case .continueInStart = rule.answer, !isStarting { continue }
      return answer(of: rule)
    }
    // The set-up is the same with an audit and without one.
    let isAudited = isSetUp && (audited[call.number] ?? []).contains { $0.admits(observed) }
    return isAudited ? .audited : .violation
  }

  /// Whether every step of the set-up has been taken but the one that a third party's executable may leave out.
  public var isSetUp: Bool { stepsTaken >= (executes ? 2 : 1) }

  /// The module has said what it is: what only a start needs is a violation from now on.
  public mutating func describe() { isDescribed = true }

  /// Whether a third party's executable runs and has not said yet what it is.
  private var isStarting: Bool { executes && stepsTaken >= 2 && !isDescribed }

  private func answer(of rule: ServedRule) -> ServedAnswer {
    switch rule.answer {
    case .continue, .continueInStart: .continue
    case .errno(let number): .errno(number)
    case .descriptor(let path): .addDescriptor(path)
    case .setUp(let step): .setUpTail(step)
    }
  }

  private func isNext(_ step: SetUpStep) -> Bool {
    stepsTaken < SetUpStep.allCases.count && SetUpStep.allCases[stepsTaken] == step
  }
}
