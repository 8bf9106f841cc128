import ForsettiCore
import Foundation
import Testing

/// The diagnostics service, in its locked process, with all others reporting to it.
@Suite("Diagnostics: the story", .timeLimit(.minutes(3))) struct DiagnosticsStory {
  private static let view = "diagnostics"
  private static let service = "service.diagnostics"
  private static let crash = "com.forsetti.jamfpro.service.scanner ended unasked"

  @Test("keeps what happens past a kill, filters and exports it, and clears it for good") func story()
    async throws
  {
    try await ModuleDeskStory.tell(.init(computers: 1, mobileDevices: 1, account: nil)) { story in
      try story.kill("service.scanner")
      try await story.until(Self.view) { $0.says(Self.crash) }
      try await Self.restart(story)
      try await story.until(Self.view) { $0.says(Self.crash) }

      try story.act(Self.service, "filter", ["text": "scanner", "severity": "error", "source": "All"])
      try await story.until(Self.view) { $0.says(Self.crash) && !$0.says("is active") }
      try story.act(Self.service, "export", ["format": "json"])
      let notice = try await story.until(Self.view) { $0.says("Exported ") }.texts.first {
        $0.hasPrefix("Exported ")
      }
      let path = try #require(notice?.split(separator: " ").last.map(String.init))
      let document = try JSONParser.parse(Array(try Data(contentsOf: URL(filePath: path)))).root
      let events = try #require(document["events"]?.elements)
      #expect(events.contains { $0["message"]?.stringValue == Self.crash })
      #expect(events.allSatisfy { $0["severity"]?.stringValue == "error" })

      try story.act(Self.service, "clear", ["phrase-clear": "please"])
      try await story.until(Self.view) { $0.says("Nothing was done") && $0.says(Self.crash) }
      try story.act(Self.service, "clear", ["phrase-clear": "confirm"])
      try await story.until(Self.view) { $0.says("All events were cleared") && !$0.says(Self.crash) }
      try await Self.restart(story)
      let after = try await story.until(Self.view) { $0.says("Diagnostics") }
      #expect(!after.says(Self.crash))
      try await story.expectAllUsed(by: Self.service)
    }
  }

  private static func restart(_ story: ModuleDeskStory) async throws {
    let process = try story.module(service).pid
    try story.kill(service)
    try await story.untilRestarted(service, from: process)
  }
}
