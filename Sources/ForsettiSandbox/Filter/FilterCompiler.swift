import CLinux
import CSeccomp
import Glibc

/// Compiles plans to filters through libseccomp, once per distinct kernel list.
public struct FilterCompiler: Sendable {
  private var programs: [[SyscallRule]: FilterProgram] = [:]

  /// Makes a compiler that has compiled nothing yet.
  public init() {}

  /// The plan's filter, compiled now or earlier.
  public mutating func program(for plan: SandboxPlan) throws(SandboxCompileError) -> FilterProgram {
    if let known = programs[plan.kernel] { return known }
    let program = try Self.compile(plan)
    programs[plan.kernel] = program
    return program
  }

  /// Compiles the plan's kernel list: those calls are allowed, a foreign architecture and x32 end the process,
  /// all else notifies the supervisor. Needs nothing of the running kernel.
  public static func compile(_ plan: SandboxPlan) throws(SandboxCompileError) -> FilterProgram {
    // Without it libseccomp asks this kernel what it can do; the child finds that out, and names the step.
    try check("choose its API level", seccomp_api_set(6))
    guard let context = seccomp_init(Action.notify) else {
      throw .library(step: "make a filter", errno: ENOMEM)
    }
    defer { seccomp_release(context) }
    // The default for a foreign architecture is to end one thread.
    try check(
      "set what ends a foreign call", seccomp_attr_set(context, SCMP_FLTATR_ACT_BADARCH, Action.killProcess))
    try check("leave thread sync off", seccomp_attr_set(context, SCMP_FLTATR_CTL_TSYNC, 0))
    try check("sort the calls", seccomp_attr_set(context, SCMP_FLTATR_CTL_OPTIMIZE, 2))
    try rejectContradictions(plan.kernel)
    for rule in plan.kernel { try add(rule, to: context) }
    let program = FilterProgram(bytes: try export(context))
    guard program.count > 0, program.count <= FilterProgram.maximumInstructions else {
      throw .tooLong(instructions: program.count)
    }
    return program
  }

  private enum Action {
    static let notify: UInt32 = 0x7fc0_0000
    static let allow: UInt32 = 0x7fff_0000
    static let killProcess: UInt32 = 0x8000_0000
  }

  private static func check(_ step: String, _ result: Int32) throws(SandboxCompileError) {
    if result < 0 { throw .library(step: step, errno: -result) }
  }

  private static func rejectContradictions(_ rules: [SyscallRule]) throws(SandboxCompileError) {
    let open = Set(rules.filter { $0.conditions.isEmpty }.map(\.name))
    for rule in rules where !rule.conditions.isEmpty && open.contains(rule.name) {
      throw .contradiction(syscall: rule.name)
    }
  }

  private static func add(_ rule: SyscallRule, to context: scmp_filter_ctx) throws(SandboxCompileError) {
    guard let number = SyscallNames.number(of: rule.name) else { throw .unknownSyscall(rule.name) }
    for comparisons in try alternatives(of: rule) {
      let result = seccomp_rule_add_exact_array(
        context, Action.allow, number, UInt32(comparisons.count), comparisons)
      // EEXIST: two rules say the same; the filter holds it once.
      if result != -EEXIST { try check("add a rule for \(rule.name)", result) }
    }
  }

  /// The rule as libseccomp takes it: alternatives, each a list of comparisons that must all hold.
  private static func alternatives(of rule: SyscallRule) throws(SandboxCompileError) -> [[scmp_arg_cmp]] {
    var product: [[scmp_arg_cmp]] = [[]]
    for condition in rule.conditions {
      guard let masks = condition.masks else {
        throw .notForFilter(syscall: rule.name, condition: condition.text)
      }
      let compares = masks.map {
        scmp_arg_cmp(
          arg: UInt32(truncatingIfNeeded: condition.argument), op: SCMP_CMP_MASKED_EQ, datum_a: $0.mask,
          datum_b: $0.value)
      }
      product = product.flatMap { start in compares.map { start + [$0] } }
    }
    return product
  }

  private static func export(_ context: scmp_filter_ctx) throws(SandboxCompileError) -> [UInt8] {
    let file = cl_memfd_create("forsetti-filter")
    try check("open a place for the program", file)
    defer { Glibc.close(file) }
    try check("write the program", seccomp_export_bpf(context, file))
    let size = Int(lseek(file, 0, SEEK_END))
    guard size > 0, size % FilterProgram.instructionSize == 0 else {
      throw .library(step: "write the program", errno: EIO)
    }
    var bytes = [UInt8](repeating: 0, count: size)
    guard pread(file, &bytes, size, 0) == size else {
      throw .library(step: "read the program back", errno: EIO)
    }
    return bytes
  }
}

extension ArgumentCondition {
  /// The registers that fulfil the condition, as alternatives `register & mask == value`;
  /// `nil` for a condition that registers can't tell.
  var masks: [(mask: UInt64, value: UInt64)]? {
    switch test {
    case .equals(let value): [(.max, value)]
    case .onlyBits(let bits): [(~bits, 0)]
    case .wordHasBits(let bits): [(UInt64(bits), UInt64(bits))]
    case .word(let range): Self.blocks(of: range)
    case .ownProcess, .ownThread, .path, .pathBelow: nil
    }
  }

  /// A range as aligned blocks, each one mask over the lower half: 5–15 is 5, 6–7 and 8–15. A filter's own
  /// greater-than compares 64 bits, of which an int parameter has 32.
  private static func blocks(of range: ClosedRange<UInt32>) -> [(mask: UInt64, value: UInt64)] {
    var blocks: [(mask: UInt64, value: UInt64)] = []
    var low = UInt64(range.lowerBound)
    let end = UInt64(range.upperBound) + 1
    while low < end {
      var size = low == 0 ? UInt64(1) << 32 : low & (~low &+ 1)
      while size > end - low { size >>= 1 }
      blocks.append((UInt64(UInt32.max) & ~(size - 1), low))
      low += size
    }
    return blocks
  }
}
