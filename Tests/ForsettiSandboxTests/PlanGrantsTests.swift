import ForsettiCore
import Testing

@testable import ForsettiSandbox

@Suite struct PlanGrantsTests {
  private func call(_ name: String, _ arguments: UInt64...) throws -> ObservedCall {
    ObservedCall(number: try #require(SyscallNames.number(of: name)), arguments: .init(arguments))
  }

  @Test("a call of the plan needs no grant")
  func nothing() throws {
    #expect(SandboxPlan.grantsAllowing(try call("read")) == PlanGrants())
    #expect(SandboxPlan.grantsAllowing(try call("getpid")) == PlanGrants())
    var localtime = try call("openat", 0, 0x1000)
    #expect(SandboxPlan.grantsAllowing(localtime) == nil)
    localtime.path = "/etc/localtime"
    #expect(SandboxPlan.grantsAllowing(localtime) == PlanGrants())
  }

  @Test("a thread needs direct threads, whichever of its calls comes first")
  func threads() throws {
    let threads = PlanGrants(direct: [.threads])
    #expect(SandboxPlan.grantsAllowing(try call("clone", 0x3d0f00)) == threads)
    #expect(SandboxPlan.grantsAllowing(try call("rt_sigaction", 33)) == threads)
    let stack = try call("mmap", 0, 1 << 20, 3, 0x2_0022, .max, 0)
    #expect(SandboxPlan.grantsAllowing(stack) == threads)
  }

  @Test(
    "no policy allows what no plan has",
    arguments: ["socket", "execve", "ptrace", "fork", "memfd_create", "bpf"])
  func refused(name: String) throws {
    #expect(SandboxPlan.grantsAllowing(try call(name)) == nil)
    // A clone with other flags is no thread.
    #expect(SandboxPlan.grantsAllowing(try call("clone", 17)) == nil)
  }

  @Test("the smallest change covers all that can be covered, once, and names the rest in order")
  func search() throws {
    let calls = [
      try call("socket", 2, 1, 0), try call("clone", 0x3d0f00), try call("read"), try call("set_robust_list"),
      try call("execve"),
    ]
    let search = SandboxPlan.smallestGrants(allowing: calls, grants: [.storage], policy: SandboxPolicy())
    #expect(search.change == PlanGrants(direct: [.threads]))
    #expect(search.refused == [calls[0], calls[4]])
  }

  @Test("what is granted already is no part of the change, and nothing seen is no change")
  func granted() throws {
    let calls = [try call("clone", 0x3d0f00)]
    let policy = SandboxPolicy(direct: [.threads])
    #expect(SandboxPlan.smallestGrants(allowing: calls, grants: [], policy: policy).change.isEmpty)
    let none = SandboxPlan.smallestGrants(allowing: [], grants: [], policy: SandboxPolicy())
    #expect(none == GrantSearch(change: PlanGrants(), refused: []))
  }

  @Test("leaving out any part of the change leaves a call out")
  func minimal() throws {
    let calls = [try call("clone", 0x3d0f00), try call("exit")]
    let change = SandboxPlan.smallestGrants(allowing: calls, grants: [], policy: SandboxPolicy()).change
    for grant in change.direct {
      let policy = SandboxPolicy(direct: change.direct.subtracting([grant]))
      let plan = SandboxPlan.derive(grants: [], policy: policy)
      #expect(!calls.allSatisfy(plan.allows))
    }
  }

  @Test("the plan's own judgement names the rule by which a call passes")
  func judgement() throws {
    let plan = SandboxPlan.derive(grants: [], policy: SandboxPolicy())
    guard case .kernel(let rule) = plan.judgement(of: try call("close", 7)) else {
      Issue.record("close of 7 is the kernel's")
      return
    }
    #expect(rule.name == "close")
    guard case .served(let served) = plan.judgement(of: try call("close", 7 | 1 << 32 | 1 << 20)) else {
      Issue.record("close above the limit is answered")
      return
    }
    #expect(served.answer == .errno(9))
  }
}
