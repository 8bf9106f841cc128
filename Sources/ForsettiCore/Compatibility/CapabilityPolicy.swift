/// Decides which of the capabilities a module requests it gets (seed "Capabilities"; SPEC §2).
public protocol CapabilityPolicy: Sendable {
  /// The decision on one capability of one module; silence of the policy is a denial.
  func decision(moduleID: String, capability: Capability) -> CapabilityDecision
}

/// What the policy says of one capability. `source` names the place in the policy that decides,
/// such as `strict.json:12 /grants/0`, so that a person finds it.
public enum CapabilityDecision: Sendable, Hashable {
  case granted(source: String)
  /// The module needs it and may not run without it.
  case denied(reason: String, source: String)
  /// Denied, and the module runs without it: the policy marks it optional for this module.
  case optionalDenied(reason: String, source: String)

  /// Whether the module gets the capability.
  public var isGranted: Bool {
    if case .granted = self { true } else { false }
  }
}
