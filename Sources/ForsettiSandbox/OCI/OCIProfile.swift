public import ForsettiCore

/// A seccomp profile as container tools take it: `linux.seccomp` of the OCI runtime specification, 1.0 and later.
public struct OCIProfile: Sendable, Hashable {
  /// What becomes of a call.
  public enum Action: String, Sendable, Hashable {
    case allow = "SCMP_ACT_ALLOW"
    case errno = "SCMP_ACT_ERRNO"
    case killProcess = "SCMP_ACT_KILL_PROCESS"
  }

  /// How a register is compared.
  public struct Argument: Sendable, Hashable {
    /// The register, 0 to 5.
    public var index: Int
    /// The bits that count.
    public var mask: UInt64
    /// What they must be.
    public var value: UInt64
  }

  /// Calls and what becomes of them. Several entries for a call are alternatives.
  public struct Entry: Sendable, Hashable {
    /// Kernel names.
    public var names: [String]
    /// What becomes of them.
    public var action: Action
    /// The error number of `Action.errno`.
    public var errno: Int32?
    /// All of these must hold.
    public var arguments: [Argument]
    /// What it is for.
    public var comment: String
  }

  /// What becomes of any other call.
  public var defaultAction: Action
  /// Entries in order.
  public var entries: [Entry]

  /// The profile as its file has it.
  public var jsonValue: JSONValue {
    .object([
      ("defaultAction", .string(defaultAction.rawValue)),
      ("architectures", .strings(["SCMP_ARCH_X86_64"])),
      ("syscalls", .array(entries.map(Self.json))),
    ])
  }

  private static func json(_ entry: Entry) -> JSONValue {
    .object(omittingAbsent: [
      ("names", .strings(entry.names)), ("action", .string(entry.action.rawValue)),
      ("errnoRet", entry.errno.map { .integer($0) }),
      ("args", entry.arguments.isEmpty ? nil : .array(entry.arguments.map(json))),
      ("comment", .string(entry.comment)),
    ])
  }

  /// In the specification a masked compare has the mask as its value, and the datum as its second.
  private static func json(_ argument: Argument) -> JSONValue {
    let isWhole = argument.mask == .max
    return .object([
      ("index", .integer(argument.index)), ("value", .integer(isWhole ? argument.value : argument.mask)),
      ("valueTwo", .integer(isWhole ? 0 : argument.value)),
      ("op", .string(isWhole ? "SCMP_CMP_EQ" : "SCMP_CMP_MASKED_EQ")),
    ])
  }
}
