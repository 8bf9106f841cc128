import CSeccomp
import Glibc

/// Names and numbers of this machine's system calls, as libseccomp knows them.
public enum SyscallNames {
  /// The kernel's name of a call, or `syscall_N` for one newer than libseccomp.
  public static func name(of number: Int32) -> String {
    guard let text = seccomp_syscall_resolve_num_arch(UInt32(SCMP_ARCH_NATIVE), number) else {
      return "syscall_\(number)"
    }
    defer { free(text) }
    return String(cString: text)
  }

  /// The number of a call, `nil` for a name that this architecture does not have.
  public static func number(of name: String) -> Int32? {
    let number = seccomp_syscall_resolve_name_arch(UInt32(SCMP_ARCH_NATIVE), name)
    // Negative numbers are libseccomp's own, for calls of other architectures.
    return number >= 0 ? number : nil
  }

  /// Every call of this machine that libseccomp knows, by number. None has a number of four digits.
  public static let all: [String] = (Int32(0)..<1_000).compactMap { number in
    let name = name(of: number)
    return name.hasPrefix("syscall_") ? nil : name
  }
}
