import CLinux
import ForsettiLockdown
import Glibc

/// What this host can and cannot do for a sandbox, and the words for it.
struct KernelFacts: Equatable, Sendable {
  /// `uname -r`.
  var release: String
  /// 0 where the kernel has no Landlock, or it is switched off.
  var landlockABI: Int
  var isRoot: Bool
  /// What holds the supervisor itself, where it runs.
  var reduction: ReductionResult?

  /// Those of the running kernel.
  static func current(userID: UInt32) -> KernelFacts {
    var name = utsname()
    uname(&name)
    let release = withUnsafeBytes(of: name.release) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    return KernelFacts(release: release, landlockABI: max(0, Int(cl_landlock_abi())), isRoot: userID == 0)
  }

  /// Landlock's scopes for abstract sockets and signals came with ABI 6 (Linux 6.12).
  private var hasScopes: Bool { landlockABI >= 6 }

  /// Landlock's rights over TCP came with ABI 4 (Linux 6.7).
  private var hasTCP: Bool { landlockABI >= 4 }

  /// What holds each module, one line a layer, and at the end what holds the supervisor.
  /// - Parameters: the most calls that reach the kernel, and the most that the supervisor answers.
  func layers(kernelCalls: Int, servedCalls: Int) -> [String] {
    let user = isRoot ? "a user ID of its own" : "your user ID (run as root for one of its own)"
    let landlock =
      landlockABI > 0
      ? "Landlock ABI \(landlockABI): no file\(hasTCP ? ", no TCP port" : "")"
        + (hasScopes ? ", no socket or signal outside" : "")
      : "no Landlock: the policy lets it be missing"
    return [
      "one process, one thread, \(user), no new privileges, bounded memory, dies with the supervisor",
      landlock,
      "seccomp: \(kernelCalls) system calls reach the kernel, \(servedCalls) are answered here, any other kills it",
    ] + (reduction.map { [$0.text] } ?? [])
  }

  /// What is missing, one line each; empty on a new kernel as root.
  var missing: [String] {
    var lines: [String] = []
    if landlockABI == 0 {
      lines.append(
        "Landlock (Linux \(release) has none or it is off): nothing starts unless the policy allows it")
    } else if !hasScopes {
      lines.append(
        "Landlock scopes (Linux 6.12; this is \(release)): seccomp alone stands before abstract sockets and signals"
      )
    }
    if !isRoot { lines.append("a user ID for each module: only root can give it") }
    return lines
  }
}
