internal import ForsettiModuleKit

/// The manifest of Scanner Service, the same as in `Resources/ForsettiManifests/ForsettiScannerServiceModule.json`.
enum ScannerServiceManifest {
  static var manifest: ModuleManifest {
    ModuleManifest(
      moduleID: "com.forsetti.jamfpro.service.scanner",
      displayName: "Scanner Service",
      moduleVersion: SemVer(major: 1, minor: 0, patch: 0),
      moduleType: .service,
      supportedPlatforms: [.iOS, .macOS, .linux],
      minForsettiVersion: SemVer(major: 0, minor: 1, patch: 4),
      capabilitiesRequested: [.storage, .diagnostics],
      entryPoint: "ForsettiScannerServiceModule",
      runtimeRequirements: RuntimeRequirements(
        io: [
          IORequirement(
            "scanner-history", .storage, .readWrite, required: false,
            description: "Keeps the latest scans past a restart; without it the history lives in memory."),
          IORequirement(
            "scanner-diagnostics", .diagnostics, .emit, required: true,
            description: "Reports scans that were refused, by symbology and cause."),
        ],
        dataIsolation: DataIsolation(ownedStoreIDs: ["forsetti-scanner-service"])))
  }
}
