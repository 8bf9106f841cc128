import CLinux
import ForsettiCore
import Glibc

/// The arguments of a call as people read them: names where a table knows them, hexadecimal otherwise. Registers
/// only; the path is read by whoever holds the caller.
public enum ArgumentText {
  /// `name=value` for each parameter; all six registers in hexadecimal for a call without a signature.
  /// - Parameter path: what the path argument pointed to, escaped; `nil` where nobody could read it.
  public static func all(of call: String, arguments: [UInt64], path: String? = nil) -> [String] {
    guard let parameters = SyscallSignatures.parameters(of: call) else {
      return arguments.prefix(6).enumerated().map { "arg\($0.offset)=\(hexadecimal($0.element))" }
    }
    return zip(parameters, arguments).map { parameter, value in
      if parameter.kind == .path, let path { return "\(parameter.name)=\"\(path)\"" }
      return "\(parameter.name)=\(text(value, parameter.kind))"
    }
  }

  /// Which argument of a call points to a path, for whoever holds the caller to read; the first where there are two.
  public static func pathIndex(of call: String) -> Int? {
    SyscallSignatures.parameters(of: call)?.firstIndex { $0.kind == .path }
  }

  /// The arguments that say what is asked for, without addresses and sizes; none for a call without a signature.
  static func telling(of call: String, arguments: [UInt64]) -> [String] {
    let parameters = SyscallSignatures.parameters(of: call) ?? []
    return zip(parameters, arguments).compactMap { parameter, value in
      parameter.kind.tellsCallsApart ? text(value, parameter.kind) : nil
    }
  }

  /// One register by its meaning. A 32-bit parameter ignores the upper half, as the kernel does.
  static func text(_ value: UInt64, _ kind: ParameterKind) -> String {
    let word = UInt32(truncatingIfNeeded: value)
    let signed = Int32(bitPattern: word)
    return switch kind {
    case .descriptor, .number: "\(signed)"
    case .folder: signed == AT_FDCWD ? "AT_FDCWD" : "\(signed)"
    case .path, .pointer: hexadecimal(value)
    case .count: "\(value)"
    case .mode: "0" + String(word, radix: 8)
    case .openFlags: openFlags(word)
    case .protection: flags(UInt64(word), protections, none: "PROT_NONE")
    case .mapFlags: flags(UInt64(word), mapFlags, none: "0")
    case .remapFlags: flags(UInt64(word), [(1, "MREMAP_MAYMOVE"), (2, "MREMAP_FIXED")], none: "0")
    case .family: families[signed] ?? "\(signed)"
    case .socketType: socketType(word)
    case .cloneFlags: cloneFlags(value)
    case .signal: SignalName.text(signed)
    case .operation: operations[signed] ?? "\(signed)"
    case .request: requests[word] ?? hexadecimal(UInt64(word))
    case .atFlags: flags(UInt64(word), atFlags, none: "0")
    case .memoryFileFlags: flags(UInt64(word), [(1, "MFD_CLOEXEC"), (2, "MFD_ALLOW_SEALING")], none: "0")
    }
  }

  private static func hexadecimal(_ value: UInt64) -> String { "0x" + String(value, radix: 16) }

  /// Names of the bits that the table knows, then what is left in hexadecimal. Wider entries come first.
  private static func flags(_ value: UInt64, _ table: [(UInt64, String)], none: String) -> String {
    guard value != 0 else { return none }
    var rest = value
    var names: [String] = []
    for (bits, name) in table where rest & bits == bits {
      names.append(name)
      rest &= ~bits
    }
    if rest != 0 { names.append(hexadecimal(rest)) }
    return names.joined(separator: "|")
  }

  private static func openFlags(_ word: UInt32) -> String {
    let access = ["O_RDONLY", "O_WRONLY", "O_RDWR", "0x3"][Int(word & 3)]
    let rest = UInt64(word & ~3)
    return rest == 0 ? access : access + "|" + flags(rest, openBits, none: "")
  }

  private static func socketType(_ word: UInt32) -> String {
    let name = socketTypes[word & 0xf] ?? "\(word & 0xf)"
    let rest = UInt64(word & ~0xf)
    return rest == 0 ? name : name + "|" + flags(rest, socketBits, none: "")
  }

  /// The lowest byte is the signal that tells of the child's end.
  private static func cloneFlags(_ value: UInt64) -> String {
    let signal = Int32(value & 0xff)
    let names = flags(value & ~0xff, cloneBits, none: "")
    let parts = [names, signal == 0 ? "" : SignalName.text(signal)].filter { !$0.isEmpty }
    return parts.isEmpty ? "0" : parts.joined(separator: "|")
  }
}
