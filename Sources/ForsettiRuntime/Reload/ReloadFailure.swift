public import ForsettiCore

/// Why a reload did not happen. Everything is as it was before it.
public enum ReloadFailure: Error, Sendable, Hashable {
  /// Nothing runs that could be reloaded: the boot is under way, has failed, or everything is being stopped.
  case notReady
  /// Manifests could not be loaded.
  case manifests(ManifestLoaderError)
  /// What was read does not fit together, or modules that run would not come up by it.
  case refused([ModuleManagerError])
  /// A new process did not start, or state could not be saved; whatever had started beside it is stopped.
  case failed(ModuleManagerError)
}

/// What a reload did.
public struct ReloadOutcome: Sendable, Hashable {
  /// What it was to do.
  public var plan: ReloadPlan
  /// Modules that did not run before it, were tried again, and still do not.
  public var failures: [ModuleManagerError] = []
}
