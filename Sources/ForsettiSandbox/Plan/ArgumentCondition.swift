/// What one argument of a system call must be. A condition is the smallest word of a plan: conditions that must
/// all hold make a `SyscallRule`, rules make a `SandboxPlan`.
///
/// A register has 64 bits, a kernel parameter may have 32. A condition says which of the two the kernel reads:
/// for an `int` the upper half is ignored, as the kernel ignores it (glibc may leave anything there, and a compare
/// of 64 bits would let `close(0x1_0000_0000)` pass for a large number while the kernel closes 0);
/// for a `long` both halves are compared.
public struct ArgumentCondition: Sendable, Hashable {
  /// The argument's register, 0 to 5.
  public var argument: Int
  /// The parameter's name in the manual page.
  public var name: String
  /// What the register must be.
  public var test: Test

  /// How the register is judged.
  public enum Test: Sendable, Hashable {
    /// A 64-bit parameter equals this.
    case equals(UInt64)
    /// A 64-bit parameter has no bit set but these.
    case onlyBits(UInt64)
    /// A 32-bit parameter, unsigned, lies in this range.
    case word(ClosedRange<UInt32>)
    /// A 32-bit parameter has all of these bits set.
    case wordHasBits(UInt32)
    /// A 32-bit parameter is the caller's own process ID.
    case ownProcess
    /// A 32-bit parameter is the calling thread's own ID.
    case ownThread
    /// A string in the caller's memory is this. Never decides that a call may continue: memory can change.
    case path(String)
    /// A string in the caller's memory starts with this folder and its slash. As little of a decision as `path`.
    case pathBelow(String)
  }

  /// Makes a condition.
  public init(_ argument: Int, _ name: String, _ test: Test) {
    self.argument = argument
    self.name = name
    self.test = test
  }

  /// Whether a filter can judge it: a filter sees registers, no memory, and knows no process.
  var isForFilter: Bool {
    switch test {
    case .equals, .onlyBits, .word, .wordHasBits: true
    case .ownProcess, .ownThread, .path, .pathBelow: false
    }
  }

  /// The condition as people read it.
  public var text: String {
    switch test {
    case .equals(let value): "\(name) == \(Self.hexadecimal(value))"
    case .onlyBits(let bits): "\(name) & ~\(Self.hexadecimal(bits)) == 0"
    case .word(let range) where range.lowerBound == range.upperBound:
      "\(name) == \(Int32(bitPattern: range.lowerBound))"
    case .word(let range) where range.lowerBound == 0: "\(name) ≤ \(range.upperBound)"
    case .word(let range) where range.upperBound == .max: "\(name) ≥ \(range.lowerBound)"
    case .word(let range): "\(name) in \(range.lowerBound)–\(range.upperBound)"
    case .wordHasBits(let bits): "\(name) has \(Self.hexadecimal(UInt64(bits)))"
    case .ownProcess: "\(name) is its own process"
    case .ownThread: "\(name) is its own thread"
    case .path(let path): "\(name) is \"\(path)\""
    case .pathBelow(let folder): "\(name) is below \"\(folder)\""
    }
  }

  static func hexadecimal(_ value: UInt64) -> String {
    value < 10 ? String(value) : "0x" + String(value, radix: 16)
  }
}
