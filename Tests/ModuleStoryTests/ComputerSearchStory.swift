import ForsettiCore
import Foundation
import Testing

/// The whole story of Computer Search, in its locked process, before the made-up server.
@Suite("The story of Computer Search", .timeLimit(.minutes(3))) struct ComputerSearchStory {
  private static let module = "feature.computer-search"
  private static let view = "computer-search"

  @Test("finds computers, opens one, shares it, and keeps a filter past the end of its process")
  func story() async throws {
    try await ModuleDeskStory.tell { story in
      #expect(try story.render(Self.view).says("Computers"))
      try story.act(Self.module, "search", ["text": ""])
      // Those that a PreStage waits for come at the end, and have a page of their own.
      let all = try await story.until(Self.view) { $0.says("300 computers: all") && !$0.says("Cancel") }
      #expect(all.says("24 more devices are in a PreStage and not enrolled."))
      #expect(all.says("Page 1 of 7"))
      let name = try #require(all.firstCell)
      try story.act(Self.module, "search", ["text": name])
      let found = try await story.until(Self.view) { $0.says(": \"\(name)\"") && !$0.says("Cancel") }
      let id = try #require(found.payload("id", ofButton: "Open"))

      try story.act(Self.module, "open", ["id": id])
      let detail = try await story.until(Self.view) { $0.says("FileVault") && !$0.says("Reading the record") }
      for text in ["Security", "Hardware", "Battery", "Extension Attributes"] {
        #expect(detail.says(text), "\(text)")
      }
      try story.act(Self.module, "share")
      try await story.until(Self.view) { $0.says("## ") && $0.says("| Field | Value |") }
      try story.act(Self.module, "export")
      let exported = try await story.until(Self.view) { $0.says("Exported 1 computer to ") }
      #expect(exported.says(".md"))

      try story.act(Self.module, "show", ["panel": "query"])
      try await story.until(Self.view) { $0.says("Disk Health") }
      try story.act(Self.module, "choose-field", ["field": "Disk Health", "group": "Group 1"])
      try await story.until(Self.view) { $0.says("Compare Disk Health") }
      try story.act(Self.module, "add-criterion", ["comparison": "is one of", "value": "Fair, Replace"])
      try await story.until(Self.view) { $0.says("Decided here: Disk Health.") }
      try story.act(Self.module, "save-filter", ["name": "Bad disks"])
      try await story.until(Self.view) { $0.says("Kept the filter") }

      let before = try story.module(Self.module)
      try story.kill(Self.module)
      try await story.untilRestarted(Self.module, from: before.pid)
      try story.act(Self.module, "show", ["panel": "saved"])
      let saved = try await story.until(Self.view) { $0.says("Bad disks") && $0.says("Run") }
      let filter = try #require(saved.payload("id", ofButton: "Run"))
      try story.act(Self.module, "run-filter", ["id": filter])
      let run = try await story.until(Self.view) { $0.says("the filter \"Bad disks\"") && !$0.says("Cancel") }
      #expect(!run.says("300 computers") && !run.says("0 computers:"))
      #expect(try story.simulator.requests().allSatisfy { $0.method == "GET" || $0.path.contains("oauth") })
      // What goes wrong is for diagnostics.
      try story.simulator.setFaults(#"[{"path": "/api/*", "times": 0, "fault": "html"}]"#)
      try story.act(Self.module, "search", ["text": ""])
      try await story.until(Self.view) { $0.says("can't be read") }
      try await story.expectAllUsed(by: Self.module)
    }
  }

  /// A rule of the schedule, and what the view says of it.
  private static let faults: [(rule: String, what: String, advice: String)] = [
    (#""fault": "status", "status": 401"#, "did not accept the credentials", "Enter them again"),
    (#""fault": "status", "status": 403"#, "lacks a privilege", "Give the API role the privilege"),
    (#""fault": "status", "status": 429, "retryAfter": 1"#, "asked too much", "then try again"),
    (#""fault": "status", "status": 500"#, "failed with status 500", "Try again in a minute"),
    (#""fault": "cut", "bytes": 100"#, "Jamf Pro", "ry again"),
    (#""fault": "wrongJSON""#, "can't be read", "Try again"),
    (#""fault": "html""#, "can't be read", "Try again"),
    (#""fault": "changingTotal", "by": 1"#, "The list changed", "Read it again"),
  ]

  @Test("says of every fault of the server what happened and what to do, and goes on afterwards")
  func faults() async throws {
    try await ModuleDeskStory.tell { story in
      for fault in Self.faults {
        try story.simulator.setFaults(
          #"[{"path": "/api/*", "method": "GET", "times": 0, \#(fault.rule)}]"#)
        try story.act(Self.module, "search", ["text": fault.rule])
        let heading = ": \(fault.rule.quoted())"
        let view = try await story.until(Self.view) { $0.says(heading) && !$0.says("Cancel") }
        #expect(view.says(fault.what), "\(fault.rule): \(view.texts)")
        #expect(view.says(fault.advice), "\(fault.rule): \(view.texts)")
        try story.simulator.setFaults("[]")
        try story.enterCredentials(of: .demo)
      }
      try story.simulator.setFaults(
        #"[{"path": "/api/*", "method": "GET", "times": 3, "fault": "slow", "milliseconds": 300}]"#)
      try story.act(Self.module, "search", ["text": ""])
      try await story.until(Self.view) { $0.says("300 computers: all") && !$0.says("Cancel") }
    }
  }

  @Test("ten thousand computers stream in within their memory, and cancel stops the calls")
  func thousands() async throws {
    try await ModuleDeskStory.tell(.init(computers: 10_000, mobileDevices: 1)) { story in
      // The third page comes late: what is to be seen meanwhile is not over before somebody has looked.
      try story.simulator.setFaults(
        #"[{"path": "/api/v3/computers-inventory", "after": 2, "times": 0, "fault": "slow", "milliseconds": 20000}]"#
      )
      try story.simulator.forgetRequests()
      try story.act(Self.module, "search", ["text": ""])
      try await story.until(Self.view) {
        $0.says("Open") && $0.says("Looked at ") && $0.says("Cancel")
      }
      try story.act(Self.module, "cancel")
      try await story.until(Self.view) { $0.says("Cancelled") }
      #expect(try story.simulator.requests().count < 50)

      try story.simulator.setFaults("[]")
      try story.act(Self.module, "search", ["text": ""])
      try await story.until(Self.view) { $0.says("10000 computers: all") && !$0.says("Cancel") }
      let process = try #require(try story.module(Self.module).pid)
      #expect(try Self.peakMemory(process) <= 64 << 20)
    }
  }

  @Test("without credentials, and without the right, it says so and stays calm")
  func strangers() async throws {
    try await ModuleDeskStory.tell(.init(computers: 3, mobileDevices: 3, account: nil)) { story in
      try story.act(Self.module, "search", ["text": "Mac"])
      let view = try await story.until(Self.view) { $0.says("Jamf Pro is not configured") }
      #expect(view.says("forsetti-supervisor secret set"))
      #expect(try story.simulator.requests().isEmpty)
      try story.enterCredentials(of: .nobody)
      try story.act(Self.module, "search", ["text": "Mac"])
      try await story.until(Self.view) { $0.says("the account lacks a privilege") }
    }
  }

  @Test("the end of Jamf Service in the middle fails the search, and the next one goes well")
  func serviceKilled() async throws {
    try await ModuleDeskStory.tell { story in
      try story.simulator.setFaults(
        #"[{"path": "/api/v3/computers-inventory", "after": 1, "times": 1, "fault": "slow", "milliseconds": 20000}]"#
      )
      try story.act(Self.module, "search", ["text": ""])
      try await story.until(Self.view) { $0.says("Looked at 50 of 300") }
      let service = try story.module("service.jamf")
      try story.kill("service.jamf")
      let view = try await story.until(Self.view) { $0.says("Jamf Service can't be asked") }
      #expect(view.says("50 computers: all"))
      try await story.untilRestarted("service.jamf", from: service.pid)
      try story.act(Self.module, "search", ["text": ""])
      try await story.until(Self.view) { $0.says("300 computers: all") && !$0.says("Cancel") }
    }
  }

  /// The most memory that a process ever had, in bytes.
  private static func peakMemory(_ process: Int32) throws -> Int {
    let status = try String(contentsOf: URL(filePath: "/proc/\(process)/status"), encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) }) << 10
  }
}
