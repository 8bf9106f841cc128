/// Whom a service works for, as the supervisor knows it; nothing in it comes from the call.
public struct ServiceCaller: Sendable, Hashable {
  /// The module's manifest as registered.
  public var manifest: ModuleManifest
  /// Where its code comes from; data is bound to ID and origin.
  public var origin: ModuleOrigin
  /// What it was granted.
  public var grants: Set<Capability>

  /// Makes a caller.
  public init(manifest: ModuleManifest, origin: ModuleOrigin, grants: Set<Capability>) {
    self.manifest = manifest
    self.origin = origin
    self.grants = grants
  }

  /// The module's ID.
  public var moduleID: String { manifest.moduleID }
}
