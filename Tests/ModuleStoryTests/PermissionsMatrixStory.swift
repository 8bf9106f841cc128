import ForsettiCore
import Testing

/// Permissions Helper before the made-up server.
@Suite("The story of Permissions Helper", .timeLimit(.minutes(3))) struct PermissionsMatrixStory {
  private static let module = "permissions-matrix"

  @Test("has the matrix without a server, and compares it with an account that may only read") func story()
    async throws
  {
    try await ModuleDeskStory.tell(.init(computers: 3, mobileDevices: 3, account: nil)) { story in
      let matrix = try story.render(Self.module)
      #expect(matrix.says("Move devices to another PreStage"))
      #expect(matrix.says("not checked"))
      try story.act(Self.module, "check")
      try await story.until(Self.module) { $0.says("Not compared") && $0.says("not configured") }

      try story.enterCredentials(of: .reader)
      try story.act(Self.module, "check")
      let compared = try await story.until(Self.module) { $0.says("Compared") }
      #expect(!compared.says("This server doesn't know"))
      try story.act(Self.module, "select", ["id": "prestage-director.move"])
      let selected = try await story.until(Self.module) {
        $0.says("POST /api/v2/mobile-device-prestages/{}/scope")
      }
      #expect(selected.says("refused: Update Mobile Device PreStage Enrollments missing"))
      try story.act(Self.module, "filter", ["missing": "true", "module": "PreStage Director"])
      let missing = try await story.until(Self.module) { !$0.says("Find the PreStage of a device") }
      #expect(missing.says("Remove devices from their PreStages"))
      try story.act(Self.module, "list", ["what": "privileges"])
      try await story.until(Self.module) { $0.says("lacks it") && $0.says("has it") }
      for format in ["csv", "json", "md"] {
        try story.act(Self.module, "export", ["format": format])
        try await story.until(Self.module) { $0.says("Wrote 2 actions to") && $0.says(".\(format)") }
      }
      let asked = try story.simulator.requests().filter { !$0.isOfTheService }
      #expect(Set(asked.map(\.path)) == ["/api/v1/api-role-privileges"])
      try await story.expectAllUsed(by: Self.module)
    }
  }

  @Test("an account that may not ask what there is, is compared all the same") func nobody() async throws {
    try await ModuleDeskStory.tell(.init(computers: 3, mobileDevices: 3, account: .nobody)) { story in
      try story.act(Self.module, "check")
      let compared = try await story.until(Self.module) { $0.says("Compared") }
      #expect(compared.says("The account has 0 privileges."))
      #expect(compared.says("lacks “Read API Roles”"))
      try story.act(Self.module, "filter", ["missing": "true"])
      // All but asking what one may.
      try await story.until(Self.module) { !$0.texts.contains("allowed") && $0.texts.contains("refused") }
    }
  }
}
