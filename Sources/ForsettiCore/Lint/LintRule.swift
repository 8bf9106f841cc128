/// What a policy may say and yet deserves a second look. Raw values are the IDs that reports show (docs/lint.md).
public enum LintRule: String, Sendable, Hashable, CaseIterable {
  case wideGrant = "wide-grant"
  case powerfulGrant = "powerful-grant"
  case unlimitedAPI = "unlimited-api"
  case directGrant = "direct-grant"
  case missingLayer = "missing-layer"
  case auditAllowed = "audit-allowed"
  case noHeartbeat = "no-heartbeat"
  case quarantineForgotten = "quarantine-forgotten"
  case unlimitedProcessor = "unlimited-processor"
  case plainHTTP = "plain-http"
  case wideHost = "wide-host"
  case privateAddresses = "private-addresses"
  case writingMethods = "writing-methods"
  case anyEvent = "any-event"
  case anyMessage = "any-message"
  case everythingUnlocked = "everything-unlocked"
  case driftAccepted = "drift-accepted"
  case unreviewedBundles = "unreviewed-bundles"
  case sharedControl = "shared-control"
  case standsIn = "stands-in"
  case telemetryInClear = "telemetry-in-clear"
  case ruleWithoutModule = "rule-without-module"
  case unaskedGrant = "unasked-grant"

  /// How much a finding of the rule weighs.
  public enum Level: String, Sendable, Hashable {
    /// Somebody has to say why: a `reason` by it, or around it.
    case error
    /// Worth to know. No reason is asked for.
    case note
  }

  /// How much it weighs.
  public var level: Level {
    switch self {
    case .ruleWithoutModule, .unaskedGrant: .note
    default: .error
    }
  }

  /// What it is about, in one sentence.
  public var summary: String {
    switch self {
    case .wideGrant: "A pattern grants capabilities to modules that nobody has named."
    case .powerfulGrant: "A module may reach the network or keep secrets."
    case .unlimitedAPI: "A module may ask anything of the provider of api."
    case .directGrant: "System calls reach the kernel itself instead of the supervisor."
    case .missingLayer: "Modules run even where a layer of the sandbox cannot be applied."
    case .auditAllowed: "run --audit may let calls outside a module's sandbox through."
    case .noHeartbeat: "A module that is lost in a loop is not noticed."
    case .quarantineForgotten: "A module that was quarantined runs again when the supervisor starts."
    case .unlimitedProcessor: "Code of a third party may use a processor for ever."
    case .plainHTTP: "What is sent and received can be read and changed on its way."
    case .wideHost: "Every name below a domain may be reached."
    case .privateAddresses: "Machines of the inner network may be reached."
    case .writingMethods: "A module may change things on a server."
    case .anyEvent: "A module may publish or hear events of every type."
    case .anyMessage: "Messages pass between modules that nobody has named."
    case .everythingUnlocked: "Every product counts as bought."
    case .driftAccepted: "A module that has changed runs without anybody having looked at it."
    case .unreviewedBundles: "A signed bundle is registered without anybody having looked at it."
    case .sharedControl: "Others than root and the supervisor's own user may change what runs."
    case .standsIn: "Modules written for another platform are run."
    case .telemetryInClear: "The events of modules, or what they call, cross a network unencrypted."
    case .ruleWithoutModule: "No manifest is one that the rule is for."
    case .unaskedGrant: "A capability is granted that the module does not ask for."
    }
  }
}

/// A place in a policy that a lint rule is about.
public struct LintFinding: Sendable, Hashable {
  /// The rule.
  public var rule: LintRule
  /// Where in the text.
  public var place: PolicyPlace
  /// RFC 6901 pointer to the value.
  public var pointer: String
  /// What it says there, and the way out.
  public var message: String
  /// What the policy says it is for; `nil` where nobody has said.
  public var reason: String?

  /// Whether somebody has to act: it needs a reason, and has none.
  public var isOpen: Bool { rule.level == .error && reason == nil }
}
