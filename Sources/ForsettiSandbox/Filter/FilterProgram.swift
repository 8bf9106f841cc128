/// A compiled filter: what seccomp(2) loads.
public struct FilterProgram: Sendable, Hashable {
  /// Instructions of eight bytes each (struct sock_filter), in this machine's byte order.
  public let bytes: [UInt8]

  /// The kernel's own limit, BPF_MAXINSNS.
  public static let maximumInstructions = 4096
  static let instructionSize = 8

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// Number of instructions.
  public var count: Int { bytes.count / Self.instructionSize }

  /// The program, instruction by instruction.
  public var instructions: [FilterInstruction] {
    stride(from: 0, to: count * Self.instructionSize, by: Self.instructionSize).map { at in
      bytes.withUnsafeBytes { raw in
        FilterInstruction(
          code: raw.loadUnaligned(fromByteOffset: at, as: UInt16.self), jumpTrue: raw[at + 2],
          jumpFalse: raw[at + 3], operand: raw.loadUnaligned(fromByteOffset: at + 4, as: UInt32.self))
      }
    }
  }
}

/// One instruction of classic BPF (struct sock_filter).
public struct FilterInstruction: Sendable, Hashable {
  /// Operation, size and source.
  public var code: UInt16
  /// Instructions to skip when the test holds.
  public var jumpTrue: UInt8
  /// Instructions to skip when it does not.
  public var jumpFalse: UInt8
  /// The constant `k`.
  public var operand: UInt32
}
