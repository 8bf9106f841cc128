import ForsettiCore
import Testing

/// What the stories of the modules are told with.
@Suite("How stories are told", .timeLimit(.minutes(3))) struct ModuleDeskStoryTests {
  @Test("all modules are there without a configured server, and one that is killed comes back")
  func bare() async throws {
    try await ModuleDeskStory.tell(.init(computers: 3, mobileDevices: 3, account: nil)) { story in
      let before = try story.module("service.jamf")
      #expect(before.state == "active")
      try story.kill("service.jamf")
      try await story.untilRestarted("service.jamf", from: before.pid)
      // Nobody has scanned anything: what the scanner asks for is listed by name, once its history was looked for.
      #expect(try await story.unusedCapabilities(of: "service.scanner") == [.diagnostics])
      try story.act("service.scanner", "anything")
      try await story.untilEvent("com.forsetti.jamfpro.service.scanner.anything")
      #expect(try story.simulator.requests().isEmpty)
      try story.simulator.setFaults(#"[{"path": "/api/*", "times": 0, "fault": "html"}]"#)
      try story.simulator.advanceClock(seconds: 60)
      #expect(throws: StorySimulator.Fault.self) { try story.simulator.setFaults("7") }
    }
  }
}
