public import ForsettiModuleKit
internal import Glibc

/// Keeps when it was last started, and tells whoever may hear it, and shows it in a view that the policy gives it. It runs
/// without either service, and keeps less.
public final class ExampleServiceModule: ForsettiRenderingModule {
  /// The same as in `Resources/ExampleManifests`.
  public let manifest = ExampleServiceManifest.manifest

  private static let store = "example-service"
  private static let key = "forsetti.example.service.lastStartedAt"
  /// When it was started, while it runs.
  private var startedAt: String?

  /// Makes the module, not started.
  public init() {}

  /// Starts once, however often it is called. The event follows only what is on the disk.
  public func start(context: ForsettiContext) async throws {
    guard startedAt == nil else { return }
    let now = Self.timeNow()
    if let storage = context.services.storage {
      try await storage.set(now, forKey: Self.key, in: Self.store)
      context.logger.info("kept the time of this start", metadata: ["startedAt": now])
    }
    startedAt = now
    await count("started", context)
    try await context.publishEvent(type: started, payload: ["moduleID": manifest.moduleID, "startedAt": now])
    context.logger.info("activated")
  }

  /// Forgets what `start` kept. A service that fails now must not keep the module from stopping.
  public func stop(context: ForsettiContext) async {
    guard startedAt != nil else { return }
    startedAt = nil
    do {
      try await context.services.storage?.removeValue(forKey: Self.key, in: Self.store)
      try await context.publishEvent(
        type: "\(manifest.moduleID).stopped", payload: ["moduleID": manifest.moduleID])
    } catch {
      context.logger.warning("stopped without all its farewells", error: error)
    }
    context.logger.info("stopped")
  }

  /// The view of another module's surface that a policy may give it: a service contributes none itself.
  public func render(viewID: String, parameters: [String: String]) async throws -> ViewNode {
    guard viewID == "example-service", let startedAt else { throw ServiceError.notFound(viewID) }
    let again = ToolbarAction.publishEvent(
      eventType: started, payload: ["moduleID": manifest.moduleID, "startedAt": startedAt])
    return .list([
      .keyValues([ViewKeyValue("Running since", .text(startedAt, style: .code))]),
      .button(title: "Say it again", action: again),
    ])
  }

  private var started: String { "\(manifest.moduleID).started" }

  /// Telemetry is nobody's reason not to start.
  private func count(_ event: String, _ context: ForsettiContext) async {
    do { try await context.services.telemetry?.track(event, properties: [:]) } catch {
      context.logger.debug("telemetry took nothing: \(error)")
    }
  }

  private static func timeNow() -> String {
    var time = timespec()
    // Read in the vDSO: no system call, hence none that the sandbox would have to allow.
    clock_gettime(CLOCK_REALTIME, &time)
    return timestampText(Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
