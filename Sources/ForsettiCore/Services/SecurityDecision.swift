/// What the policy decided of a capability of the asking module.
public struct SecurityDecision: Sendable, Hashable {
  /// Whether the module has it.
  public var isGranted: Bool
  /// One line.
  public var reason: String

  /// Makes a decision.
  public init(isGranted: Bool, reason: String) {
    self.isGranted = isGranted
    self.reason = reason
  }
}
