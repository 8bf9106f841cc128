import ForsettiCore
import Foundation
import Testing

/// What an operator reads when Jamf Pro, or the policy, lets a feature down: what happened, and what to do.
@Suite("A feature before a server with faults", .timeLimit(.minutes(5))) struct JamfFaultStory {
  private static let view = "computer-search"
  /// By the rules of a schedule: what the view says then.
  private static let faults: [(rules: String, says: String)] = [
    (
      #"[{"path": "/api/*", "times": 0, "fault": "status", "status": 401}]"#, "did not accept the credentials"
    ),
    (#"[{"path": "/api/*", "times": 0, "fault": "status", "status": 403}]"#, "lacks a privilege"),
    (
      #"[{"path": "/api/*", "times": 0, "fault": "status", "status": 429, "retryAfter": 600}]"#,
      "wants 600 s of rest"
    ),
    (#"[{"path": "/api/*", "times": 0, "fault": "status", "status": 500}]"#, "failed with status 500"),
    (#"[{"path": "/api/*", "times": 0, "fault": "cut", "bytes": 100}]"#, "can't be read"),
    (#"[{"path": "/api/*", "times": 0, "fault": "wrongJSON"}]"#, "can't be read"),
    (#"[{"path": "/api/*", "times": 0, "fault": "html"}]"#, "a page of HTML or XML came"),
    (#"[{"path": "/api/*", "times": 0, "after": 1, "fault": "duplicatePage"}]"#, "the same page came twice"),
    (#"[{"path": "/api/*", "times": 0, "fault": "changingTotal"}]"#, "The list changed while it was read"),
  ]

  @Test("each fault is told in the view with what to do, and the next search is whole again")
  func faults() async throws {
    try await ModuleDeskStory.tell(.init(computers: 900, mobileDevices: 3)) { story in
      for fault in Self.faults {
        try story.simulator.setFaults(fault.rules)
        try story.act(Self.view, "search", ["text": ""])
        try await story.until(Self.view) { $0.says(fault.says) }
        try story.simulator.setFaults("[]")
        // What was refused is left alone for a while, unless a person enters it again, as the view says.
        try story.enterCredentials(of: .demo)
        try story.act(Self.view, "search", ["text": ""])
        try await story.until(Self.view) { $0.says("900 computers") && !$0.texts.contains("Cancel") }
      }
    }
  }

  @Test("a slow server is waited for with a way out, which stops the calls") func slow() async throws {
    try await ModuleDeskStory.tell(.init(computers: 900, mobileDevices: 3)) { story in
      try story.simulator.setFaults(
        #"[{"path": "/api/v3/computers-inventory", "times": 0, "after": 1, "fault": "slow", "milliseconds": 20000}]"#
      )
      try story.act(Self.view, "search", ["text": ""])
      try await story.until(Self.view) { $0.texts.contains("Open") && $0.texts.contains("Cancel") }
      try story.act(Self.view, "cancel")
      let view = try await story.until(Self.view) { $0.says("Cancelled") }
      #expect(view.texts.contains("Open"), "what came before stays")
    }
  }

  @Test("a feature that the policy does not let ask is told so, and nothing leaves the host") func refused()
    async throws
  {
    var setting = ModuleDeskStory.Setting(computers: 3, mobileDevices: 3)
    setting.policy = { policy in
      let rules = (policy["rules"]?.elements ?? []).map { rule in
        rule["modules"]?.stringValue == "com.forsetti.jamfpro.feature.computer-search"
          ? rule.setting("api", .array([])) : rule
      }
      return policy.setting("rules", .array(rules))
    }
    try await ModuleDeskStory.tell(setting) { story in
      try story.simulator.forgetRequests()
      try story.act(Self.view, "search", ["text": ""])
      try await story.until(Self.view) { $0.says("This host does not let the module ask that") }
      #expect(try story.simulator.requests().isEmpty)
    }
  }

  @Test(
    "ten thousand computers come page by page, within the memory of a small module; cancel stops the calls")
  func many() async throws {
    try await ModuleDeskStory.tell(.init(computers: 10_000, mobileDevices: 3)) { story in
      let inventory = "/api/v3/computers-inventory"
      // The third page comes late, so that the search is not over before it is cancelled.
      try story.simulator.setFaults(
        #"[{"path": "/api/v3/computers-inventory", "after": 2, "times": 0, "fault": "slow", "milliseconds": 20000}]"#
      )
      let begin = ContinuousClock.now
      try story.act(Self.view, "search", ["text": ""])
      try await story.until(Self.view) { $0.texts.contains("Open") }
      let first = ContinuousClock.now - begin
      try story.act(Self.view, "cancel")
      try await story.until(Self.view) { $0.says("Cancelled") }
      let asked = try story.simulator.requests().count { $0.path == inventory }
      #expect(asked < 50)
      // Whatever was on its way is there when a request that follows it is.
      _ = try story.api("GET", "/api/v1/buildings")
      #expect(try story.simulator.requests().count { $0.path == inventory } <= asked + 1)

      try story.simulator.setFaults("[]")
      try story.simulator.forgetRequests()
      try story.act(Self.view, "search", ["text": ""])
      try await story.until(Self.view) { $0.says("10000 computers") && !$0.texts.contains("Cancel") }
      let whole = ContinuousClock.now - begin
      #expect(try story.simulator.requests().count { $0.path == inventory } >= 50)
      let peak = try story.peakMemory(of: Self.view)
      #expect(peak <= 64 << 20)
      print("10,000 computers: first rows \(first), all \(whole), peak \(peak >> 20) MiB")
    }
  }
}
