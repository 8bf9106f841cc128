import CSQLite
import Foundation
import Glibc
import Testing

@testable import ForsettiSupervisor

/// The modules of `docs/writing-a-module.md` in the real program, locked, with the real services.
@Suite struct ExamplesTests {
  private static let key = "forsetti.example.service.lastStartedAt"
  private static let ids = ["com.forsetti.example.service", "com.forsetti.example.ui"]

  private func arguments(_ scratch: Scratch, policy: String = Product.examplePolicy, _ more: String...)
    -> [String]
  {
    ["run", "--policy", policy, "--manifests", Product.exampleManifests, "--state", scratch("state")] + more
  }

  @Test("under their policy both boot, and their surface is what they contribute") func boot() async throws {
    let scratch = try Scratch()
    let end = try await SupervisorProcess.run(arguments(scratch, "--once", "--json"))
    #expect(end.status == 0, "\(end.errors)")
    let boot = try ReportedBoot(end.output)
    #expect(boot.modules.map(\.moduleID) == Self.ids)
    #expect(boot.modules.allSatisfy { $0.state == "active" && $0.openFileDescriptors == 5 })
    #expect(boot.selectedUIModuleID == Self.ids[1])
    let surface = try #require(boot.surface)
    #expect(surface.toolbar.map(\.itemID) == ["example-open", "example-greet"])
    #expect(surface.toolbar.allSatisfy { $0.moduleID == Self.ids[1] })
    #expect(surface.toolbar[0].action.routeID == "example-overlay")
    #expect(surface.toolbar[1].action.eventType == "com.forsetti.example.ui.greet")
    #expect(surface.injections.keys.sorted() == ["module.workspace"])
    #expect(surface.injections["module.workspace"]?.map(\.priority) == [100, 50])
    #expect(surface.overlays?.pointers.map(\.pointerID) == ["example-home"])
    #expect(surface.overlays?.routes.map(\.path) == ["/example/overlay"])
    #expect(try stored(scratch) == nil, "an orderly stop removes it")
  }

  @Test(
    "what the service was told is stored survives kill -9 of the supervisor right after", .serialized,
    arguments: 1...5)
  func killed(round: Int) async throws {
    let scratch = try Scratch()
    let supervisor = try SupervisorProcess(arguments(scratch))
    let log = await supervisor.errors(containing: "kept the time of this start")
    supervisor.send(SIGKILL)
    #expect(await supervisor.end().isSignal)
    let startedAt = try #require(log.firstMatch(of: /startedAt=(\S+Z)/)).1
    #expect(try stored(scratch) == String(startedAt))
    let again = try await SupervisorProcess.run(arguments(scratch, "--once", "--json"))
    #expect(try ReportedBoot(again.output).modules.map(\.state) == ["active", "active"])
    #expect(try stored(scratch) == nil)
  }

  @Test("without the grant it runs, is told once, and nothing is stored") func ungranted() async throws {
    let scratch = try Scratch()
    let policy = try String(contentsOfFile: Product.examplePolicy, encoding: .utf8)
      .replacing(
        #""grant": ["storage", "telemetry"]"#, with: #""grant": ["telemetry"], "optional": ["storage"]"#
      )
      .replacing("../Resources/Schemas/", with: "")
    let path = try scratch.write("p.json", policy)
    let end = try await SupervisorProcess.run(arguments(scratch, policy: path, "--once", "--json"))
    #expect(end.status == 0, "\(end.errors)")
    #expect(try ReportedBoot(end.output).modules.map(\.state) == ["active", "active"])
    let warnings = end.errors.split(separator: "\n").filter { $0.contains("storage is not granted") }
    #expect(warnings.count == 1 && warnings[0].contains("module=com.forsetti.example.service"), "\(warnings)")
    #expect(try stored(scratch) == nil)
  }

  @Test("without its product listed the UI module stays locked: a first boot fails and names the product")
  func locked()
    async throws
  {
    let scratch = try Scratch()
    let policy = try String(contentsOfFile: Product.examplePolicy, encoding: .utf8)
      .replacing(#""productIDs": ["com.forsetti.iap.example-ui"]"#, with: #""productIDs": []"#)
    let path = try scratch.write("p.json", policy)
    let end = try await SupervisorProcess.run(arguments(scratch, policy: path, "--once", "--json"))
    #expect(end.status == ForsettiSupervisor.ExitStatus.unavailable.rawValue)
    #expect(end.errors.contains("com.forsetti.iap.example-ui"), "\(end.errors)")
  }

  /// The stored time, read past the supervisor.
  private func stored(_ scratch: Scratch) throws -> String? {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    let path = scratch("state/services/storage.sqlite")
    try #require(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    let text = """
      SELECT CAST(value AS TEXT) FROM items JOIN namespaces ON items.namespace = namespaces.id
      WHERE module_id = '\(Self.ids[0])' AND CAST(store AS TEXT) = 'example-service'
      AND CAST(key AS TEXT) = '\(Self.key)'
      """
    try #require(sqlite3_prepare_v2(database, text, -1, &statement, nil) == SQLITE_OK)
    guard sqlite3_step(statement) == SQLITE_ROW else { return nil }
    return sqlite3_column_text(statement, 0).map { String(cString: $0) }
  }
}
