/// One allowed form of a system call, and why. Several rules of one name are alternatives.
public struct SyscallRule: Sendable, Hashable {
  /// Kernel name of the call.
  public var name: String
  /// All of these must hold; none: any arguments.
  public var conditions: [ArgumentCondition]
  /// Why a module needs it.
  public var reason: String

  /// Makes a rule.
  public init(_ name: String, _ conditions: [ArgumentCondition] = [], because reason: String) {
    self.name = name
    self.conditions = conditions
    self.reason = reason
  }
}

/// One form of a system call that the filter hands to the supervisor, the answer it gets, and why.
public struct ServedRule: Sendable, Hashable {
  /// The call and its conditions.
  public var call: SyscallRule
  /// What the caller gets.
  public var answer: Answer

  /// The answers a rule can give, a closed set.
  public enum Answer: Sendable, Hashable {
    /// The kernel carries the call out.
    case `continue`
    /// The kernel carries the call out from the exec of a third party's executable until that has described itself.
    case continueInStart
    /// The call fails with this error number.
    case errno(Int32)
    /// A read-only descriptor of this path, opened by the supervisor, becomes the call's result.
    case descriptor(of: ConstantPath)
    /// The kernel carries the call out, once, as this step of the set-up.
    case setUp(SetUpStep)
  }

  /// Makes a rule.
  public init(
    _ name: String, _ conditions: [ArgumentCondition] = [], answer: Answer, because reason: String
  ) {
    self.call = SyscallRule(name, conditions, because: reason)
    self.answer = answer
  }
}

/// The paths the supervisor opens for a module: constants of its own, never the module's string.
public enum ConstantPath: String, Sendable, Hashable, CaseIterable {
  case urandom = "/dev/urandom"
}

/// The steps a child takes after its filter is on, in this order, each once. A plan has the first of them, or all.
public enum SetUpStep: String, Sendable, Hashable, CaseIterable {
  /// prctl(PR_SET_DUMPABLE, 0) of the host.
  case notDumpable = "not_dumpable"
  /// execveat(2) of a third party's sealed executable.
  case execute
  /// The same prctl of that executable, whose exec made the process dumpable again. It may leave it out.
  case executableNotDumpable = "executable_not_dumpable"
}

extension ServedRule.Answer {
  /// The answer as people read it.
  public var text: String {
    switch self {
    case .continue: "continued"
    case .continueInStart: "continued until it has described itself"
    case .errno(let number): "fails with \(ErrorNames.name(of: number))"
    case .descriptor(let path): "descriptor of \(path.rawValue)"
    case .setUp(.executableNotDumpable): "continued once, after the exec"
    case .setUp: "continued once, in set-up"
    }
  }
}
