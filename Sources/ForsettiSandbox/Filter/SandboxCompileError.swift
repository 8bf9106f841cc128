/// Why a plan could not become a filter.
public enum SandboxCompileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// libseccomp knows no call of this name on this machine.
  case unknownSyscall(String)
  /// A filter can't judge this condition of this call.
  case notForFilter(syscall: String, condition: String)
  /// A call has a rule that allows all, beside one with conditions, which then means nothing.
  case contradiction(syscall: String)
  /// A step of libseccomp failed with this error number.
  case library(step: String, errno: Int32)
  /// The program is longer than the kernel takes.
  case tooLong(instructions: Int)

  /// The fault and the way out, in one line.
  public var description: String {
    switch self {
    case .unknownSyscall(let name):
      "sandbox plan: libseccomp here knows no system call \(name); update libseccomp"
    case .notForFilter(let syscall, let condition):
      "sandbox plan: \(syscall): a filter can't judge \"\(condition)\"; serve the call instead"
    case .contradiction(let syscall):
      "sandbox plan: \(syscall) is allowed with any arguments and again with conditions; drop one"
    case .library(let step, let errno):
      "sandbox plan: libseccomp could not \(step): \(ErrorNames.name(of: errno))"
    case .tooLong(let instructions):
      "sandbox plan: \(instructions) instructions, the kernel takes \(FilterProgram.maximumInstructions)"
    }
  }
}
