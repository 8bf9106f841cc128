public import ForsettiCore

/// One way to harm a supervisor or the modules beside: what a module tries, and exactly what must come of it. The table
/// of them, `HostileSuite`, is what the tests and `crash-test` both go by.
public struct HostileCase: Sendable, Hashable {
  /// When the module does it.
  public enum Moment: String, Sendable, Hashable {
    /// In its `start`, while it is activated.
    case start
    /// When it is active and is told to.
    case trigger
    /// As `trigger`; then it is asked to stop, and does not heed it.
    case stop
    /// In its `start`, after somebody has changed its bundle's executable in place.
    case tampered
  }

  /// The program of cases that are bundles of a third party.
  public static let probe = "forsetti-hostile-probe"

  /// What becomes of the module afterwards.
  public enum Aftermath: String, Sendable, Hashable {
    /// It is started again, within its budget.
    case restarted
    /// It is not started again by itself.
    case quarantined
    /// It runs on, for all it tried came to nothing.
    case running
    /// It is not active, and nobody starts it.
    case down
  }

  /// Its name in tables: `read-etc-passwd`.
  public let name: String
  /// What it tries, to follow "It".
  public let attempt: String
  /// The program of the hostile host that does it.
  public let program: String
  /// When it does it.
  public let moment: Moment
  /// What must come of it.
  public let expected: HostileOutcome
  /// The services its manifest declares; nothing else is granted to it.
  public let needs: [IORequirement]
  /// The role its manifest declares, which the policy gives to another.
  public let role: DefaultModuleRole?
  /// What standard error must carry where the runtime says why it ends.
  public let lastWords: String?

  /// Makes a case.
  public init(
    _ name: String, _ attempt: String, program: String, at moment: Moment = .trigger,
    _ expected: HostileOutcome, needs: [IORequirement] = [], role: DefaultModuleRole? = nil,
    lastWords: String? = nil
  ) {
    self.name = name
    self.attempt = attempt
    self.program = program
    self.moment = moment
    self.expected = expected
    self.needs = needs
    self.role = role
    self.lastWords = lastWords
  }

  /// Whether it runs as a bundle of a third party, in an executable of its own.
  public var isBundle: Bool { program == Self.probe }

  /// What must become of the module, as its restart policy has it.
  public var aftermath: Aftermath {
    switch (expected, moment) {
    case (.survives, _): .running
    case (.refused, _), (.ends, .start), (.ends, .stop), (.ends, .tampered): .down
    case (.ends(let cause), .trigger): cause.isQuarantined ? .quarantined : .restarted
    }
  }
}
