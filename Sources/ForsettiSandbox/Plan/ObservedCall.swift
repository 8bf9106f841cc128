public import ForsettiCore

/// A system call as somebody saw it made: what a plan's rules are held against outside the kernel.
public struct ObservedCall: Sendable, Hashable {
  /// Number of the call in the native table.
  public var number: Int32
  /// The registers.
  public var arguments: SeccompNotification.Arguments
  /// The process that made it; `nil` where nobody knows, then no condition on the caller itself holds.
  public var processID: Int32?
  /// The thread that made it.
  public var thread: Int32?
  /// What its path argument pointed to, unescaped; `nil` where it has none or nobody read it.
  public var path: String?

  /// Makes a call.
  public init(
    number: Int32, arguments: SeccompNotification.Arguments = .init(), processID: Int32? = nil,
    thread: Int32? = nil, path: String? = nil
  ) {
    self.number = number
    self.arguments = arguments
    self.processID = processID
    self.thread = thread
    self.path = path
  }

  /// A call that waits for an answer.
  public init(_ call: SeccompNotification, processID: Int32, path: String? = nil) {
    self.init(
      number: call.number, arguments: call.arguments, processID: processID, thread: call.thread, path: path)
  }

  /// A recorded violation, as far as the record goes: it doesn't say who made it.
  public init(_ violation: Violation) {
    self.init(
      number: violation.number, arguments: .init(violation.arguments), path: violation.path)
  }

  /// The kernel's name of the call.
  public var name: String { SyscallNames.name(of: number) }
}

extension ArgumentCondition {
  /// Whether a call fulfils it, judged by the words of the condition, not by the masks that a filter is made of: a test
  /// holds both to each other. A condition of memory holds only for a path that was read.
  func holds(for call: ObservedCall) -> Bool {
    let register = call.arguments[argument]
    let word = UInt32(truncatingIfNeeded: register)
    return switch test {
    case .equals(let value): register == value
    case .onlyBits(let bits): register & ~bits == 0
    case .word(let range): range.contains(word)
    case .wordHasBits(let bits): word & bits == bits
    case .ownProcess: Int32(bitPattern: word) == call.processID
    case .ownThread: Int32(bitPattern: word) == call.thread
    case .path, .pathBelow: call.path.map(matches) ?? false
    }
  }

  /// Whether it is of a string in the caller's memory. A rule has at most one such condition.
  var isOfMemory: Bool {
    switch test {
    case .path, .pathBelow: true
    default: false
    }
  }

  /// Byte for byte: two strings that Swift calls equal may be two paths.
  func matches(_ path: String) -> Bool {
    switch test {
    case .path(let expected): path.utf8.elementsEqual(expected.utf8)
    case .pathBelow(let folder): path.utf8.starts(with: folder.utf8)
    default: false
    }
  }
}

extension SyscallRule {
  /// Whether a call is of this form.
  func admits(_ call: ObservedCall) -> Bool {
    SyscallNames.number(of: name) == call.number && conditions.allSatisfy { $0.holds(for: call) }
  }
}

extension SandboxPlan {
  /// What becomes of a call, and by which rule.
  public enum Judgement: Sendable, Hashable {
    /// The kernel carries it out without asking.
    case kernel(SyscallRule)
    /// The supervisor answers it.
    case served(ServedRule)
    /// It is outside the plan, and let through because the module is audited.
    case audited(SyscallRule)
    /// It ends the process.
    case violation
  }

  /// What becomes of a call by this plan. The plan's own words, not the filter's: a test holds both to each other.
  public func judgement(of call: ObservedCall) -> Judgement {
    if let rule = kernel.first(where: { $0.admits(call) }) { return .kernel(rule) }
    if let rule = served.first(where: { $0.call.admits(call) }) { return .served(rule) }
    if let rule = audited.first(where: { $0.admits(call) }) { return .audited(rule) }
    return .violation
  }

  /// Whether a module makes this call by right: the kernel carries it out, or the supervisor answers it.
  public func allows(_ call: ObservedCall) -> Bool {
    switch judgement(of: call) {
    case .kernel, .served: true
    case .audited, .violation: false
    }
  }
}
