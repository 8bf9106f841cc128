/// Where a module's code comes from. A grant names the origin it is for; an ID alone earns nothing (SPEC §2).
public enum ModuleOrigin: Sendable, Hashable {
  /// An entry point of the host executable itself.
  case builtIn
  /// A third party's executable: SHA-256 in lower-case hex, and the minisign public key that signed it, if any.
  case bundle(sha256: String, key: String?)
}

/// The place in a policy file that decided something.
public struct PolicySource: Sendable, Hashable {
  /// Last component of the policy's path.
  public var file: String
  /// Line of the deciding word, 1-based; 0 for a policy made in code.
  public var line: Int
  /// Column of the deciding word, 1-based, in Unicode scalars.
  public var column: Int
  /// The module ID pattern of the deciding rule, as written.
  public var pattern: String

  /// Makes a source.
  public init(file: String, line: Int, column: Int, pattern: String) {
    self.file = file
    self.line = line
    self.column = column
    self.pattern = pattern
  }

  /// `FILE:LINE:COLUMN "PATTERN"`, as editors and compilers name a place.
  public var text: String {
    line > 0 ? "\(file):\(line):\(column) \"\(pattern)\"" : "\(file) \"\(pattern)\""
  }
}

/// A policy's word on one capability of one module, with all that `explain` shows of it.
public struct PolicyDecision: Sendable, Hashable {
  /// What follows for the module.
  public enum Verdict: String, Sendable, Hashable, CaseIterable {
    /// The module gets the capability.
    case granted
    /// Denied, but the policy marks it optional for this module: it runs without it.
    case leftOut
    /// Denied: the module is incompatible.
    case denied
  }

  /// The capability asked about.
  public var capability: Capability
  /// The outcome.
  public var verdict: Verdict
  /// The deciding entry; `nil` where nothing is said, which denies.
  public var source: PolicySource?
  /// One line for people: why.
  public var reason: String

  /// Makes a decision.
  public init(capability: Capability, verdict: Verdict, source: PolicySource? = nil, reason: String) {
    self.capability = capability
    self.verdict = verdict
    self.source = source
    self.reason = reason
  }
}

/// What a policy gives one module of what its manifest asks, in the manifest's order.
public struct PolicyGrants: Sendable, Hashable {
  /// One decision for each requested capability.
  public var decisions: [PolicyDecision]

  /// Makes grants.
  public init(decisions: [PolicyDecision]) { self.decisions = decisions }

  /// What the module runs with.
  public var granted: [Capability] { capabilities(.granted) }
  /// Denied, and marked optional: the module runs without them and is told.
  public var leftOut: [Capability] { capabilities(.leftOut) }
  /// Denied: with any of these the module doesn't run.
  public var denied: [Capability] { capabilities(.denied) }

  private func capabilities(_ verdict: PolicyDecision.Verdict) -> [Capability] {
    decisions.filter { $0.verdict == verdict }.map(\.capability)
  }
}
