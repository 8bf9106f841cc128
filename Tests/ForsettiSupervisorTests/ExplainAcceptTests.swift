import ForsettiCore
import ForsettiRuntime
import Foundation
import Glibc
import Testing

@testable import ForsettiSupervisor

/// `explain` and `accept` over real manifests and real state.
@Suite struct ExplainAcceptTests {
  private let jamf = "com.forsetti.jamfpro.service.jamf"

  private func explain(
    _ moduleID: String, _ scratch: Scratch, inputs: Inputs = Inputs()
  ) async throws -> ExplainReport {
    try await ExplainCommand(moduleID: moduleID, inputs: inputs, state: scratch("state"), format: .text)
      .report(in: .product())
  }

  private func accept(
    _ moduleID: String, _ scratch: Scratch, sha256: String? = nil, inputs: Inputs = Inputs()
  ) async throws -> AcceptReport {
    try await AcceptCommand(
      AcceptOptions(moduleID: moduleID, inputs: inputs, state: scratch("state"), sha256: sha256)
    )
    .report(in: .product())
  }

  private func outcomes(_ report: ExplainReport) -> [String: ExplainReport.Gate.Outcome] {
    Dictionary(uniqueKeysWithValues: report.gates.map { ($0.name, $0.outcome) })
  }

  @Test("a module of the shipped set passes every gate, and the host answers for its entry point")
  func shipped() async throws {
    let report = try await explain(jamf.uppercased(), Scratch())
    #expect(
      report.gates.map(\.name) == [
        "manifest", "compatibility", "registration", "entitlement", "entry point", "requirements",
      ])
    #expect(outcomes(report).values.filter { $0 == .failed }.isEmpty)
    #expect(outcomes(report)["entry point"] == .passed)
    #expect(report.status == .success)
    #expect(report.grants.allSatisfy { $0.verdict == .granted && $0.reason.contains("strict.json:") })
    #expect(Set(report.plan.filter { $0.list == .kernel }.map(\.name)).count <= 12)
    #expect(Set(report.plan.filter { $0.list == .served }.map(\.name)).count <= 16)
    #expect(report.plan.allSatisfy { !$0.reason.isEmpty })
    #expect(report.filter.count % 8 == 0 && !report.filter.isEmpty)
  }

  @Test("an unknown module is refused with the nearest ID") func unknown() async throws {
    let failure = await #expect(throws: CommandFailure.self) { try await explain(jamf + "x", Scratch()) }
    #expect(failure?.status == .dataError)
    #expect(failure?.message.contains("did you mean \"\(jamf)\"?") == true)
  }

  @Test("a denied capability, a shared entry point and a locked product are failed gates with reasons")
  func failedGates() async throws {
    let scratch = try Scratch()
    let asking = CheckTests.manifest("com.example.asking").replacing("[]", with: "[\"networking\"]")
      .replacing("\"entryPoint\"", with: "\"iapProductID\": \"pro\", \"entryPoint\"")
    try scratch.write("m/a.json", asking)
    try scratch.write("m/b.json", CheckTests.manifest("com.example.other"))
    let policy = try scratch.write(
      "policy.json",
      try String(contentsOfFile: Product.strictPolicy, encoding: .utf8))
    let report = try await explain(
      "com.example.asking", scratch, inputs: Inputs(policy: policy, manifests: scratch("m")))
    #expect(outcomes(report)["compatibility"] == .failed)
    #expect(outcomes(report)["entry point"] == .failed)
    #expect(outcomes(report)["entitlement"] == .failed)
    #expect(report.grants.map(\.verdict) == [.denied])
    #expect(report.status == .dataError)
  }

  @Test(
    "an entry point that the host doesn't have, and a module that is another, are failed gates that say so")
  func entryPoint() async throws {
    let scratch = try Scratch()
    try scratch.write("m/a.json", CheckTests.manifest("com.example.other"))
    let inputs = Inputs(
      policy: try scratch.write("p.json", "{\"policyVersion\": 1}"), manifests: scratch("m"))
    let absent = try await explain("com.example.other", scratch, inputs: inputs)
    let gate = absent.gates.first { $0.name == "entry point" }
    #expect(gate?.outcome == .failed)
    #expect(gate?.reason.contains("has no entry point") == true)
    try scratch.write(
      "m/a.json", CheckTests.manifest("com.example.other", entryPoint: "ForsettiScannerServiceModule"))
    let impostor = try await explain("com.example.other", scratch, inputs: inputs)
    #expect(outcomes(impostor)["entry point"] == .failed)
  }

  @Test("drift shows what changed, is accepted by its hash, and another hash is refused") func drift()
    async throws
  {
    let scratch = try Scratch()
    let inputs = Inputs(manifests: scratch("m"))
    try scratch.write("m/a.json", CheckTests.manifest("com.example.a"))
    let first = try await accept("com.example.a", scratch, inputs: inputs)
    #expect(first.standing == .first && !first.isAccepted)
    try register(first.sha256, scratch)
    #expect(try await accept("com.example.a", scratch, inputs: inputs).standing == .current)

    let changed = CheckTests.manifest("com.example.a").replacing("\"Example\",\n", with: "\"Changed\",\n")
    try scratch.write("m/a.json", changed)
    let seen = try await accept("com.example.a", scratch, inputs: inputs)
    guard case .drift(let changes) = seen.standing else {
      Issue.record("no drift: \(seen)")
      return
    }
    #expect(changes.map(\.field) == ["displayName", "sha256"])
    #expect(outcomes(try await explain("com.example.a", scratch, inputs: inputs))["registration"] == .failed)

    let stale = await #expect(throws: CommandFailure.self) {
      try await accept("com.example.a", scratch, sha256: first.sha256, inputs: inputs)
    }
    #expect(stale?.status == .dataError)
    #expect(try await accept("com.example.a", scratch, sha256: seen.sha256, inputs: inputs).isAccepted)
    #expect(outcomes(try await explain("com.example.a", scratch, inputs: inputs))["registration"] == .passed)
  }

  private func register(_ sha256: String, _ scratch: Scratch) throws {
    let catalog = try ManifestLoader().load(folder: scratch("m"))
    let manifest = try #require(catalog["com.example.a"]).manifest
    let record = ModuleRegistrationRecord(
      manifest: manifest, sha256: sha256, origin: ModuleOrigin.builtIn.text, productVersion: "0.2.0",
      registeredAt: 0)
    try StateDatabase(folder: scratch("state")).commit(StateChange(records: [record]))
  }

  @Test("accept is refused while a supervisor holds the state") func locked() async throws {
    let scratch = try Scratch()
    let shown = try await accept(jamf, scratch)
    let holder = try StateDatabase(folder: scratch("state"))
    let failure = await #expect(throws: CommandFailure.self) {
      try await accept(jamf, scratch, sha256: shown.sha256)
    }
    #expect(failure?.status == .temporaryFailure)
    withExtendedLifetime(holder) {}
  }

  @Test("an entitlement file's relative path starts at the policy's folder") func relativePath() {
    #expect(EntitlementInput.absolute("/a/b", besides: "/etc/p.json") == "/a/b")
    #expect(EntitlementInput.absolute("b.json", besides: "/etc/forsetti/p.json") == "/etc/forsetti/b.json")
  }
}
