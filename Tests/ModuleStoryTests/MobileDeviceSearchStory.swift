import ForsettiCore
import Testing

/// What Mobile Device Search has of its own, in its locked process, before the made-up server.
@Suite("The story of Mobile Device Search", .timeLimit(.minutes(3))) struct MobileDeviceSearchStory {
  private static let module = "feature.mobile-device-search"
  private static let view = "mobile-device-search"

  @Test("finds devices, opens one, exports what was found, and keeps a profile")
  func story() async throws {
    try await ModuleDeskStory.tell { story in
      try story.act(Self.module, "search", ["text": ""])
      let all = try await story.until(Self.view) { $0.says("150 mobile devices: all") }
      let id = try #require(all.payload("id", ofButton: "Open"))
      try story.act(Self.module, "open", ["id": id])
      let detail = try await story.until(Self.view) { $0.says("Passcode") && !$0.says("Reading the record") }
      for text in ["Security", "Hardware", "Storage used", "Lost Mode"] {
        #expect(detail.says(text), "\(text)")
      }
      try story.act(Self.module, "close")
      try story.act(Self.module, "export")
      try await story.until(Self.view) { $0.says("Exported 150 mobile devices to ") }

      try story.act(
        Self.module, "save-profile", ["name": "Phones", "field.model": "true", "field.displayName": "true"])
      try await story.until(Self.view) { $0.says("Kept the profile") }
      let before = try story.module(Self.module)
      try story.kill(Self.module)
      try await story.untilRestarted(Self.module, from: before.pid)
      try story.act(Self.module, "search", ["text": "F", "profile": "Phones"])
      let found = try await story.until(Self.view) { $0.says(": \"F\"") && !$0.says("Cancel") }
      #expect(found.says("Model") && !found.says("Serial number"))
      // What goes wrong is for diagnostics.
      try story.simulator.setFaults(#"[{"path": "/api/*", "times": 0, "fault": "html"}]"#)
      try story.act(Self.module, "search", ["text": ""])
      try await story.until(Self.view) { $0.says("can't be read") }
      try await story.expectAllUsed(by: Self.module)
    }
  }

  @Test("names of sections that this Jamf Pro does not know are not asked for again")
  func sections() async throws {
    try await ModuleDeskStory.tell { story in
      try story.simulator.setFaults(
        #"[{"path": "/api/v2/mobile-devices/detail", "times": 0, "fault": "html"}]"#)
      try story.act(Self.module, "search", ["text": ""])
      let view = try await story.until(Self.view) { $0.says("can't be read") }
      #expect(view.says("Try again"))
    }
  }
}
