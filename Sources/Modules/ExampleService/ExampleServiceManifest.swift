internal import ForsettiModuleKit

/// The manifest of Example Service, the same as in `Resources/ExampleManifests/ExampleServiceModule.json`.
enum ExampleServiceManifest {
  static var manifest: ModuleManifest {
    ModuleManifest(
      moduleID: "com.forsetti.example.service",
      displayName: "Example Service",
      moduleVersion: SemVer(major: 1, minor: 0, patch: 0),
      moduleType: .service,
      supportedPlatforms: [.iOS, .macOS, .linux],
      minForsettiVersion: SemVer(major: 0, minor: 1, patch: 4),
      capabilitiesRequested: [.storage, .telemetry],
      entryPoint: "ExampleServiceModule",
      runtimeRequirements: RuntimeRequirements(
        io: [
          IORequirement(
            "example-storage", .storage, .readWrite, required: false,
            description: "Keeps when it was last started."),
          IORequirement(
            "example-telemetry", .telemetry, .emit, required: false,
            description: "Counts its starts."),
        ],
        dataIsolation: DataIsolation(ownedStoreIDs: ["example-service"])))
  }
}
