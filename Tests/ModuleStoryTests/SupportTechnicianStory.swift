import ForsettiCore
import Foundation
import Testing

/// Support Technician in its locked process, before the made-up Jamf Pro server. Its devices act by their numbers: 1 obeys, 7
/// hesitates, 13 fails.
@Suite("Support Technician's story", .timeLimit(.minutes(3))) struct SupportTechnicianStory {
  private let module = "feature.support-technician"
  private let view = "support-technician"

  /// The payload of a button that has a text of this name in it.
  private func payload(_ view: JSONValue, having key: String) -> [String: String]? {
    if view[key]?.stringValue != nil {
      let pairs = (view.members ?? []).compactMap { pair in pair.value.stringValue.map { (pair.key, $0) } }
      return Dictionary(pairs) { first, _ in first }
    }
    let parts = (view.members ?? []).map(\.value) + (view.elements ?? [])
    return parts.lazy.compactMap { payload($0, having: key) }.first
  }

  private func word(_ action: String, _ device: String) -> [String: String] {
    let number = device.split(separator: "/").last ?? ""
    let kind = device.hasPrefix("computer") ? "mac" : "mobile"
    return ["action": action, "device": device, "phrase-\(action)-\(kind)-\(number)": "confirm"]
  }

  private func orders(_ story: ModuleDeskStory) throws -> Int {
    try story.simulator.requests().count { $0.method == "POST" && $0.path == "/api/v2/mdm/commands" }
  }

  @Test("finds devices of both kinds, acts on one after the word, and follows the order to its end")
  func order() async throws {
    try await ModuleDeskStory.tell { story in
      try story.simulator.setFaults(
        #"[{"path": "/api/v2/mobile-devices/detail", "times": 1, "fault": "html"}]"#)
      try story.act(module, "search", ["query": "mac", "scope": "All devices"])
      try await story.until(view) { $0.says("Mobile devices could not be searched") && $0.says("computer/") }
      try story.act(module, "search", ["query": "example", "scope": "Mobile devices"])
      try await story.until(view) { $0.says("mobile_device/") }

      try story.act(module, "open", ["device": "computer/1"])
      try await story.until(view) { $0.says("It was sent no commands") }
      // No word, then a wrong one, then that of another device: nothing is sent.
      try story.act(module, "perform", ["action": "restartDevice", "device": "computer/1"])
      try await story.until(view) { $0.says("It restarts at once") }
      try story.act(
        module, "perform",
        ["action": "restartDevice", "device": "computer/1", "phrase-restartDevice-mac-1": "Confirm"])
      try await story.until(view) { $0.says("Nothing was done: type") }
      try story.act(module, "perform", word("restartDevice", "computer/2"))
      try await story.until(view) { $0.says("another device is open") }
      #expect(try orders(story) == 0)

      try story.act(module, "perform", word("restartDevice", "computer/1"))
      try await story.until(view) { $0.says("Waiting for the device") && $0.says("under way") }
      #expect(try orders(story) == 1)
      try await story.untilEvent("com.forsetti.jamfpro.feature.support-technician.pending")
      try story.simulator.advanceClock(seconds: 5)
      try story.act(module, "refresh")
      try await story.until(view) { $0.texts.contains("Done") && !$0.says("under way") }

      try story.act(module, "attach", ["device": "computer/1", "note": "New battery."])
      try await story.until(view) { $0.says("Attach Note: Jamf Pro took it") }
      let record = try story.api("GET", "/api/v3/computers-inventory/1/attachments/1")
      #expect(record.status == 200)
      try story.act(module, "reload", ["device": "computer/1"])
      try await story.until(view) { $0.says("support-note-") }

      try story.act(module, "share", ["device": "computer/1"])
      try await story.until(view) { $0.says("Exported to ") }
      try await story.expectAllUsed(by: module)
    }
  }

  @Test("shows a secret once, tells who lacks a privilege which, and has devices that fail say so")
  func secrets() async throws {
    try await ModuleDeskStory.tell { story in
      try story.act(module, "open", ["device": "computer/13"])
      try await story.until(view) { $0.says("It was sent no commands") }
      try story.act(
        module, "perform", ["action": "viewJamfManagementAccountPassword", "device": "computer/13"])
      let kept = try await story.until(view) { payload($0, having: "handle") != nil }
      try story.act(module, "reveal", try #require(payload(kept, having: "handle")))
      let shown = try await story.until(view) { $0.says("It is shown this once") }.texts
      let place = try #require(shown.firstIndex { $0.contains("It is shown this once") })
      // Its text stands between its title and this; nothing of it is on the disk.
      let secret = try #require(shown[..<place].last { $0.utf8.count == 20 })
      for file in try story.stateFiles() {
        #expect(file.bytes.firstRange(of: Data(secret.utf8)) == nil, "\(file.name)")
      }

      try story.act(module, "perform", word("sendDeviceLock", "computer/13"))
      let waiting = try await story.until(view) { payload($0, having: "handle") != nil }
      let handle = try #require(payload(waiting, having: "handle"))
      try story.act(module, "reveal", handle)
      try await story.until(view) { $0.says("It is shown this once") }
      try story.act(module, "hide")
      try await story.until(view) { !$0.says("It is shown this once") }
      try story.act(module, "reveal", handle)
      try await story.until(view) { $0.says("was shown already") }
      try story.simulator.advanceClock(seconds: 5)
      try story.act(module, "refresh")
      try await story.until(view) { $0.says("Failed: ") }

      try story.enterCredentials(of: .reader)
      try story.act(module, "perform", word("restartDevice", "computer/13"))
      try await story.until(view) { $0.says("“Send Mobile Device Restart Device Command”") }
    }
  }

  @Test("a Mac is made ready for remote support, shown where it is, and left as it was")
  func remote() async throws {
    try await ModuleDeskStory.tell { story in
      try story.act(module, "open", ["device": "computer/2"])
      try await story.until(view) { $0.says("Remote support") }
      try story.act(module, "prepare", ["device": "computer/2"])
      try await story.until(view) { $0.says("Waiting for Check-In") }
      try story.simulator.advanceClock(seconds: 5)
      try story.act(module, "refresh")
      try await story.until(view) { $0.says("Ready to Open") && $0.says("vnc://") }
      try story.act(module, "end", ["device": "computer/2"])
      try await story.until(view) { $0.says("Switching off") }
      try story.simulator.advanceClock(seconds: 5)
      try story.act(module, "refresh")
      try await story.until(view) { $0.texts.contains("Ended") }
    }
  }

  private func count(_ story: ModuleDeskStory, _ method: String, below path: String) throws -> Int {
    try story.simulator.requests().count { $0.method == method && $0.path.hasPrefix(path) && $0.status < 300 }
  }

  @Test("a user is an administrator for a time: the Mac comes into a group, reports, and leaves it")
  func administrator() async throws {
    try await ModuleDeskStory.tell { story in
      let request = [
        "device": "computer/1", "minutes": "15", "reason": "a printer",
        "phrase-administrator-mac-1": "confirm",
      ]
      try story.act(module, "open", ["device": "computer/1"])
      try await story.until(view) { $0.says("It was sent no commands") }
      try story.act(module, "elevate", request)
      try await story.until(view) { $0.says("not set up here") }
      try story.act(
        module, "configure-admin",
        [
          "enabled": "true", "ticket-required": "false", "cleanup": "true", "timeout-minutes": "25",
          "group-5": "1", "group-15": "2", "group-30": "3", "group-60": "4", "group-demote": "5",
        ])
      try await story.until(view) { $0.says("The setting of temporary administrator rights is kept") }
      try story.act(module, "elevate", request)
      try await story.until(view) { $0.says("Waiting for Check-In") }
      try story.simulator.advanceClock(seconds: 5)
      try story.act(module, "refresh")
      try await story.until(view) { $0.texts.contains("Administrator") && !$0.says("Look now") }
      #expect(try count(story, "PUT", below: "/api/v2/computer-groups/static-groups/2") == 2)
    }
  }

  @Test("an application is removed by a policy made for it, and nothing of that stays in Jamf Pro")
  func application() async throws {
    try await ModuleDeskStory.tell { story in
      try story.act(module, "open", ["device": "computer/1"])
      try await story.until(view) { $0.says("It was sent no commands") }
      let order = ["device": "computer/1", "verb": "uninstall", "application": "Safari"]
      try story.act(module, "application", order)
      try await story.until(view) { $0.says("Nothing was done: type") }
      try story.act(
        module, "application", order.merging(["phrase-application-mac-1": "confirm"]) { first, _ in first })
      try await story.until(view) { $0.says("The Mac runs it at its next check-in") }
      try story.simulator.advanceClock(seconds: 5)
      try story.act(module, "refresh")
      try await story.until(view) {
        $0.says("The inventory of the Mac says so") && !$0.says("still to be deleted")
      }
      #expect(try count(story, "DELETE", below: "/api/v1/scripts/") == 1)
      #expect(try count(story, "DELETE", below: "/JSSResource/policies/") == 1)
    }
  }

  @Test("killed while an order is sent it comes back, says what is known, and sends nothing again")
  func killed() async throws {
    try await ModuleDeskStory.tell { story in
      try story.act(module, "open", ["device": "computer/1"])
      try await story.until(view) { $0.says("It was sent no commands") }
      try story.simulator.setFaults(
        #"[{"method": "POST", "path": "/api/v2/mdm/commands", "times": 0, "fault": "slow", "milliseconds": 20000}]"#
      )
      try story.act(module, "perform", word("restartDevice", "computer/1"))
      try await story.until(view) { $0.says("On its way to Jamf Pro") }
      let process = try story.module(module).pid
      try story.kill(module)
      try await story.untilRestarted(module, from: process)
      let after = try await story.until(view) { $0.says("The module ended while the order was being sent") }
      #expect(after.says("read the command history"))
      try story.simulator.setFaults("[]")
      try story.act(module, "open", ["device": "computer/1"])
      try await story.until(view) { $0.says("RESTART_DEVICE") || $0.says("It was sent no commands") }
      #expect(try orders(story) <= 1)
    }
  }
}
