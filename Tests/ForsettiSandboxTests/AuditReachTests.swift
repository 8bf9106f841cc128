import CLinux
import ForsettiCore
import Glibc
import Testing

@testable import ForsettiSandbox

@Suite struct AuditReachTests {
  let strict = SandboxPlan.derive(grants: [], policy: SandboxPolicy())
  var audited: SandboxPlan { strict.audited(landlockABI: 7) }

  private func call(_ name: String, _ arguments: UInt64...) throws -> ObservedCall {
    ObservedCall(
      number: try #require(SyscallNames.number(of: name)), arguments: .init(arguments), processID: 70,
      thread: 71)
  }

  private func isLetThrough(_ call: ObservedCall, landlockABI: Int = 7) -> Bool {
    if case .audited = strict.audited(landlockABI: landlockABI).judgement(of: call) { true } else { false }
  }

  @Test("every call that libseccomp knows is let through by an audit, or named on the never-list")
  func complete() {
    let known = Set((0..<1_024).map { SyscallNames.name(of: $0) }.filter { !$0.hasPrefix("syscall_") })
    let passable = Set(AuditReach.rules(landlockABI: 7).map(\.name))
    let served = strict.kernel.map(\.name).filter { name in
      strict.kernel.contains { $0.name == name && $0.conditions.isEmpty }
    }
    #expect(known.count > 300)
    let unnamed = known.subtracting(passable).subtracting(NeverList.names).subtracting(served)
    // close(2) is served in every form that the kernel list doesn't take.
    #expect(unnamed == ["close"])
    #expect(NeverList.names.subtracting(known).isEmpty, "the list names calls that there are not")
  }

