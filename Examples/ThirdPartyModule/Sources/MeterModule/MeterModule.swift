import ForsettiModuleKit

/// Counts how often it was started, and tells everyone who may hear it.
@MainActor
final class MeterModule: ForsettiModule {
  /// The same as manifest.json says, field for field.
  let manifest = ModuleManifest(
    schemaVersion: "1.1", manifestTemplateVersion: "1.1", moduleID: "com.example.meter", displayName: "Meter",
    moduleVersion: SemVer(major: 1, minor: 0, patch: 0), moduleType: .service, supportedPlatforms: [.linux],
    minForsettiVersion: SemVer(major: 0, minor: 2, patch: 0), capabilitiesRequested: [.storage],
    entryPoint: "MeterModule",
    runtimeRequirements: RuntimeRequirements(io: [
      IORequirement("readings", .storage, .readWrite, required: true)
    ]))

  func start(context: ForsettiContext) async throws {
    guard let storage = context.services.storage else { return }
    let before = try await storage.value(forKey: "starts", in: nil).flatMap { Int($0) } ?? 0
    let starts = String(before + 1)
    try await storage.set(starts, forKey: "starts", in: nil)
    try await context.publishEvent(type: "com.example.meter.started", payload: ["starts": starts])
    context.logger.info("started \(starts) times")
  }

  func stop(context: ForsettiContext) async {}
}

@main enum Program {
  @MainActor static func main() { ModuleMain.run { MeterModule() } }
}
