/// The head of an executable, as far as it decides whether the file can run as a module: ELF for this machine,
/// static, with no code that can be written. Judged before anything is spawned; the kernel has the last word (elf(5)).
public enum ExecutableImage {
  /// How many of a file's first bytes `check` looks at.
  public static let headBytes = 65_536

  #if arch(x86_64)
    /// `e_machine` of this build.
    public static let nativeMachine: UInt16 = 62
  #elseif arch(arm64)
    /// `e_machine` of this build.
    public static let nativeMachine: UInt16 = 183
  #endif

  private static let headerSize = 64
  private static let programHeaderSize = 56
  private static let mostProgramHeaders = 128
  private static let loadable: UInt32 = 1
  private static let interpreter: UInt32 = 3
  private static let stack: UInt32 = 0x6474_e551
  private static let executable: UInt32 = 1
  private static let writable: UInt32 = 2

  /// Looks at the first bytes of a file, at most `headBytes` of them.
  public static func check(_ head: [UInt8], machine: UInt16 = nativeMachine) throws(ExecutableFault) {
    guard head.count >= headerSize, head.starts(with: [0x7f, 0x45, 0x4c, 0x46]) else { throw .notELF }
    // ELFCLASS64, ELFDATA2LSB: what every machine here is.
    guard head[4] == 2, head[5] == 1 else { throw .foreignArchitecture(machine: nil) }
    let found = UInt16(field(head, at: 18, bytes: 2))
    guard found == machine else { throw .foreignArchitecture(machine: found) }
    // ET_EXEC, or ET_DYN where it is position-independent.
    let kind = field(head, at: 16, bytes: 2)
    guard kind == 2 || kind == 3, field(head, at: 24, bytes: 8) != 0 else { throw .notAProgram }
    try checkSegments(head)
  }

  private static func checkSegments(_ head: [UInt8]) throws(ExecutableFault) {
    let count = Int(field(head, at: 56, bytes: 2))
    guard field(head, at: 54, bytes: 2) == UInt64(programHeaderSize),
      (1...mostProgramHeaders).contains(count), let start = Int(exactly: field(head, at: 32, bytes: 8)),
      start <= head.count - count * programHeaderSize
    else { throw .malformed("its program headers are not at its beginning") }
    var hasCode = false
    for index in 0..<count {
      let at = start + index * programHeaderSize
      let flags = UInt32(field(head, at: at + 4, bytes: 4))
      switch UInt32(field(head, at: at, bytes: 4)) {
      case interpreter: throw .dynamic
      case stack where flags & executable != 0: throw .executableStack
      case loadable:
        if flags & executable != 0 { hasCode = true }
        if flags & executable != 0, flags & writable != 0 { throw .writableCode }
      default: continue
      }
    }
    guard hasCode else { throw .malformed("it has no code") }
  }

  /// A little-endian number; 0 where the bytes end before it.
  private static func field(_ bytes: [UInt8], at start: Int, bytes count: Int) -> UInt64 {
    guard start >= 0, start <= bytes.count - count else { return 0 }
    return bytes[start..<(start + count)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

/// Why a file is not run as a module.
public enum ExecutableFault: Error, Sendable, Hashable, CustomStringConvertible {
  case notELF
  /// For another processor; `nil` for one of 32 bits or big-endian.
  case foreignArchitecture(machine: UInt16?)
  /// An object file or a core dump.
  case notAProgram
  /// It names a dynamic linker, which would have to open files that no module can open.
  case dynamic
  /// Its stack is to be executable.
  case executableStack
  /// A segment is to be writable and executable.
  case writableCode
  case malformed(String)

  /// One line: what is wrong and the way out.
  public var description: String {
    switch self {
    case .notELF: "it is no ELF executable; a script needs its interpreter, which no module can open"
    case .foreignArchitecture(nil): "it is built for a machine of 32 bits or of another byte order"
    case .foreignArchitecture(let machine?):
      "it is built for another machine (ELF e_machine \(machine), this one is \(ExecutableImage.nativeMachine))"
    case .notAProgram: "it is no program but an object file, a library or a core dump"
    case .dynamic: "it is linked dynamically; link it static (cc -static, swift -static-executable)"
    case .executableStack: "it wants an executable stack; link it with -z noexecstack"
    case .writableCode: "it wants code that can be written; link it without -N or --omagic"
    case .malformed(let reason): "its ELF headers are malformed: \(reason)"
    }
  }
}
