import ForsettiCore
import Foundation
import Testing

/// Reports, in its locked process, on the fleet of the made-up server.
@Suite("Reports: the story", .timeLimit(.minutes(5))) struct ReportsStory {
  private static let view = "reports"
  private static let report = [
    "name": "Managed Macs", "scope": "Computers", "matching": "All criteria", "grouping": "Model",
    "chart": "Bars",
  ]

  @Test("reads the fleet, runs a report, exports it, and finds it kept after a kill") func story()
    async throws
  {
    try await ModuleDeskStory.tell(.init(computers: 250, mobileDevices: 60)) { story in
      #expect(try story.render(Self.view).says("has not been read yet"))
      try story.act("feature.reports", "refresh")
      try await story.until(Self.view) { $0.says("310 devices, as of") }
      try story.act(
        "feature.reports", "addCriterion", ["field": "Managed", "comparison": "is", "value": "Yes"])
      try await story.until(Self.view) { $0.says("Managed is Yes") }
      try story.act("feature.reports", "run", Self.report)
      let found = try await story.until(Self.view) { Self.count(in: $0) != nil }
      let count = try #require(Self.count(in: found))
      #expect((200..<250).contains(count))

      try story.act("feature.reports", "export", ["format": "csv"])
      let path = try await Self.exported(story)
      let lines = try String(contentsOf: URL(filePath: path), encoding: .utf8).split(separator: "\r\n")
      #expect(lines.first?.hasPrefix("Device Type,Name,Serial Number,Model") == true)
      #expect(lines.count == count + 1)
      #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("Mac,") && $0.contains(",Yes,") })

      try story.act("feature.reports", "save")
      try await story.until(Self.view) { $0.says("“Managed Macs” is kept.") }
      let process = try story.module("feature.reports").pid
      try story.kill("feature.reports")
      try await story.untilRestarted("feature.reports", from: process)
      try await story.until(Self.view) { $0.says("Kept report") && $0.says("has not been read yet") }
      try story.act("feature.reports", "open", ["name": "Managed Macs"])
      try await story.until(Self.view) { Self.count(in: $0) == count }
      #expect(try story.simulator.requests().allSatisfy { $0.method == "GET" || $0.path.hasSuffix("/token") })
      // What is missing in it is for diagnostics.
      try story.simulator.setFaults(
        #"[{"path": "/api/v2/mobile-devices/detail", "times": 0, "fault": "html"}]"#)
      try story.act("feature.reports", "refresh")
      try await story.until(Self.view) { $0.says("Mobile devices are missing") }
      try await story.expectAllUsed(by: "feature.reports")
    }
  }

  @Test("a reading that is cancelled asks for no further page, and leaves what was there") func cancel()
    async throws
  {
    try await ModuleDeskStory.tell(.init(computers: 450, mobileDevices: 10)) { story in
      try story.simulator.setFaults(
        #"[{"path": "/api/v3/computers-inventory", "after": 1, "times": 0, "fault": "slow", "milliseconds": 20000}]"#
      )
      try story.act("feature.reports", "refresh")
      try await story.until(Self.view) { $0.says("Computers: 200 of 450") }
      try story.act("feature.reports", "cancel")
      try await story.until(Self.view) { $0.says("It was cancelled.") && $0.says("has not been read yet") }
      let pages = try story.simulator.requests().count { $0.path == "/api/v3/computers-inventory" }
      #expect(pages <= 2)
    }
  }

  @Test("what the server does wrong is said in the view, with what to do, and kept in diagnostics")
  func faults()
    async throws
  {
    try await ModuleDeskStory.tell(.init(computers: 20, mobileDevices: 10)) { story in
      try story.simulator.setFaults(
        #"[{"path": "/api/v2/mobile-devices/detail", "times": 0, "fault": "html"}]"#)
      try story.act("feature.reports", "refresh")
      let half = try await story.until(Self.view) { $0.says("20 devices, as of") }
      #expect(half.says("Mobile devices are missing: Jamf Pro's answer can't be read"))
      try await story.until("diagnostics") { $0.says("The fleet was read in part") }

      try story.simulator.setFaults(#"[{"path": "/api/v*", "times": 0, "fault": "status", "status": 403}]"#)
      try story.act("feature.reports", "refresh")
      let refused = try await story.until(Self.view) { $0.says("lacks a privilege") }
      #expect(refused.says("20 devices, as of"))
      #expect(refused.says("Permissions Matrix"))
    }
  }

  @Test("without credentials it says calmly what to do") func bare() async throws {
    try await ModuleDeskStory.tell(.init(computers: 1, mobileDevices: 1, account: nil)) { story in
      try story.act("feature.reports", "refresh")
      try await story.until(Self.view) { $0.says("Jamf Pro is not configured") }
      #expect(try story.simulator.requests().isEmpty)
    }
  }

  /// How many devices the report has, once it has run.
  private static func count(in view: JSONValue) -> Int? {
    view.texts.lazy.compactMap { $0.wholeMatch(of: #/Managed Macs: (\d+) devices/#) }.first.flatMap {
      Int($0.1)
    }
  }

  private static func exported(_ story: ModuleDeskStory) async throws -> String {
    let view = try await story.until(view) { $0.says("Exported to ") }
    let notice = try #require(view.texts.first { $0.hasPrefix("Exported to ") })
    return String(notice.dropFirst("Exported to ".count))
  }
}
