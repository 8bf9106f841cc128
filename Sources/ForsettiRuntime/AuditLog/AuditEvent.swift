/// A decision that is kept: something was granted, denied, accepted, ended or changed.
public struct AuditEvent: Sendable, Hashable {
  /// What kind of decision it was.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A module became active, with these grants.
    case granted
    /// A module, a call, an event or an operator was refused; of a module's calls the first of a kind for each process.
    case denied
    /// A person accepted a changed or first registration.
    case accepted
    /// The registration of a module was saved.
    case registered
    /// A product of a module is locked now, and the module stops.
    case locked
    /// A module's process ended unasked, or had to be killed.
    case ended
    /// A module is not started again by itself.
    case quarantined
    /// A quarantine was ended by a person.
    case released
    /// A bundle was installed, or removed.
    case installed, removed
    /// An operator changed something by the control socket, or a reload took effect.
    case changed
    /// The supervisor began, or shut down.
    case started, stopped
    /// A secret was handed to a module, which took or refused it. What it is, nobody is told.
    case entrusted
    /// Events before this one could not be written: how many.
    case lost
    /// The last line was cut off in the middle, by a crash or a full disk; so many bytes of it were taken away.
    case repaired
  }

  /// What kind of decision it was.
  public var kind: Kind
  /// The module that it is about.
  public var moduleID: String?
  /// Who decided: `supervisor`, or `operator:UID`.
  public var actor: String
  /// Further facts; texts are cut to the bounds of a log line.
  public var details: [String: String]

  /// Makes an event.
  public init(
    _ kind: Kind, moduleID: String? = nil, actor: String = "supervisor", details: [String: String] = [:]
  ) {
    self.kind = kind
    self.moduleID = moduleID
    self.actor = actor
    self.details = details
  }
}

/// Where decisions are kept. Called from any thread, in the order of the decisions; it never blocks.
public protocol AuditRecorder: Sendable {
  /// Keeps one decision.
  func record(_ event: AuditEvent)
}

/// Keeps nothing, where there is no state folder to keep it in.
public struct NoAudit: AuditRecorder {
  /// Makes one.
  public init() {}

  /// Forgets it.
  public func record(_ event: AuditEvent) {}
}
