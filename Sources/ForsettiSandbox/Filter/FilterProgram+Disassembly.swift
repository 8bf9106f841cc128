import CLinux

extension FilterProgram {
  /// The program as text, a line per instruction: index, operation, and what a constant stands for.
  public var disassembly: String {
    let instructions = self.instructions
    // What the accumulator holds when control arrives. Jumps lead forward only, so one pass knows it.
    var held = [Field?](repeating: nil, count: instructions.count)
    var text = ""
    for (index, instruction) in instructions.enumerated() {
      let field = instruction.loadedField ?? held[index]
      for next in instruction.successors(of: index) where held.indices.contains(next) {
        held[next] = held[next] ?? field
      }
      let number = String(index)
      text += String(repeating: " ", count: max(0, 4 - number.count)) + number
      text += "  \(instruction.text(at: index, comparing: field))\n"
    }
    return text
  }
}

/// The part of struct seccomp_data that a load reads.
private enum Field {
  case number, architecture, instructionPointer(high: Bool), argument(Int, high: Bool)

  init?(offset: UInt32) {
    switch offset {
    case 0: self = .number
    case 4: self = .architecture
    case 8, 12: self = .instructionPointer(high: offset == 12)
    case 16..<64 where offset % 4 == 0:
      self = .argument(Int(offset - 16) / 8, high: offset % 8 == 4)
    default: return nil
    }
  }

  var text: String {
    switch self {
    case .number: "number"
    case .architecture: "arch"
    case .instructionPointer(let high): "ip.\(high ? "high" : "low")"
    case .argument(let index, let high): "arg\(index).\(high ? "high" : "low")"
    }
  }
}

extension FilterInstruction {
  // <linux/bpf_common.h>: class, size or operation, source.
  private static let loadWordAbsolute: UInt16 = 0x20
  private static let loadConstant: UInt16 = 0x00
  private static let andConstant: UInt16 = 0x54
  private static let jump: UInt16 = 0x05
  private static let jumpEqual: UInt16 = 0x15
  private static let jumpGreater: UInt16 = 0x25
  private static let jumpGreaterOrEqual: UInt16 = 0x35
  private static let jumpAnyBit: UInt16 = 0x45
  private static let returnConstant: UInt16 = 0x06

  fileprivate var loadedField: Field? { code == Self.loadWordAbsolute ? Field(offset: operand) : nil }

  fileprivate func successors(of index: Int) -> [Int] {
    switch code {
    case Self.returnConstant: []
    case Self.jump: [index + 1 + Int(operand)]
    case Self.jumpEqual, Self.jumpGreater, Self.jumpGreaterOrEqual, Self.jumpAnyBit:
      [index + 1 + Int(jumpTrue), index + 1 + Int(jumpFalse)]
    default: [index + 1]
    }
  }

  fileprivate func text(at index: Int, comparing field: Field?) -> String {
    switch code {
    case Self.loadWordAbsolute: "load   \(Field(offset: operand)?.text ?? "data[\(operand)]")"
    case Self.loadConstant: "load   \(hexadecimal)"
    case Self.andConstant: "and    \(hexadecimal)"
    case Self.jump: "jump   \(index + 1 + Int(operand))"
    case Self.jumpEqual: branch("==", at: index, comparing: field)
    case Self.jumpGreater: branch(">", at: index, comparing: field)
    case Self.jumpGreaterOrEqual: branch(">=", at: index, comparing: field)
    case Self.jumpAnyBit: branch("&", at: index, comparing: field)
    case Self.returnConstant: "return \(actionName)"
    default: "code 0x\(String(code, radix: 16)) \(hexadecimal)"
    }
  }

  private func branch(_ sign: String, at index: Int, comparing field: Field?) -> String {
    let next = index + 1
    var text = "if     \(sign) \(constant(comparing: field)) then \(next + Int(jumpTrue))"
    text += " else \(next + Int(jumpFalse))"
    return text
  }

  private func constant(comparing field: Field?) -> String {
    switch field {
    case .number where operand < 0x4000_0000:
      "\(operand) (\(SyscallNames.name(of: Int32(truncatingIfNeeded: operand))))"
    case .number where operand == 0x4000_0000: "\(hexadecimal) (x32)"
    case .architecture where operand == 0xc000_003e: "\(hexadecimal) (x86_64)"
    case .architecture where operand == 0xc000_00b7: "\(hexadecimal) (aarch64)"
    default: hexadecimal
    }
  }

  private var hexadecimal: String { "0x" + String(operand, radix: 16) }

  private var actionName: String {
    switch operand & 0xffff_0000 {
    case 0x7fff_0000: "allow"
    case 0x7fc0_0000: "notify"
    case 0x8000_0000: "kill_process"
    case 0x0000_0000: "kill_thread"
    case 0x0005_0000: "errno \(operand & 0xffff)"
    default: hexadecimal
    }
  }
}
