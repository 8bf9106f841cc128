/// Shared base class of simple modules (seed "Runtime Bootstrap"): starting and stopping are idempotent,
/// leave one info line each, and a start publishes `<moduleID>.started`.
///
/// Subclasses do their work in `activate` and `deactivate`.
@MainActor
open class ForsettiLifecycleModule: ForsettiModule {
  /// The manifest the module was made with.
  public let manifest: ModuleManifest
  /// Whether `start` was called and neither failed nor was followed by `stop`.
  public private(set) var isStarted = false

  /// Makes a module that is not started.
  public init(manifest: ModuleManifest) { self.manifest = manifest }

  /// Begins the module's own work. Throwing fails the start, after `deactivate` was called.
  open func activate(context: ForsettiContext) async throws {}

  /// Ends the module's own work; must tolerate an `activate` that threw half-way.
  open func deactivate(context: ForsettiContext) async {}

  /// Activates once, however often it is called.
  public final func start(context: ForsettiContext) async throws {
    guard !isStarted else { return }
    isStarted = true
    do {
      try await activate(context: context)
      try await context.publishEvent(type: "\(manifest.moduleID).started")
      context.logger.info("activated")
    } catch {
      await deactivate(context: context)
      isStarted = false
      throw error
    }
  }

  /// Deactivates once; nothing happens without a start before it.
  public final func stop(context: ForsettiContext) async {
    guard isStarted else { return }
    isStarted = false
    await deactivate(context: context)
    context.logger.info("stopped")
  }
}
