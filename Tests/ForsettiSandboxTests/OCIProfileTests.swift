import ForsettiCore
import Testing

@testable import ForsettiSandbox

@Suite("Seccomp profiles of container tools, read") struct OCIProfileTests {
  private static func profile(_ text: String) throws -> OCIProfile {
    try OCIProfileDecoder.decode(Array(text.utf8))
  }

  /// A profile of some entries that lets nothing else through.
  private static func refusing(_ entries: String) throws -> OCIProfile {
    try profile(#"{"defaultAction": "SCMP_ACT_ERRNO", "syscalls": [\#(entries)]}"#)
  }

  @Test("what was exported is read back the same", arguments: [[], [.threads]] as [Set<DirectGrant>])
  func roundTrip(direct: Set<DirectGrant>) throws {
    let profile = OCIExport(.derive(grants: [], policy: SandboxPolicy(direct: direct))).profile
    #expect(try Self.profile(JSONWriter.text(profile.jsonValue)) == profile)
  }

  @Test("an export, imported, is a policy with the same grants, and nothing is beyond it")
  func exportImported() throws {
    let kernel = try #require(KernelVersion("6.1"))
    for direct in [[], [.threads]] as [Set<DirectGrant>] {
      let export = OCIExport(.derive(grants: [], policy: SandboxPolicy(direct: direct)))
      let found = OCIImport(export.profile, on: kernel)
      #expect(Set(found.proposed) == direct)
      #expect(found.beyond.isEmpty && found.refused.isEmpty && found.narrowed.isEmpty, "\(found)")
    }
  }

  struct Fault: CustomTestStringConvertible {
    var text: String
    var pointer: String
    var testDescription: String { text }
  }

  @Test(
    "a profile that is none is a fault at its place",
    arguments: [
      Fault(text: "[]", pointer: ""), Fault(text: "{}", pointer: "/defaultAction"),
      Fault(text: #"{"defaultAction": "ALLOW"}"#, pointer: "/defaultAction"),
      Fault(text: #"{"defaultAction": "SCMP_ACT_ALLOW", "syscalls": {}}"#, pointer: "/syscalls"),
      Fault(
        text: #"{"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [{"action": "SCMP_ACT_LOG"}]}"#,
        pointer: "/syscalls/0/name"),
      Fault(
        text: #"{"defaultAction": "SCMP_ACT_ALLOW", "defaultErrnoRet": 4096}"#, pointer: "/defaultErrnoRet"),
      Fault(text: #"{"linux": {"seccomp": {"defaultAction": 1}}}"#, pointer: "/linux/seccomp/defaultAction"),
    ])
  func faults(fault: Fault) {
    let thrown = #expect(throws: JSONFault.self) { try Self.profile(fault.text) }
    #expect(thrown?.pointer == fault.pointer)
    #expect(thrown?.line == 1)
  }

  @Test(
    "a condition's numbers are registers: 64 bits, without a sign",
    arguments: [
      (#""index": 5, "value": 18446744073709551615, "op": "SCMP_CMP_EQ""#, true),
      (#""index": 6, "value": 0, "op": "SCMP_CMP_EQ""#, false),
      (#""index": 0, "value": -1, "op": "SCMP_CMP_EQ""#, false),
      (#""index": 0, "value": 18446744073709551616, "op": "SCMP_CMP_EQ""#, false),
      (#""index": 0, "value": 0.5, "op": "SCMP_CMP_EQ""#, false),
      (#""index": 0, "value": 0, "op": "SCMP_CMP_EQUAL""#, false),
    ])
  func registers(condition: String, isRead: Bool) {
    let text = #"{"names": ["read"], "action": "SCMP_ACT_ALLOW", "args": [{\#(condition)}]}"#
    #expect(((try? Self.refusing(text)) != nil) == isRead)
  }

  @Test("more names than any profile has are refused before they are compared")
  func bounded() {
    let names = Array(repeating: #""read""#, count: 4_096).joined(separator: ",")
    let entry = #"{"names": [\#(names)], "action": "SCMP_ACT_ALLOW"}"#
    let entries = Array(repeating: entry, count: 5).joined(separator: ",")
    let thrown = #expect(throws: JSONFault.self) { try Self.refusing(entries) }
    #expect(thrown?.pointer == "/syscalls/4")
  }

  @Test(
    "which forms of a call a condition holds for, of a register whose low byte is 0x22",
    arguments: [
      (.equal, 0x22, 0, .sometimes), (.equal, 0x23, 0, .never), (.notEqual, 0x23, 0, .always),
      (.notEqual, 0x22, 0, .sometimes), (.maskedEqual, 0x0f, 0x02, .always),
      (.maskedEqual, 0x0f, 0x03, .never),
      (.maskedEqual, 0x1ff, 0x22, .sometimes), (.maskedEqual, 0, 7, .always), (.less, 0x22, 0, .never),
      (.less, 0x23, 0, .sometimes), (.greaterOrEqual, 0x22, 0, .always), (.greater, 0x21, 0, .always),
      (.lessOrEqual, .max, 0, .always), (.greater, .max, 0, .never),
    ] as [(OCIProfile.Comparison, UInt64, UInt64, RegisterBlock.Answer)])
  func answers(comparison: OCIProfile.Comparison, value: UInt64, two: UInt64, answer: RegisterBlock.Answer) {
    let block = RegisterBlock(index: 0, mask: 0xff, value: 0x22)
    #expect(
      block.answer(to: .init(index: 0, comparison: comparison, value: value, valueTwo: two)) == answer)
  }
}

@Suite("A seccomp profile of container tools, as a policy") struct OCIImportTests {
  private static func found(_ entries: String, default action: String = "SCMP_ACT_ERRNO") throws -> OCIImport
  {
    let text = #"{"defaultAction": "\#(action)", "syscalls": [\#(entries)]}"#
    return OCIImport(
      try OCIProfileDecoder.decode(Array(text.utf8)), on: try #require(KernelVersion("6.1.0-18-amd64")))
  }

  private static let threads =
    #"{"names": ["rt_sigaction", "set_robust_list", "rseq", "exit", "madvise"], "action": "SCMP_ACT_ALLOW"}"#

  @Test("threads are proposed where every form that they add is let through, and no form less")
  func proposal() throws {
    let others = Self.threads + #", {"names": ["mmap"], "action": "SCMP_ACT_ALLOW"}"#
    let noNamespaces =
      #"{"names": ["clone"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 0, "value": 2114060288, "valueTwo": 0, "op": "SCMP_CMP_MASKED_EQ"}]}"#
    #expect(try Self.found("\(others), \(noNamespaces)").proposed == [.threads])
    let found = try Self.found(others)
    #expect(found.proposed.isEmpty)
    #expect(found.grants.first?.lacking.map(\.name) == ["clone"])
    #expect(found.refused.first { $0.name == "rseq" }?.reason.contains("direct threads") == true)
    let forbidden =
      noNamespaces
      + #", {"name": "clone", "action": "SCMP_ACT_KILL", "args": [{"index": 0, "value": 256, "valueTwo": 256, "op": "SCMP_CMP_MASKED_EQ"}]}"#
    #expect(try Self.found("\(others), \(forbidden)").proposed.isEmpty)
  }

  @Test("each call is in one part of the report")
  func parts() throws {
    let found = try Self.found(
      #"""
      {"names": ["read", "mmap", "getpid", "ptrace", "openat2", "no_such_call"], "action": "SCMP_ACT_ALLOW"},
      {"names": ["ptrace"], "action": "SCMP_ACT_ALLOW"}
      """#)
    #expect(found.same == ["read"])
    #expect(found.narrowed.map(\.name) == ["mmap"])
    #expect(found.narrowed.first?.profile == [] && found.narrowed.first?.here.isEmpty == false)
    #expect(found.answered.map(\.name) == ["getpid"])
    #expect(found.refused.map(\.name) == ["ptrace", "openat2"])
    #expect(found.refused.first?.reason == NeverList.reason(for: "ptrace"))
    #expect(found.beyond.contains { $0.name == "write" } && !found.beyond.contains { $0.name == "mmap" })
    #expect(found.unknown == ["no_such_call"])
  }

  @Test("entries for other machines, newer kernels and capabilities hold as container tools take them")
  func scopes() throws {
    func entry(_ name: String, _ scope: String, _ action: String = "ALLOW") -> String {
      #"{"names": ["\#(name)"], "action": "SCMP_ACT_\#(action)", \#(scope)}"#
    }
    let found = try Self.found(
      [
        entry("read", #""includes": {"arches": ["arm"]}"#),
        entry("write", #""includes": {"arches": ["amd64"]}"#),
        entry("brk", #""excludes": {"arches": ["amd64"]}"#),
        entry("futex", #""includes": {"minKernel": "4.8"}"#),
        entry("ppoll", #""includes": {"minKernel": "6.2"}"#),
        entry("munmap", #""includes": {"caps": ["CAP_SYS_ADMIN"]}"#),
        entry("exit_group", #""excludes": {"caps": ["CAP_SYS_ADMIN"]}"#),
      ].joined(separator: ","))
    #expect(found.same == ["write", "futex", "exit_group"])
    #expect(found.capable == [.init(capability: "CAP_SYS_ADMIN", calls: ["munmap"])])
  }

  @Test("a profile that names what it refuses is read by what it leaves")
  func denyList() throws {
    let found = try Self.found(
      #"{"names": ["ptrace", "write"], "action": "SCMP_ACT_KILL"}"#, default: "SCMP_ACT_ALLOW")
    #expect(!found.refused.contains { $0.name == "ptrace" } && found.refused.contains { $0.name == "bpf" })
    #expect(found.beyond.map(\.name) == ["write"])
    #expect(found.proposed == [.threads])
  }

  @Test(
    "of several conditions on one register any must hold, and an entry without any takes the others' place")
  func alternatives() throws {
    let two =
      #"{"name": "getrandom", "action": "SCMP_ACT_ALLOW", "args": [{"index": 2, "value": 0, "op": "SCMP_CMP_EQ"}, {"index": 2, "value": 1, "op": "SCMP_CMP_EQ"}]}"#
    #expect(try Self.found(two).narrowed.first?.profile == ["arg2 == 0", "arg2 == 1"])
    #expect(
      try Self.found(two + #", {"name": "getrandom", "action": "SCMP_ACT_LOG"}"#).narrowed.first?.profile
        == [])
  }
}
