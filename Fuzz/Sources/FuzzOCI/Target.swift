import ForsettiCore
import ForsettiSandbox
import FuzzDriver
import Glibc

/// A seccomp profile of container tools: a fault with its place, or an import in which each call has one place at most.
@main enum Target {
  /// Kernels older and newer than any that a profile asks for.
  private static let kernels = ["0.0", "9999.0"].compactMap(KernelVersion.init)

  static func main() {
    exit(
      fuzz { start, count in
        let bytes = Array(UnsafeBufferPointer.input(start, count))
        do throws(JSONFault) {
          let profile = try OCIProfileDecoder.decode(bytes)
          for kernel in Target.kernels { Target.check(OCIImport(profile, on: kernel)) }
        } catch {
          precondition(error.line > 0 && error.column > 0, "a fault has no place")
        }
        return 0
      })
  }

  private static func check(_ found: OCIImport) {
    let placed =
      found.same + found.narrowed.map(\.name) + found.answered.map(\.name) + found.refused.map(\.name)
    precondition(Set(placed).count == placed.count, "a call has two places")
    precondition(
      found.grants.allSatisfy { $0.isProposed == found.proposed.contains($0.grant) },
      "a grant is proposed that gives more than the profile")
    precondition(
      found.unknown.allSatisfy { SyscallNames.number(of: $0) == nil }, "a call is told of as none")
  }
}
