import ForsettiCore
import ForsettiSandbox

/// What is left of a module process in the supervisor's hands when it has ended.
struct ProcessRemains {
  /// How it ended.
  var exit: ModuleExit
  /// Nanoseconds from its making to its end.
  var lifetime: UInt64
  /// What was executed last, the host or a third party's executable, and how many bytes it has.
  var executable: Executable
  /// What its own handler wrote.
  var lastWords: LastWords?
  var log: [CrashLogLine] = []
  var frameHeads: [CrashFrameHead] = []
  var usage: CrashUsage?
  var calls: CallRemains?

  /// A program that a process runs.
  struct Executable {
    var path: String
    var bytes: UInt64
    /// Whether it is a third party's, which need not have a handler.
    var isBundle: Bool
  }

  /// What is left of its system calls.
  struct CallRemains {
    /// Answered calls, by their numbers.
    var counts: [Int32: UInt64] = [:]
    var delayed: UInt64 = 0
    /// Where a violation was made.
    var violation: CrashFrame?
    /// Why its memory could not be looked into; 0 where it could.
    var blindness: Int32 = 0
  }

  /// What a report says of it.
  var evidence: CrashEvidence {
    CrashEvidence(
      lifetimeMilliseconds: Int64(clamping: lifetime / 1_000_000),
      message: RuntimeMessage.last(in: log.filter { $0.level == nil }.map(\.text)),
      fault: lastWords.map { CrashFault(signal: $0.signal, code: $0.code, address: $0.address) },
      backtrace: backtrace, log: log, frameHeads: frameHeads, usage: usage,
      servedCalls: Dictionary(
        (calls?.counts ?? [:]).map { (SyscallNames.name(of: $0.key), $0.value) }, uniquingKeysWith: +),
      delayedCalls: calls?.delayed ?? 0, missing: missing)
  }

  private var backtrace: [CrashFrame] {
    if case .violation = exit.reason { return calls?.violation.map { [$0] } ?? [] }
    guard let lastWords else { return [] }
    return lastWords.frames.map { frame(at: $0, base: lastWords.base) }
  }

  /// An address with its place in the executable, if it lies there. The base is the module's word: a wrong one makes
  /// wrong names, and no more.
  private func frame(at address: UInt64, base: UInt64) -> CrashFrame {
    guard base != 0, address >= base, address - base < executable.bytes else {
      return CrashFrame(address: address)
    }
    return CrashFrame(address: address, file: executable.path, offset: address - base)
  }

  private var missing: [String] {
    var missing: [String] = []
    switch exit.reason {
    case .crashed, .aborted:
      if lastWords == nil {
        missing.append(
          executable.isBundle
            ? "no backtrace: no handler, which executables without ForsettiModuleKit do not have"
            : "no backtrace: its handler wrote nothing")
      }
    case .violation(let violation):
      if violation.number < 0 {
        missing.append("the call: the kernel ends a process for it without saying which")
      } else if let blindness = calls?.blindness, blindness != 0 {
        missing.append(
          "its memory, so the path of a call and the place of its code: \(ErrnoName.text(blindness)); "
            + "a supervisor with CAP_SYS_PTRACE may look")
      }
    default: break
    }
    if usage == nil { missing.append("its usage: the kernel did not say") }
    return missing
  }
}
