import ForsettiCore
import Testing

@testable import ForsettiModules

/// PreStage Director before the made-up server: what a technician does with it, and what goes wrong in the middle.
@Suite("The story of PreStage Director", .timeLimit(.minutes(4))) struct PrestageDirectorStory {
  private static let module = "prestage-director"

  /// Opens a PreStage, and gives the first serial numbers in it.
  private func serials(_ count: Int, in id: Int, _ story: ModuleDeskStory) async throws -> [String] {
    try story.act(Self.module, "open", ["id": "\(id)"])
    let view = try await story.until(Self.module) {
      $0.says("(ID: \(id))") && $0.says("assigned.") && !$0.isBusy
    }
    let found = view.texts.filter { $0.wholeMatch(of: #/F[A-Z0-9]{9,13}/#) != nil }
    try #require(found.count >= count)
    return Array(found.prefix(count))
  }

  /// Plans a move and confirms it.
  private func move(
    _ serials: [String], to destination: String, _ story: ModuleDeskStory
  ) async throws {
    try story.act(
      Self.module, "plan-move", ["serials": serials.joined(separator: "\n"), "destination": destination])
    let view = try await story.until(Self.module) { $0.says("Would be done: the move of") && !$0.isBusy }
    let field = try #require(view.texts.first { $0.hasPrefix("phrase-plan-") })
    try story.act(Self.module, "apply", [field: "confirm"])
  }

  private func begin(_ story: ModuleDeskStory) async throws {
    try await story.until(Self.module) { $0.says("Staff iPhone") && !$0.isBusy }
  }

  @Test("moves devices once they are confirmed, and rolls back in full what a server refuses")
  func moves() async throws {
    try await ModuleDeskStory.tell { story in
      try await begin(story)
      let serials = try await serials(2, in: 1, story)
      try story.act(
        Self.module, "plan-move",
        [
          "serials": serials.joined(separator: " ").lowercased() + " NOBODYS1",
          "destination": "Kiosk (ID: 4)",
        ])
      let plan = try await story.until(Self.module) {
        $0.says("the move of 2 devices to Kiosk") && !$0.isBusy
      }
      #expect(plan.says("NOBODYS1"))
      try story.act(Self.module, "apply", ["phrase-plan-1": "yes", "phrase-plan-2": "confirm"])
      try await story.until(Self.module) { $0.says("The plan was not confirmed.") }
      #expect(try story.changes().isEmpty)

      try story.act(Self.module, "apply", ["phrase-plan-1": " confirm "])
      try await story.until(Self.module) { $0.says("Moved 2 devices to Kiosk.") && !$0.isBusy }
      #expect(
        try story.changes() == [
          "POST /api/v2/mobile-device-prestages/1/scope/delete-multiple 200",
          "POST /api/v2/mobile-device-prestages/4/scope 200",
        ])
      try story.act(Self.module, "find", ["serials": serials[0]])
      try await story.until(Self.module) {
        $0.texts.contains("Kiosk (ID: 4)") && $0.says(serials[0]) && !$0.isBusy
      }
      try story.act(Self.module, "share")
      try await story.until(Self.module) { $0.says("| Assigned Prestage | Staff iPhone |") }
      try story.act(Self.module, "export")
      try await story.until(Self.module) { $0.says("Wrote ") }

      // Somebody else changes the scope: once more with a fresh lock.
      try story.simulator.setFaults(
        #"[{"method": "POST", "path": "/api/v2/mobile-device-prestages/4/scope/delete-multiple", "fault": "status", "status": 409}]"#
      )
      try await move(serials, to: "Staff iPhone (ID: 1)", story)
      try await story.until(Self.module) { $0.says("Moved 2 devices to Staff iPhone.") && !$0.isBusy }

      // An older server lacks the newer calls.
      try story.simulator.setFaults(
        #"[{"path": "/api/v2/mobile-device-prestages*", "times": 0, "fault": "status", "status": 404}]"#)
      try await move(serials, to: "Kiosk (ID: 4)", story)
      try await story.until(Self.module) { $0.says("Moved 2 devices to Kiosk.") && !$0.isBusy }

      try story.simulator.setFaults(
        #"[{"method": "POST", "path": "/api/v2/mobile-device-prestages/2/scope", "times": 0, "fault": "status", "status": 400}]"#
      )
      try await move(serials, to: "Classroom iPad (ID: 2)", story)
      try await story.until(Self.module) { $0.says("Rolled back in full: 2 devices put back") && !$0.isBusy }

      try story.act(Self.module, "plan-removal", ["serials": serials[0]])
      try await story.until(Self.module) { $0.says("the removal of 1 device from PreStages") && !$0.isBusy }
      try story.act(Self.module, "discard")
      try await story.until(Self.module) { !$0.says("Would be done") }
      for request in try story.simulator.requests() where !request.isOfTheService {
        #expect(PrestageEndpoints.table.covers(method: request.method, path: request.path), "\(request)")
      }
      try await story.expectAllUsed(by: Self.module)
    }
  }

  @Test("killed in the middle, a move is finished or rolled back, and the view says which") func killed()
    async throws
  {
    try await ModuleDeskStory.tell { story in
      try await begin(story)
      let serials = try await serials(2, in: 1, story)
      try story.simulator.setFaults(
        #"[{"method": "POST", "path": "/api/v2/mobile-device-prestages/2/scope", "fault": "slow", "milliseconds": 2000}]"#
      )
      try await move(serials, to: "Classroom iPad (ID: 2)", story)
      try await story.until(Self.module) { $0.says("Adding 2 devices to Classroom iPad") }
      try story.kill(Self.module)
      let finished = try await story.until(Self.module) { $0.says("from the journal") }
      #expect(finished.says("Moved 2 devices to Classroom iPad."))
      #expect(finished.says("was finished"))
      try await begin(story)

      try story.simulator.setFaults(
        #"[{"method": "POST", "path": "/api/v2/mobile-device-prestages/4/scope", "times": 0, "fault": "status", "status": 400}, {"method": "POST", "path": "/api/v2/mobile-device-prestages/2/scope", "fault": "slow", "milliseconds": 2000}]"#
      )
      try await move(serials, to: "Kiosk (ID: 4)", story)
      try await story.until(Self.module) { $0.says("Adding 2 devices to Classroom iPad") }
      try story.kill(Self.module)
      let back = try await story.until(Self.module) { $0.says("from the journal") }
      #expect(back.says("Rolled back in full: 2 devices put back"))
      #expect(back.says("was rolled back"))
      try await begin(story)

      // The module that reaches Jamf ends: the move goes on by itself when it is there again.
      try story.simulator.setFaults(
        #"[{"method": "POST", "path": "/api/v2/mobile-device-prestages/4/scope", "fault": "slow", "milliseconds": 2000}]"#
      )
      try await move(serials, to: "Kiosk (ID: 4)", story)
      try await story.until(Self.module) { $0.says("Adding 2 devices to Kiosk") }
      try story.kill("service.jamf")
      try await story.until(Self.module) { $0.says("Moved 2 devices to Kiosk.") && !$0.isBusy }
    }
  }

  @Test("one of 20,000 devices is found, moved, and put back where it was") func large() async throws {
    try await ModuleDeskStory.tell(.init(unboxedMobileDevices: 20_000)) { story in
      try await begin(story)
      let serials = try await serials(2, in: 1, story)
      try story.act(Self.module, "find", ["serials": serials[0]])
      try await story.until(Self.module) {
        $0.texts.contains("Staff iPhone (ID: 1)") && $0.says(serials[0]) && !$0.isBusy
      }
      try await move(serials, to: "Kiosk (ID: 4)", story)
      try await story.until(Self.module) { $0.says("Moved 2 devices to Kiosk.") && !$0.isBusy }
      try await move(serials, to: "Staff iPhone (ID: 1)", story)
      try await story.until(Self.module) { $0.says("Moved 2 devices to Staff iPhone.") && !$0.isBusy }
      try story.simulator.setFaults(
        #"[{"method": "POST", "path": "/api/v2/mobile-device-prestages/4/scope", "times": 0, "fault": "status", "status": 400}]"#
      )
      try await move(serials, to: "Kiosk (ID: 4)", story)
      try await story.until(Self.module) { $0.says("Rolled back in full: 2 devices put back") && !$0.isBusy }
      #expect(try story.peakMemory(of: Self.module) < 64 << 20)
    }
  }

  @Test("a way back that the server is not there for stays open, and is gone later") func halfDone()
    async throws
  {
    try await ModuleDeskStory.tell { story in
      try await begin(story)
      let serials = try await serials(1, in: 1, story)
      try story.simulator.setFaults(
        #"[{"method": "POST", "path": "/api/v2/mobile-device-prestages/4/scope", "times": 0, "fault": "html"}, {"method": "POST", "path": "/api/v2/mobile-device-prestages/1/scope", "times": 0, "fault": "status", "status": 503}]"#
      )
      try await move(serials, to: "Kiosk (ID: 4)", story)
      let half = try await story.until(Self.module) {
        $0.says("Half-done is the move of 1 device to Kiosk.") && !$0.isBusy
      }
      #expect(half.says("it was on its way back"))
      try story.act(Self.module, "plan-removal", ["serials": serials[0]])
      try await story.until(Self.module) { $0.says("There is nothing to do.") && !$0.isBusy }
      try story.simulator.setFaults("[]")
      try story.act(Self.module, "roll-back")
      let back = try await story.until(Self.module) {
        $0.says("Rolled back in full: 1 device put back") && !$0.isBusy
      }
      #expect(!back.says("Half-done"))
    }
  }

  private static let faults: [(String, String)] = [
    (
      #"{"path": "/api/v2/mobile-device-prestages", "times": 0, "fault": "html"}"#,
      "Jamf Pro's answer can't be read"
    ),
    (
      #"{"path": "/api/v2/mobile-device-prestages", "times": 0, "fault": "wrongJSON"}"#,
      "Jamf Pro's answer can't be read"
    ),
    (
      #"{"path": "/api/v2/mobile-device-prestages", "times": 0, "fault": "status", "status": 403}"#,
      "lacks a privilege"
    ),
    (#"{"path": "/api/v2/mobile-device-prestages", "times": 0, "fault": "cut", "bytes": 20}"#, "Jamf Pro"),
  ]

  @Test("each fault of the server is told, with what to do, and is over when the server is well")
  func faults() async throws {
    try await ModuleDeskStory.tell { story in
      try await begin(story)
      for (fault, words) in Self.faults {
        try story.simulator.setFaults("[\(fault)]")
        try story.act(Self.module, "refresh")
        try await story.until(Self.module) { $0.says(words) && $0.says("Failed") && !$0.isBusy }
        try story.simulator.setFaults("[]")
        try story.act(Self.module, "refresh")
        try await story.until(Self.module) { !$0.says("Failed") && !$0.isBusy }
      }
    }
  }
}

extension ModuleDeskStory {
  /// What changed a PreStage, with how it was answered.
  fileprivate func changes() throws -> [String] {
    try simulator.requests().filter { $0.method != "GET" && $0.path.contains("prestages") }
      .map { "\($0.method) \($0.path) \($0.status)" }
  }
}

extension StoryRequest {
  /// Whether Jamf Service makes it for itself.
  var isOfTheService: Bool { path.hasSuffix("/token") || path.hasPrefix("/api/v1/auth") }
}

extension JSONValue {
  /// Whether something is under way: then a view offers to cancel it.
  var isBusy: Bool { texts.contains("Cancel") }
}
