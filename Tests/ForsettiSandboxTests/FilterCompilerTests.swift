import ForsettiCore
import ForsettiTestKit
import Testing

@testable import ForsettiSandbox

@Suite struct FilterCompilerTests {
  let evaluator: FilterEvaluator
  let program: FilterProgram
  let strict = SandboxPlan.derive(grants: [], policy: SandboxPolicy())

  init() throws {
    program = try FilterCompiler.compile(strict)
    evaluator = FilterEvaluator(program)
  }

  func verdict(_ name: String, _ arguments: UInt64...) throws -> FilterEvaluator.Verdict {
    let number = try #require(SyscallNames.number(of: name))
    return evaluator.verdict(number: UInt32(number), arguments: arguments)
  }

  @Test("calls without conditions are allowed, whatever their arguments")
  func unconditional() throws {
    for name in ["read", "write", "munmap", "brk", "futex", "exit_group", "ppoll"] {
      #expect(try verdict(name) == .allow)
      #expect(try verdict(name, .max, .max, .max, .max, .max, .max) == .allow)
    }
  }

  @Test("every call in no list notifies, up to the highest number and beyond")
  func everythingElse() {
    let allowed = Set(strict.kernelNames.compactMap(SyscallNames.number(of:)))
    for number in Int32(0)..<1024 where !allowed.contains(number) {
      #expect(evaluator.verdict(number: UInt32(number)) == .notify)
    }
  }

  @Test("a foreign architecture and every x32 number end the process in the kernel")
  func foreign() {
    for number in [0, 1, 20, 39, 231] as [UInt32] {
      #expect(evaluator.verdict(number: number, architecture: 0x4000_0003) == .killProcess)
      #expect(evaluator.verdict(number: number, architecture: 0xc000_00b7) == .killProcess)
      #expect(evaluator.verdict(number: number | 0x4000_0000) == .killProcess)
    }
    #expect(evaluator.verdict(number: 0xffff_fffe) == .killProcess)
  }

  @Test("memory can be had anonymous, private and not executable, and no other way; both halves count")
  func memory() throws {
    let minusOne = UInt64.max
    #expect(try verdict("mmap", 0, 4096, 3, 0x22, minusOne, 0) == .allow)
    #expect(try verdict("mmap", 0, 4096, 3, 0x22, 0xffff_ffff, 0) == .allow)
    #expect(try verdict("mmap", 0, 4096, 0, 0x22, minusOne, 0) == .allow)
    #expect(try verdict("mmap", 0, 4096, 7, 0x22, minusOne, 0) == .notify)
    #expect(try verdict("mmap", 0, 4096, 4, 0x22, minusOne, 0) == .notify)
    #expect(try verdict("mmap", 0, 4096, 3 | 1 << 32, 0x22, minusOne, 0) == .notify)
    #expect(try verdict("mmap", 0, 4096, 3, 0x22 | 1 << 32, minusOne, 0) == .notify)
    #expect(try verdict("mmap", 0, 4096, 3, 0x32, minusOne, 0) == .notify)
    #expect(try verdict("mmap", 0, 4096, 3, 0x21, minusOne, 0) == .notify)
    #expect(try verdict("mmap", 0, 4096, 3, 0x02, 5, 0) == .notify)
    #expect(try verdict("mprotect", 0, 4096, 3) == .allow)
    #expect(try verdict("mprotect", 0, 4096, 4) == .notify)
    #expect(try verdict("mprotect", 0, 4096, 1 << 32) == .notify)
    #expect(try verdict("mprotect", 0, 4096, 0x0100_0000) == .notify)
    #expect(try verdict("mremap", 0, 1, 2, 1) == .allow)
    #expect(try verdict("mremap", 0, 1, 2, 3) == .notify)
    #expect(try verdict("mremap", 0, 1, 2, 1 | 1 << 32) == .notify)
  }

  @Test("close takes the kernel's view of a descriptor: the lower half")
  func close() throws {
    for descriptor in UInt64(0)...4 {
      #expect(try verdict("close", descriptor) == .notify)
      #expect(try verdict("close", descriptor | 1 << 32) == .notify)
    }
    for descriptor in UInt64(5)...15 {
      #expect(try verdict("close", descriptor) == .allow)
      #expect(try verdict("close", descriptor | 0xdead << 32) == .allow)
    }
    for descriptor in [16, 31, 32, 1 << 31, 0xffff_ffff] as [UInt64] {
      #expect(try verdict("close", descriptor) == .notify)
    }
  }

  @Test("getrandom takes flags 0 and 1")
  func random() throws {
    #expect(try verdict("getrandom", 0, 8, 0) == .allow)
    #expect(try verdict("getrandom", 0, 8, 1) == .allow)
    #expect(try verdict("getrandom", 0, 8, 2) == .notify)
    #expect(try verdict("getrandom", 0, 8, 4) == .notify)
  }

  @Test("a wider descriptor limit lets exactly its descriptors be closed")
  func descriptorLimit() throws {
    for limit in [6, 7, 16, 20, 64, 1000] as [UInt64] {
      let policy = SandboxPolicy(limits: SandboxLimits(openFiles: limit))
      let plan = SandboxPlan.derive(grants: [], policy: policy)
      let wide = FilterEvaluator(try FilterCompiler.compile(plan))
      let close = UInt32(try #require(SyscallNames.number(of: "close")))
      for descriptor in UInt64(0)...1100 {
        let expected = (5..<limit).contains(descriptor)
        #expect((wide.verdict(number: close, arguments: [descriptor]) == .allow) == expected)
      }
    }
  }

  @Test("the same plan compiles to the same bytes, and once")
  func deterministic() throws {
    var compiler = FilterCompiler()
    #expect(try compiler.program(for: strict) == program)
    #expect(try compiler.program(for: strict) == FilterCompiler.compile(strict))
  }

  @Test("a plan that a filter can't hold is refused by name")
  func refused() {
    func compile(_ rules: SyscallRule...) throws -> FilterProgram {
      var plan = strict
      plan.kernel = rules
      return try FilterCompiler.compile(plan)
    }
    #expect(throws: SandboxCompileError.unknownSyscall("frobnicate")) {
      try compile(SyscallRule("frobnicate", because: "test"))
    }
    #expect(throws: SandboxCompileError.notForFilter(syscall: "openat", condition: "path is \"/x\"")) {
      try compile(SyscallRule("openat", [ArgumentCondition(1, "path", .path("/x"))], because: "test"))
    }
    #expect(throws: SandboxCompileError.contradiction(syscall: "read")) {
      try compile(
        SyscallRule("read", because: "test"),
        SyscallRule("read", [ArgumentCondition(0, "fd", .word(3...3))], because: "test"))
    }
  }
}
