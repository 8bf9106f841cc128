import ForsettiCore
import Testing

@Suite("What follows when a module ended unasked")
struct RestartHistoryTests {
  private let policy = RestartPolicy(
    backoffFirstMilliseconds: 100, backoffMaximumMilliseconds: 1_000, restarts: 3, withinMilliseconds: 10_000,
    stableMilliseconds: 5_000)
  private let crash = ExitReason.crashed(signal: 11)

  private func violation() -> ExitReason {
    .violation(
      Violation(syscall: "socket", number: 41, arguments: [], path: nil, instructionPointer: 0))
  }

  @Test("a violation, a broken protocol and a failed sandbox are quarantined at once, whatever the policy")
  func atOnce() {
    let permanent = RestartPolicy(kind: .permanent)
    for (reason, cause) in [
      (violation(), QuarantineCause.violation), (.protocolError("x"), .protocolError),
      (.sandboxFailed(step: .landlock, errno: 38), .sandboxFailed),
    ] as [(ExitReason, QuarantineCause)] {
      var history = RestartHistory()
      #expect(
        history.decide(reason, policy: permanent, uptimeMilliseconds: 0, now: 1, draw: 0.5)
          == .quarantine(cause))
      #expect(history.ends.isEmpty)
    }
  }

  @Test(
    "permanent, transient and temporary are Erlang's",
    arguments: [
      (RestartPolicy.Kind.permanent, ExitReason.exitedEarly(code: 0), true),
      (.permanent, .crashed(signal: 11), true), (.transient, .exitedEarly(code: 0), false),
      (.transient, .stopped, false), (.transient, .exitedEarly(code: 1), true), (.transient, .aborted, true),
      (.transient, .killed(signal: 9), true), (.temporary, .crashed(signal: 11), false),
      (.transient, .supervisorShutdown, false), (.transient, .heartbeatLost(milliseconds: 1), true),
      (.transient, .outOfMemory, true), (.transient, .cpuLimit, true), (.transient, .fileSizeLimit, true),
    ])
  func kinds(kind: RestartPolicy.Kind, reason: ExitReason, restarts: Bool) {
    var history = RestartHistory()
    let decision = history.decide(
      reason, policy: RestartPolicy(kind: kind), uptimeMilliseconds: 0, now: 1, draw: 0)
    #expect((decision != .stayDown) == restarts)
  }

  @Test("the bound of the wait doubles up to its maximum, and the draw spreads the wait below it")
  func backoff() {
    var policy = policy
    policy.restarts = 10
    var history = RestartHistory()
    let bounds = (0..<6).map { index in
      history.decide(crash, policy: policy, uptimeMilliseconds: 0, now: Int64(index), draw: 1)
    }
    let expected = [100, 200, 400, 800, 1_000, 1_000].enumerated().map {
      RestartHistory.Decision.restart(afterMilliseconds: $1, attempt: $0 + 1)
    }
    #expect(bounds == expected)
    var fresh = RestartHistory()
    #expect(
      fresh.decide(crash, policy: policy, uptimeMilliseconds: 0, now: 0, draw: 0.25)
        == .restart(afterMilliseconds: 25, attempt: 1))
  }

  @Test("more ends than the policy allows within its time are quarantine; spread wider they never are")
  func intensity() {
    var history = RestartHistory()
    for now in [0, 1, 2] as [Int64] {
      guard case .restart = history.decide(crash, policy: policy, uptimeMilliseconds: 0, now: now, draw: 0)
      else {
        Issue.record("end \(now) was not restarted")
        return
      }
    }
    #expect(
      history.decide(crash, policy: policy, uptimeMilliseconds: 0, now: 9_999, draw: 0)
        == .quarantine(.tooManyRestarts(count: 4, withinMilliseconds: 10_000)))
    var slow = RestartHistory()
    for step in 0..<50 {
      let decision = slow.decide(
        crash, policy: policy, uptimeMilliseconds: 4_999, now: Int64(step) * 3_400, draw: 0)
      guard case .restart = decision else {
        Issue.record("end \(step) was \(decision)")
        return
      }
    }
    #expect(slow.ends.count <= 3)
  }

  @Test("a stable run forgives; a clock set back keeps nothing from the future")
  func forgiving() {
    var history = RestartHistory(ends: [1, 2, 3])
    #expect(
      history.decide(crash, policy: policy, uptimeMilliseconds: 5_000, now: 4, draw: 1)
        == .restart(afterMilliseconds: 100, attempt: 1))
    var future = RestartHistory(ends: [900_000, 900_001, 900_002])
    #expect(
      future.decide(crash, policy: policy, uptimeMilliseconds: 0, now: 10, draw: 1)
        == .restart(afterMilliseconds: 100, attempt: 1))
  }

  @Test("whoever crashed convalesces for the stable time, until its last end is longer ago than that")
  func convalescence() {
    let stable = Int64(policy.stableMilliseconds)
    #expect(RestartHistory().convalescence(by: policy, now: 0) == nil)
    let history = RestartHistory(ends: [1, 100])
    for now in [100, 99 + stable] {
      #expect(history.convalescence(by: policy, now: now) == .milliseconds(stable))
    }
    #expect(history.convalescence(by: policy, now: 100 + stable) == nil)
    // A clock that was set back.
    #expect(history.convalescence(by: policy, now: 0) != nil)
  }

  @Test("no restarts allowed means quarantine at the first end, and huge numbers do not trap")
  func extremes() {
    var none = policy
    none.restarts = 0
    var history = RestartHistory()
    #expect(
      history.decide(crash, policy: none, uptimeMilliseconds: 0, now: 0, draw: 0)
        == .quarantine(.tooManyRestarts(count: 1, withinMilliseconds: 10_000)))
    let huge = RestartPolicy(
      backoffFirstMilliseconds: .max, backoffMaximumMilliseconds: 3_600_000, restarts: 1_000)
    var long = RestartHistory(ends: (0..<900).map(Int64.init))
    #expect(
      long.decide(crash, policy: huge, uptimeMilliseconds: 0, now: 1_000, draw: 1)
        == .restart(afterMilliseconds: 3_600_000, attempt: 901))
  }
}
