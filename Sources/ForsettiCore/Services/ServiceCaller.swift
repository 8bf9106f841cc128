/// Whom a service works for, as the supervisor knows it; nothing in it comes from the call.
public struct ServiceCaller: Sendable, Hashable {
  /// The module's manifest as registered.
  public var manifest: ModuleManifest
  /// Where its code comes from; data is bound to ID and origin.
  public var origin: ModuleOrigin
  /// The origin under which its data is kept: its own, or one that a person let it take over.
  public var dataOrigin: String
  /// What it was granted.
  public var grants: Set<Capability>
  /// What the policy said to each capability that its manifest requests.
  public var decisions: [PolicyDecision] = []
  /// What it may reach by the networking service.
  public var networking = NetworkingRules()

  /// Makes a caller.
  /// - Parameter dataOrigin: as `ModuleOrigin.text` says it; `nil` is its own.
  public init(
    manifest: ModuleManifest, origin: ModuleOrigin, grants: Set<Capability>, dataOrigin: String? = nil
  ) {
    self.manifest = manifest
    self.origin = origin
    self.dataOrigin = dataOrigin ?? origin.text
    self.grants = grants
  }

  /// The module's ID.
  public var moduleID: String { manifest.moduleID }
}
