import ForsettiCore
import Glibc
import Testing

@testable import ForsettiSandbox

@Suite("What an audit has seen") struct AuditRecordsTests {
  private func call(_ name: String, _ arguments: [UInt64], path: String? = nil) throws -> Violation {
    let number = try #require(SyscallNames.number(of: name))
    return Violation(
      syscall: name, number: number, arguments: arguments + Array(repeating: 0, count: 6 - arguments.count),
      path: path, instructionPointer: 0)
  }

  @Test("one form of a call is one record with its count, wherever its memory lies and however much it is")
  func forms() throws {
    var seen = AuditRecords()
    for address in UInt64(1)...1_000 {
      seen.add(try call("madvise", [address << 12, address, UInt64(MADV_DONTNEED)]), wasLetThrough: true)
      seen.add(try call("openat", [7, address, 0], path: "/etc/passwd"), wasLetThrough: true)
      // A call without a signature is one record whatever it is given.
      seen.add(try call("uname", [address]), wasLetThrough: true)
    }
    seen.add(try call("madvise", [1, 1, UInt64(MADV_FREE)]), wasLetThrough: true)
    seen.add(try call("openat", [7, 1, 0], path: "/etc/group"), wasLetThrough: true)
    seen.add(try call("openat", [7, 1, 2], path: "/etc/group"), wasLetThrough: true)
    seen.add(try call("socket", [1, 1, 0]), wasLetThrough: false)
    #expect(
      seen.records.map(\.call.syscall) == [
        "madvise", "openat", "uname", "madvise", "openat", "openat", "socket",
      ])
    #expect(seen.records.map(\.count) == [1_000, 1_000, 1_000, 1, 1, 1, 1])
    #expect(seen.records.map(\.wasLetThrough) == [true, true, true, true, true, true, false])
    #expect(seen.total == 3_004)
  }

  @Test("no more than 256 forms are kept; of further ones the calls are counted by name")
  func bounded() throws {
    var seen = AuditRecords()
    for number in 0..<400 {
      seen.add(try call("openat", [7, 0, 0], path: "/\(number)"), wasLetThrough: true)
    }
    seen.add(try call("openat", [7, 0, 0], path: "/0"), wasLetThrough: true)
    seen.add(try call("uname", []), wasLetThrough: true)
    #expect(seen.records.count == AuditRecords.limit)
    #expect(seen.records[0].count == 2)
    #expect(seen.omitted == ["openat": 144, "uname": 1])
    #expect(seen.total == 402)
  }

  @Test("two calls that a grant tells apart are never one record")
  func distinguishing() throws {
    let base = SandboxPlan.derive(grants: [], policy: SandboxPolicy())
    for grant in DirectGrant.allCases {
      let plan = SandboxPlan.derive(grants: [], policy: SandboxPolicy(direct: [grant]))
      for rule in plan.kernel + plan.served.map(\.call) where !base.kernel.contains(rule) {
        let parameters = SyscallSignatures.parameters(of: rule.name) ?? []
        for condition in rule.conditions
        where !condition.isOfMemory && !base.served.map(\.call).contains(rule) {
          let parameter = try #require(
            parameters.indices.contains(condition.argument) ? parameters[condition.argument] : nil,
            "\(rule.name)")
          #expect(parameter.kind.tellsCallsApart, "\(rule.name) \(condition.name)")
        }
      }
    }
  }

  @Test("the smallest change is sought for what was recorded, and what no change allows is told apart")
  func change() throws {
    var seen = AuditRecords()
    seen.add(try call("uname", []), wasLetThrough: true)
    #expect(seen.smallestGrants(beside: [], policy: SandboxPolicy()).change.isEmpty)
    seen.add(try call("madvise", [0, 4_096, UInt64(MADV_DONTNEED)]), wasLetThrough: true)
    seen.add(try call("clone", [0x3d0f00]), wasLetThrough: false)
    let search = seen.smallestGrants(beside: [.storage], policy: SandboxPolicy())
    #expect(search.change == PlanGrants(direct: [.threads]))
    #expect(search.refused.map(\.name) == ["uname"])
  }
}
