/// A compiled filter: what seccomp(2) loads.
public struct FilterProgram: Sendable, Hashable {
  /// Instructions of eight bytes each (struct sock_filter), in this machine's byte order.
  public let bytes: [UInt8]

  /// The kernel's own limit, BPF_MAXINSNS.
  public static let maximumInstructions = 4096
  /// Bytes of an instruction.
  public static let instructionSize = 8

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// Number of instructions.
  public var count: Int { bytes.count / Self.instructionSize }
}
