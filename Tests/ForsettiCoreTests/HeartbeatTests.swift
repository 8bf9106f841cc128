import ForsettiCore
import Testing

@Suite("When a module is asked whether it turns, and when it is given up")
struct HeartbeatTests {
  private let policy = HeartbeatPolicy(intervalMilliseconds: 1_000, timeoutMilliseconds: 800)

  @Test("a module that answers is asked once an interval")
  func steady() {
    var heartbeat = Heartbeat(policy)
    #expect(heartbeat.firstLookMilliseconds == 1_000)
    for _ in 1...3 {
      #expect(heartbeat.look() == .ping(lookAfterMilliseconds: 200))
      #expect(heartbeat.takeAnswer() == true)
      #expect(heartbeat.look() == .look(afterMilliseconds: 800))
    }
  }

  @Test("one that does not answer is lost after four looks, which share the timeout")
  func silent() {
    var heartbeat = Heartbeat(policy)
    #expect(heartbeat.look() == .ping(lookAfterMilliseconds: 200))
    for _ in 1...3 { #expect(heartbeat.look() == .look(afterMilliseconds: 200)) }
    #expect(heartbeat.look() == .lost(milliseconds: 800))
  }

  @Test("an answer at the last moment counts, and the next silence begins anew")
  func late() {
    var heartbeat = Heartbeat(policy)
    _ = heartbeat.look()
    for _ in 1...3 { _ = heartbeat.look() }
    #expect(heartbeat.takeAnswer() == true)
    #expect(heartbeat.look() == .look(afterMilliseconds: 800))
    #expect(heartbeat.look() == .ping(lookAfterMilliseconds: 200))
    for _ in 1...3 { #expect(heartbeat.look() == .look(afterMilliseconds: 200)) }
  }

  @Test("time that the supervisor made it wait is not held against it, up to as much again")
  func heldUp() {
    var heartbeat = Heartbeat(policy)
    _ = heartbeat.look()
    for _ in 1...7 { #expect(heartbeat.look(wasHeldUp: true) == .look(afterMilliseconds: 200)) }
    #expect(heartbeat.look(wasHeldUp: true) == .lost(milliseconds: 800))
  }

  @Test("a question that could be put only late gives the whole time for its answer")
  func askedLate() {
    var heartbeat = Heartbeat(policy)
    _ = heartbeat.look()
    for _ in 1...3 { _ = heartbeat.look() }
    heartbeat.askedLate()
    for _ in 1...3 { #expect(heartbeat.look() == .look(afterMilliseconds: 200)) }
    #expect(heartbeat.look() == .lost(milliseconds: 800))
  }

  @Test("an answer without a question is none")
  func unasked() {
    var heartbeat = Heartbeat(policy)
    #expect(heartbeat.takeAnswer() == false)
    _ = heartbeat.look()
    #expect(heartbeat.takeAnswer() == true)
    #expect(heartbeat.takeAnswer() == false)
  }

  @Test("a timeout longer than four intervals makes the questions rarer, never two at once")
  func longTimeout() {
    var heartbeat = Heartbeat(HeartbeatPolicy(intervalMilliseconds: 100, timeoutMilliseconds: 4_000))
    #expect(heartbeat.look() == .ping(lookAfterMilliseconds: 1_000))
    #expect(heartbeat.takeAnswer() == true)
    #expect(heartbeat.look() == .ping(lookAfterMilliseconds: 1_000))
  }

  @Test("a policy's word on heartbeats comes from the strongest rule that has one")
  func policyFile() throws {
    let text = """
      {"policyVersion": 1,
       "defaults": {"heartbeat": {"intervalMilliseconds": 2000}},
       "rules": [{"modules": "com.example.*", "heartbeat": {"timeoutMilliseconds": 300}},
                 {"modules": "com.example.quiet", "heartbeat": {"enabled": false}}]}
      """
    let policy = try PolicyDecoder.decode(bytes: Array(text.utf8), file: "p.json")
    #expect(
      policy.heartbeat(for: "com.example.quiet")
        == HeartbeatPolicy(isEnabled: false, intervalMilliseconds: 2_000, timeoutMilliseconds: 300))
    #expect(policy.heartbeat(for: "org.other") == HeartbeatPolicy(intervalMilliseconds: 2_000))
  }
}
