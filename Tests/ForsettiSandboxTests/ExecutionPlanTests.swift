import ForsettiCore
import Glibc
import Testing

@testable import ForsettiSandbox

/// What a third party's executable adds to a plan, and no more.
@Suite("The plan of a third party's executable") struct ExecutionPlanTests {
  private let strict = SandboxPlan.derive(grants: [], policy: SandboxPolicy())
  private let plan = SandboxPlan.derive(grants: [], policy: SandboxPolicy(), executes: true)

  @Test("it adds nothing that the kernel carries out unasked, so its filter is the same") func kernel() throws
  {
    #expect(plan.kernel == strict.kernel)
    #expect(try FilterCompiler.compile(plan) == FilterCompiler.compile(strict))
    #expect(plan.served.starts(with: strict.served))
  }

  @Test("of what it adds, two calls, a handler's and the two steps are carried out; all else fails")
  func added() {
    let added = plan.served.dropFirst(strict.served.count)
    func names(_ answer: ServedRule.Answer) -> [String] {
      added.filter { $0.answer == answer }.map(\.call.name)
    }
    #expect(names(.continue) == ["arch_prctl", "set_tid_address"])
    #expect(names(.continueInStart) == ["rt_sigaction", "rt_sigaction", "sigaltstack"])
    #expect(names(.setUp(.execute)) == ["execveat"])
    #expect(names(.setUp(.executableNotDumpable)) == ["prctl"])
    #expect(added.allSatisfy { !$0.call.reason.isEmpty })
    let rest = added.filter { rule in
      if case .errno = rule.answer { false } else { true }
    }
    #expect(rest.count == 7)
    // Nothing that is carried out is judged by memory, which can change.
    #expect(rest.allSatisfy { !$0.call.conditions.contains(where: \.isOfMemory) })
  }

  private func answers(_ calls: [(String, SeccompNotification.Arguments)]) throws -> [ServedAnswer] {
    var table = ServedCalls(plan: plan, processID: 42)
    return try calls.map { name, arguments in
      let number = try #require(SyscallNames.number(of: name))
      return table.answer(
        SeccompNotification(id: 1, thread: 42, number: number, arguments: arguments), now: 0
      ).answer
    }
  }

  private static let undumpable = ("prctl", SeccompNotification.Arguments(4, 0))
  private static let execute = ("execveat", SeccompNotification.Arguments(5, 0, 0, 0, 0x1000))

  @Test("the steps pass in their order, each once, and the last is free to be left out") func order() throws {
    #expect(
      try answers([Self.undumpable, Self.execute, Self.undumpable, Self.undumpable, Self.execute]) == [
        .setUpTail(.notDumpable), .setUpTail(.execute), .setUpTail(.executableNotDumpable), .violation,
        .violation,
      ])
    #expect(try answers([Self.execute]) == [.violation])
    #expect(
      try answers([Self.undumpable, Self.undumpable]) == [.setUpTail(.notDumpable), .violation])
    #expect(
      try answers([Self.undumpable, Self.execute, Self.execute]).last == .violation)
  }

  @Test("the exec is of the one descriptor, by that alone") func arguments() throws {
    for arguments in [
      .init(4, 0, 0, 0, 0x1000), .init(6, 0, 0, 0, 0x1000), .init(5, 0, 0, 0, 0), .init(5, 0, 0, 0, 0x1100),
      .init(UInt64(bitPattern: -100), 0, 0, 0, 0x1000),
    ] as [SeccompNotification.Arguments] {
      #expect(try answers([Self.undumpable, ("execveat", arguments)]).last == .violation)
    }
    #expect(try answers([Self.undumpable, ("execve", .init())]).last == .violation)
  }

  @Test("whether the exec is still to come is known, so that the set-up isn't taken for over") func pending()
    throws
  {
    var table = ServedCalls(plan: plan, processID: 42)
    #expect(!table.isSetUp)
    for (name, arguments) in [Self.undumpable, Self.execute] {
      #expect(!table.isSetUp)
      let number = try #require(SyscallNames.number(of: name))
      _ = table.answer(SeccompNotification(id: 1, thread: 42, number: number, arguments: arguments), now: 0)
    }
    #expect(table.isSetUp)
  }

  @Test("a handler of faults is installed between the exec and the description, and never else")
  func handler() throws {
    var table = ServedCalls(plan: plan, processID: 42)
    func answer(_ name: String, _ arguments: SeccompNotification.Arguments = .init()) throws -> ServedAnswer {
      let number = try #require(SyscallNames.number(of: name))
      return table.answer(
        SeccompNotification(id: 1, thread: 42, number: number, arguments: arguments), now: 0
      ).answer
    }
    let faults = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV].map(UInt64.init)
    func carriedOut() throws -> [UInt64] {
      try (0...70).filter { try answer("rt_sigaction", .init($0, .max, .max, 8)) == .continue }
    }
    for (name, arguments) in [Self.undumpable, Self.execute] {
      #expect(try carriedOut() == [])
      #expect(try answer("sigaltstack") == .violation)
      _ = try answer(name, arguments)
    }
    #expect(try Set(carriedOut()) == Set(faults))
    #expect(try answer("sigaltstack") == .continue)
    #expect(try answer("rt_sigreturn") == .violation)
    table.describe()
    #expect(try carriedOut() == [])
    #expect(try answer("sigaltstack") == .violation)
  }

  @Test("a host's plan has no such window") func host() throws {
    #expect(!strict.servedNames.contains { ["rt_sigaction", "sigaltstack"].contains($0) })
  }

  @Test("a terminal is asked about in two ways, neither with high bits") func terminals() throws {
    #expect(
      try answers([("ioctl", .init(1, 0x5413)), ("ioctl", .init(1, 0x5401))]) == [
        .errno(ENOTTY), .errno(ENOTTY),
      ])
    #expect(
      try answers([("ioctl", .init(1, 0x5412)), ("ioctl", .init(3, 0x5413))]) == [.violation, .violation])
  }
}
