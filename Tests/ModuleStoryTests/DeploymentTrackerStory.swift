import ForsettiCore
import ForsettiTestKit
import Foundation
import Testing

/// The deployment tracker in its locked process. Jamf Pro is there, and never hears of it.
@Suite("The deployment tracker's story", .timeLimit(.minutes(3))) struct DeploymentTrackerStory {
  private let module = "feature.deployment-tracker"
  private let view = "deployment-tracker"
  private let serial = "DEMO-MAC-0001"

  @Test("follows a device that was scanned, keeps each step past a kill, and leaves the machine by no way")
  func story() async throws {
    try await ModuleDeskStory.tell(.init(computers: 3, mobileDevices: 3, account: nil)) { story in
      try await story.until(view) { $0.says("Demo: made-up data, no live actions") && $0.says("119 of 119") }
      try story.act(module, "scan", ["text": " demo-mac-0001\r"])
      try await story.until(view) { $0.says(serial) && $0.says("Take the step") }

      try story.act(module, "move", ["serial": serial, "to": "complete"])
      try await story.until(view) { $0.says("No step leads from Received to Complete.") }
      try story.act(module, "move", ["serial": serial, "to": "cataloged"])
      try await story.until(view) { $0.says("\(serial): Received to Cataloged") }
      // What the view has shown is kept: the process ends at once.
      try await killed(story)
      try story.act(module, "device", ["serial": serial])
      try await story.until(view) { $0.texts.contains("Cataloged") && $0.says("To complete refused.") }

      try story.act(module, "live", ["action": "preload-submission"])
      try await story.until(view) { $0.says("would reach Jamf Pro, and this is a demo: nothing was sent") }
      try story.act(module, "simulate", ["action": "preload-submission"])
      try await story.until(view) { $0.says("externalDataChanged false") }
      try story.act(module, "open", ["workspace": "audit"])
      try await story.until(view) {
        $0.texts.contains("live.blocked") && $0.texts.contains("action.simulated")
      }
      try story.act(module, "export-records")
      try await story.until(view) { $0.says("16 files of records, version 1; they were sent nowhere") }
      try story.act(module, "open", ["workspace": "service-desk"])
      try story.act(module, "export-service-desk", ["project": "All projects"])
      try await story.until(view) { $0.says("SDPlusExport-all-projects-v1-") && $0.says(".csv") }
      #expect(try story.simulator.requests().isEmpty)
      try await story.expectAllUsed(by: module)
    }
  }

  @Test("writes files for people, looks at theirs, and goes back to the seed for a typed word alone")
  func files() async throws {
    try await ModuleDeskStory.tell(.init(computers: 3, mobileDevices: 3, account: nil)) { story in
      try story.act(module, "open", ["workspace": "service-desk"])
      try story.act(module, "export-service-desk", ["project": "All projects"])
      try await story.until(view) { $0.says("SDPlusExport-all-projects-v1-") && $0.says(".csv") }
      try story.act(module, "export-service-desk", ["project": "All projects"])
      try await story.until(view) { $0.says("No device waits for the service desk.") }

      try story.act(module, "open", ["workspace": "audit"])
      try story.act(module, "export-records")
      try await story.until(view) { $0.says("16 files of records, version 1; they were sent nowhere") }
      let written = try story.stateFiles().filter { $0.name.contains("DeploymentRecords-v1-") }
      let manifests = written.filter { $0.name.contains("-manifest-") }
      let manifest = try #require(manifests.first)
      let root = try JSONParser.parse(Array(manifest.bytes)).root
      let listed = root["files"]?.elements ?? []
      #expect(written.count == listed.count + 1)
      var lines = ""
      for file in listed {
        let name = try #require(file["writtenAs"]?.stringValue)
        let bytes = try #require(written.first(where: { $0.name.hasSuffix("/" + name) })?.bytes)
        #expect(Int64(bytes.count) == file["bytes"]?.integerValue, "\(name)")
        let digest = try Self.sha256sum(bytes)
        #expect(digest == file["sha256"]?.stringValue, "\(name)")
        lines += "\(digest)  \(try #require(file["path"]?.stringValue))\n"
      }
      #expect(try Self.sha256sum(Data(lines.utf8)) == root["sha256"]?.stringValue)

      try story.act(module, "open", ["workspace": "imports"])
      try story.act(
        module, "preview",
        ["format": "CSV with titles", "text": "Serial Number,Device Type\r\nNEW-1,Mac\r\nNEW-1,\"Mac"])
      try await story.until(view) { $0.texts.contains("3:7") && $0.says("is never closed") }

      try story.act(module, "open", ["workspace": "administration"])
      try story.act(module, "save-layout", ["name": "Mine", "columns": "Serial Number, Status"])
      try await story.until(view) { $0.texts.contains("Mine") }
      try story.act(module, "reset", ["phrase-reset": "yes"])
      try await story.until(view) { $0.says("Nothing was done: type") && $0.texts.contains("Mine") }
      try story.act(module, "reset", ["phrase-reset": " confirm "])
      try await story.until(view) { $0.says("as they were at first") && !$0.texts.contains("Mine") }
      try await killed(story)
      try story.act(module, "open", ["workspace": "service-desk"])
      try await story.until(view) { $0.says("No file was written yet.") }
    }
  }

  /// SHA-256 as sha256sum(1) has it, which shares no code with the host.
  private static func sha256sum(_ bytes: Data) throws -> String {
    let sum = try SpawnedProgram.run(["sha256sum"], input: Array(bytes))
    return String(decoding: sum.output.prefix(64), as: UTF8.self)
  }

  /// Ends the module's process as the kernel may, and returns when it is back.
  private func killed(_ story: ModuleDeskStory) async throws {
    let before = try story.module(module)
    try story.kill(module)
    try await story.untilRestarted(module, from: before.pid)
  }
}
