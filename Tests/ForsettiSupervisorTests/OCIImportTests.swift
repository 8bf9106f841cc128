import ForsettiCore
@testable import ForsettiSandbox
import ForsettiTestKit
import Foundation
import Testing

@testable import ForsettiSupervisor

/// `oci import`, of the profile that Debian ships for containers.
@Suite("A seccomp profile of container tools on the command line") struct OCIImportCommandTests {
  /// Package golang-github-containers-common.
  private static let debian = "/usr/share/containers/seccomp.json"
  private static let hasDebian = FileManager.default.fileExists(atPath: debian)

  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test("Debian's profile for containers is read as libseccomp compiles it", .enabled(if: hasDebian))
  func oracle() async throws {
    let compiled = try await SupervisorProcess.run(
      [Product.checkout + "/Tests/Python/oci_filter.py", Self.debian, scratch("profile.bpf")],
      executable: "/usr/bin/python3")
    #expect(compiled.status == 0, "\(compiled.errors)")
    let program = FilterProgram(bytes: Array(try Data(contentsOf: URL(filePath: scratch("profile.bpf")))))
    let filter = FilterEvaluator(program)
    let profile = try OCIProfileDecoder.decode(Array(try Data(contentsOf: URL(filePath: Self.debian))))
    let stances = profile.stances(on: try #require(KernelVersion("6.1")))
    var through = 0
    for number in UInt32(0)..<600 {
      let stance = stances[Int32(number)] ?? OCIStance(profile.defaultAction)
      for registers in Self.registers {
        let rule = SyscallRule(
          SyscallNames.name(of: Int32(number)),
          registers.enumerated().map { ArgumentCondition($0.offset, "", .equals($0.element)) }, because: "")
        let isThrough = filter.verdict(number: number, arguments: registers) == .allow
        #expect(stance.admits(rule) == isThrough, "\(number) \(registers)")
        through += isThrough ? 1 : 0
      }
    }
    #expect(through > 1_000)
  }

  /// What the conditions of personality(2) and socket(2) in it tell apart.
  private static let registers: [[UInt64]] =
    [0, 8, 9, 16, 0x20000, 0x20008, 0xffff_ffff, .max].map { Array(repeating: $0, count: 6) }
    + [[16, 0, 9, 0, 0, 0], [16, 0, 8, 0, 0, 0], [2, 0, 9, 0, 0, 0], [8 | 1 << 32, 0, 0, 0, 0, 0]]

  @Test("what Debian's containers may do: threads, and nearly all of it never", .enabled(if: hasDebian))
  func report() async throws {
    let end = try await SupervisorProcess.run(["oci", "import", Self.debian, "--json"])
    #expect(end.status == 0, "\(end.errors)")
    let root = try JSONParser.parse(Array(end.output.utf8), limits: PolicyDecoder.limits).root
    #expect(root["rule"]?["sandbox"]?["direct"]?.elements?.map(\.stringValue) == ["threads"])
    let refused = (root["refused"]?.elements ?? []).compactMap { $0["call"]?.stringValue }
    #expect(refused.count > 200 && refused.contains("execve") && !refused.contains("read"))
    #expect(root["beyond"]?.elements?.isEmpty == true)
    let text = try await SupervisorProcess.run(["oci", "import", Self.debian])
    #expect(text.output.contains(#"{"modules":"MODULE","sandbox":{"direct":["threads"]}}"#))
    #expect(text.output.contains("SCMP_ARCH_X86, SCMP_ARCH_X32"))
    #expect(text.output.contains("CAP_SYS_ADMIN"))
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var status: ForsettiSupervisor.ExitStatus
    var says: String
    var path: @Sendable (Scratch) throws -> String
    var testDescription: String { name }
  }

  @Test(
    "a profile that can't be read, or is none, ends with its status and place",
    arguments: [
      Case(name: "absent", status: .noInput, says: "does not exist") { $0("none.json") },
      Case(name: "folder", status: .noInput, says: "is a folder") { try $0.folder("f") },
      Case(name: "FIFO", status: .noInput, says: "is a FIFO") {
        #expect(mkfifo($0("fifo"), 0o600) == 0)
        return $0("fifo")
      },
      Case(name: "empty", status: .dataError, says: "p.json:1:1:") { try $0.write("p.json", "") },
      Case(name: "no action", status: .dataError, says: "/defaultAction") {
        try $0.write("p.json", #"{"defaultAction": "SCMP_ACT_ALOW"}"#)
      },
      Case(name: "too large", status: .dataError, says: "larger than the limit") {
        try $0.write("p.json", String(repeating: " ", count: 2 << 20))
      },
    ])
  func unreadable(one: Case) async throws {
    let end = try await SupervisorProcess.run(["oci", "import", try one.path(scratch)])
    #expect(end.status == one.status.rawValue)
    #expect(end.errors.contains(one.says) && end.output.isEmpty, "\(end.errors)")
  }
}
