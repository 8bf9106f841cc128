import ForsettiCore
import Glibc
import Testing

@testable import ForsettiSandbox

@Suite struct ServedCallsTests {
  let plan = SandboxPlan.derive(grants: [], policy: SandboxPolicy())

  func call(_ name: String, _ arguments: SeccompNotification.Arguments = .init()) throws
    -> SeccompNotification
  {
    let number = try #require(SyscallNames.number(of: name))
    return SeccompNotification(id: 1, thread: 42, number: number, arguments: arguments)
  }

  func answer(
    _ name: String, _ arguments: SeccompNotification.Arguments = .init(), path: String? = nil
  ) throws -> ServedAnswer {
    var calls = ServedCalls(plan: plan, processID: 42)
    return calls.answer(try call(name, arguments), path: path, now: 0).answer
  }

  @Test(
    "harmless calls that say nothing of others go on",
    arguments: ["rt_sigprocmask", "gettid", "getpid", "clock_nanosleep", "clock_gettime", "restart_syscall"])
  func continued(name: String) throws {
    #expect(try answer(name) == .continue)
    #expect(try answer(name, .init(.max, .max, .max, .max, .max, .max)) == .continue)
  }

  @Test("a signal goes to its own process and thread, and is SIGABRT, or is a violation")
  func tgkill() throws {
    #expect(try answer("tgkill", .init(42, 42, 6)) == .continue)
    #expect(try answer("tgkill", .init(42 | 7 << 32, 42, 6)) == .continue)
    for arguments in [
      .init(42, 42, 9), .init(42, 43, 6), .init(1, 42, 6), .init(0, 0, 6), .init(42, 42, 0),
      .init(.max, .max, 6),
    ] as [SeccompNotification.Arguments] {
      #expect(try answer("tgkill", arguments) == .violation)
    }
  }

  @Test("writev reaches standard output and error alone")
  func writev() throws {
    #expect(try answer("writev", .init(1)) == .continue)
    #expect(try answer("writev", .init(2)) == .continue)
    for descriptor in [0, 3, 4, 5, 1 << 31] as [UInt64] {
      #expect(try answer("writev", .init(descriptor)) == .violation)
    }
  }

  @Test("asking what its own pipes are fails; of a path, only locale data is merely absent")
  func fstat() throws {
    for descriptor in UInt64(0)...4 {
      #expect(try answer("newfstatat", .init(descriptor, 0, 0, 0x1000)) == .errno(EPERM))
    }
    let here = UInt64(bitPattern: -100)
    for arguments in [.init(1, 0, 0, 0), .init(5, 0, 0, 0x1000), .init(here, 0, 0, 0x1000)]
      as [SeccompNotification.Arguments]
    {
      #expect(try answer("newfstatat", arguments) == .needsPath(argument: 1))
      #expect(try answer("newfstatat", arguments, path: "") == .violation)
      #expect(try answer("newfstatat", arguments, path: "/usr/share/icu") == .violation)
      #expect(try answer("newfstatat", arguments, path: "/etc/passwd") == .violation)
      #expect(try answer("newfstatat", arguments, path: "/usr/share/icu/icudt76l.dat") == .errno(ENOENT))
    }
  }

  @Test("a close that the filter did not allow is of no open descriptor or of its own pipes: EBADF")
  func close() throws {
    #expect(try answer("close", .init(0)) == .errno(EBADF))
    #expect(try answer("close", .init(4 | 1 << 32)) == .errno(EBADF))
  }

  @Test("probes that libraries make are told that the kernel has no such call")
  func probes() throws {
    for name in ["clone3", "io_uring_setup", "statx"] {
      #expect(try answer(name) == .errno(ENOSYS))
    }
  }

  @Test("openat gets its path read, then a descriptor of the constant, an error, or the end")
  func openat() throws {
    #expect(try answer("openat") == .needsPath(argument: 1))
    #expect(try answer("openat", path: "/dev/urandom") == .addDescriptor(.urandom))
    #expect(try answer("openat", path: "/etc/localtime") == .errno(ENOENT))
    #expect(try answer("openat", path: "/usr/share/zoneinfo/UTC") == .errno(ENOENT))
    #expect(try answer("readlink") == .needsPath(argument: 0))
    #expect(try answer("readlink", path: "/etc/localtime") == .errno(ENOENT))
    #expect(try answer("readlink", path: "/proc/self/exe") == .violation)
    for path in [
      "", "/dev/urandom/", "/dev/urandom\0", "/dev/../dev/urandom", "dev/urandom", "/dev/random",
      "/etc/passwd", "/dev/Urandom", "/dev/urandom\u{301}",
    ] {
      #expect(try answer("openat", path: path) == .violation)
    }
  }

  @Test("the set-up tail goes on once, as written, and never again")
  func setUpTail() throws {
    var calls = ServedCalls(plan: plan, processID: 42)
    let dumpableOff = try call("prctl", .init(4, 0))
    #expect(calls.answer(try call("prctl", .init(4, 1)), now: 0).answer == .violation)
    #expect(calls.answer(try call("prctl", .init(4, 1 << 32)), now: 0).answer == .violation)
    #expect(calls.answer(try call("prctl", .init(22, 0)), now: 0).answer == .violation)
    #expect(calls.answer(dumpableOff, now: 0).answer == .setUpTail(.notDumpable))
    #expect(calls.answer(dumpableOff, now: 0).answer == .violation)
  }

  @Test("every call in neither list is a violation, whatever its arguments")
  func everythingElse() {
    let served = Set(plan.servedNames.compactMap(SyscallNames.number(of:)))
    var calls = ServedCalls(plan: plan, processID: 42)
    for number in Int32(-1)..<1024 where !served.contains(number) {
      for value in [0, 1, 42, .max] as [UInt64] {
        let call = SeccompNotification(
          id: 1, thread: 42, number: number, arguments: .init(value, value, value, value, value, value))
        #expect(calls.answer(call, path: "/dev/urandom", now: 0).answer == .violation)
      }
    }
  }

  @Test("sixty-four answers come at once, the rest one a millisecond, and the rest restores the burst")
  func budget() throws {
    var calls = ServedCalls(plan: plan, processID: 42)
    let cheap = try call("getpid")
    let start: UInt64 = 5_000_000_000
    for _ in 0..<64 { #expect(calls.answer(cheap, now: start).notBefore == nil) }
    for late in UInt64(1)...10 {
      #expect(calls.answer(cheap, now: start).notBefore == start + late * 1_000_000)
    }
    #expect(calls.delayed == 10)
    #expect(calls.answered == 74)
    let rested = start + 74_000_000
    for _ in 0..<64 { #expect(calls.answer(cheap, now: rested).notBefore == nil) }
    #expect(calls.answer(cheap, now: rested).notBefore == rested + 1_000_000)
  }

  @Test("a violation and a question cost nothing of the budget")
  func freeAnswers() throws {
    var calls = ServedCalls(plan: plan, processID: 42)
    for _ in 0..<100 { _ = calls.answer(try call("openat"), now: 0) }
    for _ in 0..<100 { _ = calls.answer(try call("socket"), now: 0) }
    #expect(calls.answered == 0)
    #expect(calls.answer(try call("getpid"), now: 0).notBefore == nil)
  }
}
