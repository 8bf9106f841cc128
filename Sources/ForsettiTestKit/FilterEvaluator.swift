public import ForsettiSandbox

/// Runs a filter as the kernel would, so that tests can ask it about any call.
public struct FilterEvaluator {
  /// What becomes of a call.
  public enum Verdict: Equatable, Sendable {
    case allow, notify, killProcess
    /// It fails with this error number.
    case errno(Int32)
    /// No action that a filter of this product has.
    case other(UInt32)
  }

  /// x86-64, as a filter sees it.
  public static let nativeArchitecture: UInt32 = 0xc000_003e
  private let program: [Instruction]

  /// Takes a filter.
  public init(_ program: FilterProgram) {
    self.program = stride(from: 0, to: program.bytes.count, by: FilterProgram.instructionSize).map { at in
      program.bytes.withUnsafeBytes { raw in
        Instruction(
          code: raw.loadUnaligned(fromByteOffset: at, as: UInt16.self), jumpTrue: raw[at + 2],
          jumpFalse: raw[at + 3], operand: raw.loadUnaligned(fromByteOffset: at + 4, as: UInt32.self))
      }
    }
  }

  /// Asks about a call.
  public func verdict(
    number: UInt32, architecture: UInt32 = nativeArchitecture, arguments: [UInt64] = []
  ) -> Verdict {
    var data = [number, architecture, 0, 0]
    for index in 0..<6 {
      let value = index < arguments.count ? arguments[index] : 0
      data += [UInt32(truncatingIfNeeded: value), UInt32(value >> 32)]
    }
    var accumulator: UInt32 = 0
    var at = 0
    while program.indices.contains(at) {
      let one = program[at]
      at += 1
      func jump(_ taken: Bool) { at += Int(taken ? one.jumpTrue : one.jumpFalse) }
      switch one.code {
      case 0x20: accumulator = data[Int(one.operand) / 4]
      case 0x54: accumulator &= one.operand
      case 0x05: at += Int(one.operand)
      case 0x15: jump(accumulator == one.operand)
      case 0x25: jump(accumulator > one.operand)
      case 0x35: jump(accumulator >= one.operand)
      case 0x45: jump(accumulator & one.operand != 0)
      case 0x06: return Self.verdict(of: one.operand)
      default: return .other(UInt32(one.code))
      }
    }
    return .other(0)
  }

  private static func verdict(of action: UInt32) -> Verdict {
    switch action {
    case 0x7fff_0000: .allow
    case 0x7fc0_0000: .notify
    case 0x8000_0000: .killProcess
    case 0x0005_0000...0x0005_ffff: .errno(Int32(action & 0xffff))
    default: .other(action)
    }
  }
}

/// One instruction of classic BPF (struct sock_filter).
private struct Instruction {
  /// Operation, size and source.
  var code: UInt16
  /// Instructions to skip when the test holds.
  var jumpTrue: UInt8
  /// Instructions to skip when it does not.
  var jumpFalse: UInt8
  /// The constant `k`.
  var operand: UInt32
}
