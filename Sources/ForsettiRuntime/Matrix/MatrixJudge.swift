import ForsettiSandbox

/// What is meant and what was seen, in the same words.
struct MatrixJudge {
  private let plan: SandboxPlan
  private let processID: Int32
  /// The table by which the supervisor answers, before the set-up and after each of its steps; copied for each call.
  private let tables: [ServedCalls]

  init(plan: SandboxPlan, processID: Int32) {
    self.plan = plan
    self.processID = processID
    var tables = [ServedCalls(plan: plan, processID: processID)]
    for case .setUp(let step) in plan.served.map(\.answer) {
      guard var next = tables.last,
        let rule = plan.served.first(where: { $0.answer == .setUp(step) }),
        let call = rule.call.example(processID: processID)
      else { continue }
      _ = next.answer(SeccompNotification(call, thread: processID), now: 0)
      tables.append(next)
    }
    self.tables = tables
  }

  /// What the plan says.
  func expected(_ call: ProbedCall) -> SyscallMatrix.Fate {
    guard call.way == .native else { return .killed }
    if call.isNeverFiltered { return .unfiltered }
    return switch plan.judgement(of: call.observed(processID: processID)) {
    case .kernel: .kernel
    case .served: .served
    case .audited, .violation: .violation
    }
  }

  /// What filter and table did.
  func seen(_ outcome: MatrixProbe.Outcome) -> SyscallMatrix.Fate {
    if outcome.call.isNeverFiltered { return .unfiltered }
    switch outcome.end {
    case .reachedKernel: return .kernel
    case .killed: return .killed
    case .lost: return .lost
    case .handedOver(let notification):
      // A step of the set-up is served in its turn alone.
      let isServed = tables.contains { table in
        var table = table
        // What the supervisor would read from the caller's memory.
        return table.answer(notification, path: outcome.call.path ?? "", now: 0).answer != .violation
      }
      return isServed ? .served : .violation
    }
  }
}

extension SeccompNotification {
  /// What the supervisor would be asked about a probed call.
  fileprivate init(_ call: ProbedCall, thread: Int32) {
    self.init(
      id: 0, thread: thread, number: Int32(bitPattern: call.number), arguments: .init(call.arguments))
  }
}
