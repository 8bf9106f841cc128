import ForsettiCore
import Foundation
import Testing

/// The retail UI in its process: what it shows of the others, and what its toolbar does.
@Suite("Retail UI", .timeLimit(.minutes(5))) struct RetailUIStory {
  private static let home = "dashboard.home"

  @Test("home tells how all stand, follows what becomes of them, and knows it again after its own end")
  func home() async throws {
    try await ModuleDeskStory.tell(.init(computers: 3, mobileDevices: 3, account: nil)) { story in
      try await story.until(Self.home) { $0.says("not configured") && $0.says("11 of 11 active") }
      try story.enterCredentials(of: .demo)
      try await story.until(Self.home) { $0.texts.contains("connected") && $0.says(story.simulator.address) }
      try await story.until(Self.home) { !$0.texts.contains("unknown") }

      _ = try await story.command(["deactivate", "reports"])
      try await story.until(Self.home) { $0.says("10 of 11 active") && $0.texts.contains("inactive") }
      #expect(throws: (any Error).self, "nobody draws the view of a module that is not active") {
        try story.render("reports")
      }
      _ = try await story.command(["activate", "reports"])
      try await story.until(Self.home) { $0.says("11 of 11 active") }

      let scanner = try story.module("service.scanner").pid
      try story.kill("service.scanner")
      try await story.until(Self.home) {
        $0.says("11 of 11 active") && $0.says("service.scanner ended unasked")
      }
      try await story.untilRestarted("service.scanner", from: scanner)

      let own = try story.module("retail.ui").pid
      try story.kill("retail.ui")
      try await story.untilRestarted("retail.ui", from: own)
      try await story.until(Self.home) {
        $0.says("11 of 11 active") && $0.texts.contains("connected") && $0.says("retail.ui ended unasked")
      }
    }
  }

  @Test("Refresh asks everybody again, and Export writes what home shows into a file") func toolbar()
    async throws
  {
    var setting = ModuleDeskStory.Setting(computers: 3, mobileDevices: 3)
    // A host that wears theme masks, so that the module's is seen.
    setting.policy = { $0.setting("ui", .record(["hostUsesThemeMasks": .bool(true)])) }
    try await ModuleDeskStory.tell(setting) { story in
      try await story.until(Self.home) { $0.texts.contains("connected") }
      try story.act("retail.ui", "export")
      let exported = try await story.until(Self.home) { $0.says("The dashboard was written to") }
      let notice = try #require(exported.texts.first { $0.contains("was written to") })
      let name = try #require(notice.split(separator: "/").last)
      #expect(name.wholeMatch(of: /forsetti-dashboard-\d{8}-\d{6}\.md/) != nil, "\(name)")
      let file = try #require(try story.stateFiles().first { $0.name.hasSuffix(name) })
      let text = String(decoding: file.bytes, as: UTF8.self)
      #expect(text.hasPrefix("# Dashboard\n"))
      for fact in ["| Modules | 11 of 11 active |", "| Computer Search | Inventory | active |"] {
        #expect(text.contains(fact), "\(text)")
      }
      // What a button said before is gone once everybody was asked again.
      try story.act("retail.ui", "refresh")
      try await story.until(Self.home) { !$0.says("was written to") && $0.says("11 of 11 active") }
      try await story.expectAllUsed(by: "retail.ui")
    }
  }

  @Test("each view of the surface has somebody who draws it") func views() async throws {
    try await ModuleDeskStory.tell(.init(computers: 3, mobileDevices: 3)) { story in
      for view in ["settings", "about", "diagnostics"] {
        let texts = try story.render(view).texts
        #expect(!texts.isEmpty, "\(view)")
      }
      #expect(try story.render("settings").says("secret set jamf-credentials"))
      let surface = try await story.command(["surface"])
      #expect(
        surface.output.contains("drawn by com.forsetti.jamfpro.service.diagnostics"), "\(surface.output)")
    }
  }
}
