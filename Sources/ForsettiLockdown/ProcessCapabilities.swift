import CLinux

/// Capabilities of a process (capabilities(7)), a bit each.
public struct ProcessCapabilities: OptionSet, Sendable, Hashable {
  /// A bit each.
  public let rawValue: UInt64
  /// Makes a set of these bits.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// CAP_KILL: send signals to processes of others.
  public static let kill = ProcessCapabilities(rawValue: 1 << 5)
  /// CAP_SETGID: take any group.
  public static let setGroupID = ProcessCapabilities(rawValue: 1 << 6)
  /// CAP_SETUID: take any user.
  public static let setUserID = ProcessCapabilities(rawValue: 1 << 7)
  /// CAP_SYS_PTRACE: look into processes of others.
  public static let trace = ProcessCapabilities(rawValue: 1 << 19)

  /// Those of the calling thread that are in effect; `nil` where the kernel does not say.
  static var effective: ProcessCapabilities? {
    UInt64(exactly: cl_effective_capabilities()).map { ProcessCapabilities(rawValue: $0) }
  }

  /// CAP_* as the manual writes them, in the order of their numbers; one that has no name here is a number.
  public var names: [String] {
    (0..<64).filter { rawValue & (1 << $0) != 0 }.map { number in
      switch ProcessCapabilities(rawValue: 1 << number) {
      case .kill: "KILL"
      case .setGroupID: "SETGID"
      case .setUserID: "SETUID"
      case .trace: "SYS_PTRACE"
      default: "\(number)"
      }
    }
  }
}
