@_exported public import ForsettiCore

/// A module (seed "Modules"): an identity, a manifest, and a life between `start` and `stop`.
///
/// A module process has one thread and the main actor owns the module, so its state needs no locks. Work that
/// goes on after `start` belongs into tasks; a synchronous loop holds up the whole process.
@MainActor
public protocol ForsettiModule {
  /// Runtime identity; compared with the manifest on disk before `start`.
  var descriptor: ModuleDescriptor { get }
  /// The activation contract; every field is compared with the manifest on disk before `start`.
  var manifest: ModuleManifest { get }

  /// Begins work. Throwing refuses activation; the error's text reaches whoever activates.
  /// The task is cancelled when the module is asked to stop before this returns.
  func start(context: ForsettiContext) async throws

  /// Ends work. Called once, and only after a `start` that returned; the process ends after it.
  func stop(context: ForsettiContext) async
}

extension ForsettiModule {
  /// The identity part of the manifest.
  public var descriptor: ModuleDescriptor { manifest.descriptor }
}

/// A module that contributes to the host's surface.
@MainActor
public protocol ForsettiUIModule: ForsettiModule {
  /// What it contributes; read once, before `start`.
  var uiContributions: UIContributions { get }
}

/// A module that carries the primary application UI.
@MainActor
public protocol ForsettiAppModule: ForsettiUIModule {}