  @Test("a call that is let through in one form alone has a reason for all others")
  func conditioned() {
    let rules = AuditReach.rules(landlockABI: 7)
    for rule in rules {
      #expect(SyscallNames.number(of: rule.name) != nil, "\(rule.name) is no call here")
      #expect(
        rule.conditions.allSatisfy { !$0.isOfMemory }, "\(rule.name) is judged by memory that can change")
      let isNever = NeverList.names.contains(rule.name)
      let isNetwork = AuditReach.rules(landlockABI: 1).allSatisfy { $0.name != rule.name }
      #expect(isNever == (!rule.conditions.isEmpty || isNetwork), "\(rule.name)")
    }
  }

  @Test(
    "the never-list is never let through",
    arguments: [
      "socketpair", "memfd_create", "memfd_secret", "io_uring_enter", "ptrace", "bpf", "mount", "fsopen",
      "move_mount", "keyctl", "userfaultfd", "unshare", "setns", "clone", "fork", "vfork", "execve",
      "execveat", "process_vm_readv", "process_vm_writev", "pidfd_open", "pidfd_getfd", "pidfd_send_signal",
      "kexec_load", "init_module", "finit_module", "setuid", "setresuid", "capset", "seccomp", "personality",
      "kill", "tkill", "rt_sigqueueinfo", "shmget", "chmod", "truncate", "setrlimit", "perf_event_open",
      "landlock_restrict_self", "open_by_handle_at", "name_to_handle_at", "listen", "sendmmsg",
    ])
  func never(name: String) throws {
    for arguments: [UInt64] in [[], [1, 1, 1], [.max, .max, .max, .max, .max, .max]] {
      var call = try call(name)
      call.arguments = .init(arguments)
      #expect(audited.judgement(of: call) == .violation)
    }
    #expect(NeverList.names.contains(name))
  }

  @Test("of sockets only TCP is let through, and only where Landlock holds it")
  func sockets() throws {
    let stream = UInt64(SOCK_STREAM.rawValue)
    let cloexec = UInt64(SOCK_CLOEXEC.rawValue)
    let (inet, inet6, unix) = (UInt64(AF_INET), UInt64(AF_INET6), UInt64(AF_UNIX))
    for family in [inet, inet6] {
      #expect(try isLetThrough(call("socket", family, stream, 0)))
      #expect(try isLetThrough(call("socket", family, stream | cloexec, 6)))
      #expect(try !isLetThrough(call("socket", family, stream, 0), landlockABI: 3))
      // Datagrams, raw packets, MPTCP.
      #expect(try !isLetThrough(call("socket", family, 2, 0)))
      #expect(try !isLetThrough(call("socket", family, 3, 0)))
      #expect(try !isLetThrough(call("socket", family, stream, 262)))
    }
    #expect(try !isLetThrough(call("socket", unix, stream, 0)))
    // The kernel reads an int: what stands above it makes no other family.
    #expect(try !isLetThrough(call("socket", unix | 1 << 32, stream, 0)))
    #expect(try isLetThrough(call("sendto", 5, 0, 0, 0)))
    #expect(try !isLetThrough(call("sendto", 5, 0, 0, 0x2000_0000)))
    #expect(try !isLetThrough(call("sendmsg", 5, 0, 0x2000_4000)))
  }

  @Test("what touches the caller alone is let through, the same call against another is not")
  func forms() throws {
    #expect(try isLetThrough(call("tgkill", 70, 71, 9)))
    #expect(try !isLetThrough(call("tgkill", 70, 72, 9)))
    #expect(try !isLetThrough(call("tgkill", 1, 1, 9)))
    #expect(try isLetThrough(call("fcntl", 4, 3)))
    #expect(try !isLetThrough(call("fcntl", 4, 8, 1)))
    #expect(try !isLetThrough(call("fcntl", 4, 10, 9)))
    #expect(try !isLetThrough(call("ioctl", 1, 0x5412)))
    // The kernel reads 32 bits of a request: TIOCSTI with bits above is TIOCSTI.
    #expect(try !isLetThrough(call("ioctl", 1, 0x1_0000_5412)))
    #expect(try isLetThrough(call("prctl", UInt64(PR_SET_NAME.magnitude))))
    for operation: Int32 in [PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP] {
      #expect(try !isLetThrough(call("prctl", UInt64(operation), 1)))
    }
    #expect(try isLetThrough(call("prlimit64", 0, 7, 0, 0x1000)))
    #expect(try !isLetThrough(call("prlimit64", 0, 7, 0x1000)))
    #expect(try !isLetThrough(call("prlimit64", 1, 7, 0, 0x1000)))
    #expect(try !isLetThrough(call("dup2", 1, 4)))
  }

  @Test("an unknown call is never let through, and without Landlock nothing is")
  func unknown() throws {
    #expect(audited.judgement(of: ObservedCall(number: 1_000)) == .violation)
    #expect(NeverList.reason(for: "syscall_1000") == "a call that this version doesn't know")
    #expect(strict.audited(landlockABI: 0).audited.isEmpty)
    #expect(strict.audited.isEmpty)
  }

  @Test("an audit changes neither list, nor what holds besides")
  func nothingElse() {
    var plan = audited
    plan.audited = []
    #expect(plan == strict)
  }

  @Test("nothing is let through before the set-up is over, and then within the budget")
  func setUpFirst() throws {
    var calls = ServedCalls(plan: audited, processID: 70, budget: TokenBucket(burst: 2, interval: 1_000))
    let uname = SeccompNotification(id: 1, thread: 71, number: try #require(SyscallNames.number(of: "uname")))
    #expect(calls.answer(uname, now: 0).answer == .violation)
    let tail = SeccompNotification(
      id: 2, thread: 71, number: try #require(SyscallNames.number(of: "prctl")),
      arguments: .init(UInt64(PR_SET_DUMPABLE), 0))
    #expect(calls.answer(tail, now: 0).answer == .setUpTail(.notDumpable))
    #expect(calls.answer(uname, now: 0) == ServedReply(answer: .audited, notBefore: nil))
    #expect(calls.answer(uname, now: 0).notBefore == 1_000)
    #expect(calls.answer(tail, now: 0).answer == .violation)
  }
}
