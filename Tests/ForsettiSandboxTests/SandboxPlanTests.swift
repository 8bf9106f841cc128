import ForsettiCore
import ForsettiTestKit
import Testing

@testable import ForsettiSandbox

@Suite struct SandboxPlanTests {
  let strict = SandboxPlan.derive(grants: [], policy: SandboxPolicy())
  let threaded = SandboxPlan.derive(grants: [], policy: SandboxPolicy(direct: [.threads]))

  /// Calls by which a module could reach a file, a peer, another process, or loosen its own sandbox.
  static let dangerous: Set<String> = [
    "accept", "accept4", "acct", "add_key", "adjtimex", "arch_prctl", "bind", "bpf", "capset", "chdir",
    "chmod", "chown", "chroot", "clock_settime", "clone", "clone3", "close", "close_range", "connect",
    "copy_file_range", "creat", "delete_module", "dup", "dup2", "dup3", "epoll_ctl", "execve", "execveat",
    "fchdir", "fchmod", "fchown", "fcntl", "finit_module", "fork", "fsconfig", "fsmount", "fsopen",
    "ftruncate",
    "init_module", "inotify_add_watch", "io_setup", "io_submit", "io_uring_enter", "io_uring_register",
    "io_uring_setup", "ioctl", "ioperm", "iopl", "kcmp", "kexec_load", "keyctl", "kill",
    "landlock_restrict_self",
    "link", "linkat", "listen", "madvise", "mbind", "memfd_create", "memfd_secret", "mkdir", "mkdirat",
    "mknod", "mknodat", "mmap", "modify_ldt", "mount", "move_mount", "mprotect", "mremap",
    "name_to_handle_at", "newfstatat", "open", "open_by_handle_at", "open_tree", "openat", "openat2",
    "perf_event_open", "personality", "pidfd_getfd", "pidfd_open", "pidfd_send_signal", "pivot_root",
    "pkey_mprotect", "prctl", "prlimit64", "process_madvise", "process_vm_readv", "process_vm_writev",
    "ptrace", "pwrite64", "quotactl", "readlink", "readlinkat", "reboot", "recvfrom", "recvmsg",
    "remap_file_pages", "rename", "renameat", "renameat2", "request_key", "rt_sigaction", "rt_sigqueueinfo",
    "rt_sigreturn", "rt_tgsigqueueinfo", "sched_setscheduler", "seccomp", "sendfile", "sendmmsg",
    "sendmsg", "sendto", "set_mempolicy", "setgid", "setgroups", "sethostname", "setns", "setpgid",
    "setresuid", "setrlimit", "setsid", "setsockopt", "settimeofday", "setuid", "setxattr", "shmat",
    "sigaltstack", "socket", "socketpair", "splice", "stat", "statx", "swapon", "symlink", "symlinkat",
    "syslog", "tee", "tkill", "truncate", "umount2", "unlink", "unlinkat", "unshare", "userfaultfd",
    "ustat", "utimensat", "vfork", "vmsplice", "write",
  ]

