import ForsettiCore
@testable import ForsettiSandbox
import ForsettiTestKit
import Foundation
import Testing

@testable import ForsettiSupervisor

/// `explain --format oci`: the profile, as another's compiler takes it, beside the filter that the module really gets.
@Suite("A plan as a seccomp profile of container tools") struct OCIProfileTests {
  private static let python = "/usr/bin/python3"
  private static let module = "com.forsetti.jamfpro.service.scanner"

  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func policy(_ sandbox: String) throws -> String {
    try scratch.write(
      "policy.json",
      #"{"policyVersion": 1, "rules": [{"modules": "*", "grant": ["storage", "diagnostics"], "sandbox": \#(sandbox)}]}"#
    )
  }

  /// The filter of the product, and of the profile compiled by libseccomp's Python binding.
  private func filters(_ policy: String) async throws -> (own: FilterEvaluator, profile: FilterEvaluator) {
    let run = ["explain", Self.module, "--policy", policy, "--state", scratch("state"), "--format"]
    let exported = try await SupervisorProcess.run(run + ["oci"])
    #expect(exported.status == 0, "\(exported.errors)")
    let profile = try scratch.write("profile.json", exported.output)
    let compiled = try await SupervisorProcess.run(
      [Product.checkout + "/Tests/Python/oci_filter.py", profile, scratch("profile.bpf")],
      executable: Self.python)
    #expect(compiled.status == 0, "\(compiled.errors)")
    let written = try await SupervisorProcess.run(
      ["-c", "\"$0\" \"$@\" > '\(scratch("own.bpf"))'", Product.supervisor] + run + ["bpf"],
      executable: "/bin/sh")
    #expect(written.status == 0, "\(written.errors)")
    func evaluator(_ name: String) throws -> FilterEvaluator {
      FilterEvaluator(FilterProgram(bytes: Array(try Data(contentsOf: URL(filePath: scratch(name))))))
    }
    return (try evaluator("own.bpf"), try evaluator("profile.bpf"))
  }

  /// Registers at the borders of what the conditions of any plan tell apart.
  private static let registers: [[UInt64]] = {
    let values: [UInt64] = [
      0, 1, 2, 3, 4, 5, 7, 15, 16, 33, 0x22, 0x20022, 0x4022, 0x3d0f00, 0xffff_ffff, 1 << 32, 1 << 63, .max,
    ]
    return values.map { Array(repeating: $0, count: 6) }
      + [
        [0, 4096, 3, 0x22, .max, 0], [0, 4096, 7, 0x22, .max, 0], [0, 4096, 3, 0x20022, .max, 0],
        [0, 4096, 3, 0x4022, .max, 0], [0, 4096, 3, 0x22 | 1 << 32, .max, 0], [0, 4096, 1, 0, 0, 0],
        [5, 0, 4, 0, 0, 0], [0x3d0f00, 0, 0, 0, 0, 0], [1 << 32 | 5, 0, 0, 0, 0, 0],
      ]
  }()

  @Test(
    "lets through what the filter lets through, and nothing that the supervisor would not answer",
    .enabled(if: access(python, X_OK) == 0 && isBindingThere, "python3-seccomp"),
    arguments: ["{}", #"{"direct": ["threads"]}"#])
  func same(sandbox: String) async throws {
    let (own, profile) = try await filters(try policy(sandbox))
    let plan = SandboxPlan.derive(
      grants: [], policy: SandboxPolicy(direct: sandbox.contains("threads") ? [.threads] : []))
    let answered = Set(plan.servedNames.compactMap(SyscallNames.number(of:)).map(UInt32.init))
    var allowed = 0
    for number in UInt32(0)..<600 {
      for registers in Self.registers {
        let (left, right) = (
          own.verdict(number: number, arguments: registers),
          profile.verdict(number: number, arguments: registers)
        )
        if left == .allow {
          #expect(right == .allow, "\(number) \(registers)")
          allowed += 1
        } else if !answered.contains(number) {
          #expect(right == .killProcess, "\(number) \(registers)")
        }
      }
    }
    #expect(allowed > 200)
    #expect(profile.verdict(number: 0, architecture: 0x4000_0003) == .killProcess)
    for (name, number) in [("clone3", 38), ("openat", 2), ("io_uring_setup", 38)] as [(String, Int32)] {
      let call = UInt32(try #require(SyscallNames.number(of: name)))
      #expect(profile.verdict(number: call, arguments: []) == .errno(number), "\(name)")
    }
    // Whose process it is no filter can tell.
    let tgkill = UInt32(try #require(SyscallNames.number(of: "tgkill")))
    #expect(profile.verdict(number: tgkill, arguments: [1, 1, 6]) != .allow)
  }

  private static let isBindingThere = FileManager.default.fileExists(
    atPath: "/usr/lib/python3/dist-packages/seccomp.cpython-311-x86_64-linux-gnu.so")

  @Test("what a profile cannot say is told on standard error, and standard output is JSON alone")
  func losses() async throws {
    let end = try await SupervisorProcess.run([
      "explain", Self.module, "--policy", try policy("{}"), "--state", scratch("state"), "--format", "oci",
    ])
    let root = try JSONParser.parse(Array(end.output.utf8), limits: PolicyDecoder.limits).root
    #expect(root["defaultAction"]?.stringValue == "SCMP_ACT_KILL_PROCESS")
    let lines = end.errors.split(separator: "\n")
    #expect(lines.allSatisfy { $0.hasPrefix("not in the profile: ") } && lines.count > 3)
    #expect(end.errors.contains("tgkill: always fails with EPERM; the supervisor: continued where "))
    #expect(end.errors.contains("Landlock"))
  }
}
