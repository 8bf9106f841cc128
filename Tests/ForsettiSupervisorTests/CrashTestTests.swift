import ForsettiCore
import ForsettiHostileSet
import ForsettiSandbox
import Foundation
import FoundationXML
import Glibc
import Testing

@testable import ForsettiRuntime
@testable import ForsettiSupervisor

/// The proof itself, by the real program: every hostile case beside the shipped modules.
@Suite("Crash test", .timeLimit(.minutes(3))) struct CrashTestTests {
  private func run(_ scratch: Scratch, _ more: [String] = []) async throws -> SupervisorProcess.End {
    try await SupervisorProcess.run(
      ["crash-test", "--policy", Product.strictPolicy] + more, environment: ["TMPDIR": scratch.path])
  }

  @Test(
    "contains every case for its exact reason, loses nothing of the neighbours', and leaves nothing behind")
  func everything() async throws {
    let scratch = try Scratch()
    let end = try await run(scratch, ["--json", "--junit", scratch("report.xml")])
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(end.output.utf8)) as? [String: Any], "\(end.errors)")
    let cases = try #require(report["cases"] as? [[String: Any]])
    #expect(cases.compactMap { $0["name"] as? String } == HostileSuite.cases.map(\.name))
    for seen in cases {
      let name = seen["name"] as? String ?? "?"
      #expect(seen["contained"] as? Bool == true, "\(name): \(seen)")
      #expect(seen["neighboursLost"] as? Int == 0, "\(name): \(seen)")
    }
    #expect(report["userModules"] as? Int == 11)
    let before = try #require(report["before"] as? [String: Int])
    let after = try #require(report["after"] as? [String: Int])
    #expect(after["processes"] == before["processes"])
    #expect(after["descriptors"] == before["descriptors"])
    #expect(end.status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["report.xml"])
    let parser = XMLParser(data: try Data(contentsOf: URL(filePath: scratch("report.xml"))))
    #expect(parser.parse(), "JUnit XML is well-formed")
  }

  @Test("with --syscalls every call there is ends as the plans say, by every way into the kernel")
  func syscalls() async throws {
    let end = try await run(try Scratch(), ["--case", "fork", "--syscalls", "--json"])
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(end.output.utf8)) as? [String: Any], "\(end.errors)")
    let rows = try #require(report["syscalls"] as? [[String: Any]])
    #expect(Set(rows.compactMap { $0["mode"] as? String }) == ["native", "i386", "x32"])
    for name in ["strict.json", "third-party.json (bundle)", "direct threads (bundle)"] {
      #expect(rows.contains { ($0["policy"] as? String)?.contains(name) == true }, "\(name)")
    }
    for row in rows { #expect((row["unexpected"] as? [String]) == [], "\(row)") }
    #expect(end.status == 0)
  }

  @Test("runs the cases that are named, then a storm of them") func storm() async throws {
    let scratch = try Scratch()
    let end = try await run(scratch, ["--case", "abort,fork", "--seconds", "1", "--seed", "7"])
    #expect(end.status == 0, "\(end.output)\(end.errors)")
    #expect(end.output.contains("storm of 1 s, seed 7: "))
    #expect(end.output.contains("isolation held"))
    #expect(!end.output.contains("busy-loop"))
  }

  @Test("told to end, it ends what runs, takes its folder away, and proves nothing") func interrupted()
    async throws
  {
    let scratch = try Scratch()
    let process = try SupervisorProcess(
      ["crash-test", "--policy", Product.strictPolicy, "--seconds", "600"],
      environment: ["TMPDIR": scratch.path])
    // The state is there once the modules are about to start.
    while try FileManager.default.contentsOfDirectory(atPath: scratch.path).isEmpty { await Task.yield() }
    process.send(SIGINT)
    let end = await process.end()
    #expect(end.status == ExitStatus.temporaryFailure.rawValue, "\(end.output)\(end.errors)")
    #expect(!end.output.contains("isolation held"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).isEmpty)
  }

  @Test("a case that does not exist is named, with the nearest one") func unknownCase() async throws {
    let end = try await run(try Scratch(), ["--case", "fork-bom"])
    #expect(end.status == ExitStatus.usage.rawValue)
    #expect(end.errors.contains("fork-bomb"))
  }

  @Test("without the hostile modules it says what is missing, and proves nothing") func notInstalled()
    async throws
  {
    let scratch = try Scratch()
    let program = try scratch.copy(Product.supervisor, to: "bin/forsetti-supervisor")
    let end = try await SupervisorProcess.run(
      ["crash-test", "--policy", Product.strictPolicy, "--manifests", Product.manifests], executable: program)
    #expect(end.status == ExitStatus.unavailable.rawValue)
    #expect(end.errors.contains("forsetti-hostile-host is not there"))
  }
}

/// What holds the proof: it must be able to fail.
@ReactorActor @Suite(.timeLimit(.minutes(2))) struct CrashTestProofTests {
  /// Runs cases with every plan changed.
  private func run(
    _ names: [String], weaken: @escaping @Sendable (inout SandboxPlan) -> Void
  ) async throws -> CrashTestReport {
    let folder = try CrashTestFolder(environment: [:])
    defer { folder.remove() }
    let observations = Observations(clock: ReactorClock.shared)
    let setUp = CrashTestSetUp(
      policy: try LiveRuntime.policy(Product.strictPolicy), policyFolder: folder.path,
      manifests: .folder(Product.manifests),
      userModules: try RuntimeConfiguration.ManifestSource.folder(Product.manifests).load(),
      bundleFolder: nil, moduleHost: Product.moduleHost,
      networkWorker: Product.networkWorker, hostileHost: Product.hostileHost,
      hostileProbe: Product.folder + "/forsetti-hostile-probe", folder: folder,
      cases: names.compactMap(HostileSuite.named))
    let bootstrap = try await setUp.open(observations) { launcher in
      (launcher as? ProcessLauncher)?.derivePlan = { grants, policy in
        var plan = SandboxPlan.derive(grants: grants, policy: policy)
        weaken(&plan)
        return plan
      }
      return launcher
    }
    let test = CrashTest(
      bootstrap, observations, clock: ReactorClock.shared,
      reports: CrashReportStore(stateFolder: folder.state)
    ) { setUp.tamper(with: $0) }
    return try await test.run(setUp.cases, storm: nil) { _ in }
  }

  @Test("a filter that lets one call through fails that case, and no other") func weakFilter() async throws {
    let report = try await run(["read-etc-passwd", "fork", "abort"]) { plan in
      plan.kernel.append(SyscallRule("openat", because: "a hole"))
    }
    #expect(report.results.map(\.isContained) == [false, true, true])
    #expect(!report.isHeld)
    #expect(report.status == .software)
    #expect(report.results.first?.problems.first?.contains("openat") == true)
  }

  @Test("limits that hold nothing fail the case that goes by them") func weakLimits()
    async throws
  {
    let report = try await run(["address-space"]) { plan in
      plan.limits.addressSpaceBytes = 1 << 46
      plan.limits.dataBytes = 1 << 46
    }
    #expect(report.results.map(\.isContained) == [false])
  }
}