  @Test("the strict plan has at most twelve kernel and sixteen served calls")
  func bounds() {
    #expect(
      strict.kernelNames == [
        "read", "write", "ppoll", "futex", "brk", "munmap", "mmap", "mprotect", "mremap", "getrandom",
        "close",
        "exit_group",
      ])
    #expect(strict.servedNames.count <= 16)
  }

  @Test("capabilities are brokered: they change no call, and show in the explanation")
  func capabilities() {
    let all = SandboxPlan.derive(grants: Set(Capability.allCases), policy: SandboxPolicy())
    #expect(all.kernel == strict.kernel)
    #expect(all.served == strict.served)
    #expect(all.brokered.count == Capability.allCases.count)
    #expect(all.explanation.filter { $0.list == .brokered }.count == Capability.allCases.count)
  }

  @Test("the same grants and policy give the same plan, in the same order")
  func deterministic() {
    let grants: Set<Capability> = [.storage, .networking, .api, .telemetry]
    let first = SandboxPlan.derive(grants: grants, policy: SandboxPolicy())
    for _ in 0..<20 {
      let again = SandboxPlan.derive(grants: Set(grants.shuffled()), policy: SandboxPolicy())
      #expect(again == first)
      #expect(again.explanation == first.explanation)
    }
  }

  @Test("the number of threads is a limit of the module's own user, and of no other")
  func threadLimit() throws {
    let policy = SandboxPolicy(limits: SandboxLimits(threads: 8), direct: [.threads])
    let plan = SandboxPlan.derive(grants: [], policy: policy)
    let filter = try FilterCompiler.compile(plan)
    #expect(plan.lockdownRequest(filter: filter, supervisorPID: 1, userID: 70_000).limits.threads == 8)
    #expect(plan.lockdownRequest(filter: filter, supervisorPID: 1, userID: nil).limits.threads == 0)
    #expect(strict.limits.threads == 0)
    let row = plan.explanation.first { $0.name == "processes and threads" }
    #expect(row?.outcome == "1 process, 8 threads")
  }

  @Test("every entry has a reason, and every call a number here")
  func reasons() {
    for plan in [strict, threaded] {
      for row in plan.explanation { #expect(!row.reason.isEmpty && !row.outcome.isEmpty) }
      for name in plan.kernelNames + plan.servedNames { #expect(SyscallNames.number(of: name) != nil) }
    }
  }

  @Test("nothing dangerous is ever continued, and no continued call is judged by memory that can change")
  func continuedTable() {
    for plan in [strict, threaded] {
      for rule in plan.served where rule.answer == .continue {
        #expect(!Self.dangerous.contains(rule.call.name), "\(rule.call.name) must not be continued")
        let ofMemory = rule.call.conditions.filter(\.isOfMemory)
        #expect(ofMemory.isEmpty, "\(rule.call.name) is continued by a path")
        if rule.call.name == "tgkill" {
          #expect(rule.call.conditions.map(\.test) == [.ownProcess, .ownThread, .word(6...6)])
        }
      }
    }
    // A set-up step is the one other way to be carried out, and there is exactly one.
    let steps = strict.served.filter { if case .setUp = $0.answer { true } else { false } }
    #expect(steps.map(\.call.name) == ["prctl"])
    #expect(steps.first?.call.conditions.map(\.test) == [.word(4...4), .equals(0)])
    // The list is of real calls, or it would hold nothing.
    for name in Self.dangerous { #expect(SyscallNames.number(of: name) != nil, "\(name) is no call here") }
  }

  @Test("a rule reads at most one string of the caller's memory")
  func oneRead() {
    for rule in strict.served {
      let ofMemory = rule.call.conditions.filter(\.isOfMemory)
      #expect(ofMemory.count <= 1)
    }
  }

  @Test("threads add what pthreads need, exactly, and nothing else")
  func threads() throws {
    #expect(
      Set(threaded.kernelNames).subtracting(strict.kernelNames) == [
        "clone", "rt_sigaction", "set_robust_list", "rseq", "exit", "madvise",
      ])
    #expect(threaded.served == strict.served)
    let filter = FilterEvaluator(try FilterCompiler.compile(threaded))
    let clone = UInt32(try #require(SyscallNames.number(of: "clone")))
    #expect(filter.verdict(number: clone, arguments: [0x3d0f00]) == .allow)
    for flags in [17, 0, 0x3d0f00 | 0x1000_0000, 0x3d0f00 | 1 << 32, 0x3d0f00 & ~0x10000] as [UInt64] {
      #expect(filter.verdict(number: clone, arguments: [flags]) == .notify)
    }
  }

  @Test("a plan becomes a request with its own filter and limits")
  func request() throws {
    let limits = SandboxLimits(addressSpaceBytes: 1 << 29, openFiles: 20, threads: 0)
    let plan = SandboxPlan.derive(
      grants: [], policy: SandboxPolicy(limits: limits, mayBeMissing: [.landlock]))
    let program = try FilterCompiler.compile(plan)
    let request = plan.lockdownRequest(filter: program, supervisorPID: 7, userID: 1_000)
    #expect(request.filter == program.bytes)
    #expect(request.limits == limits)
    #expect(request.mayBeMissing == [.landlock])
    #expect(request.supervisorPID == 7)
    #expect(request.userID == 1_000)
  }
}
