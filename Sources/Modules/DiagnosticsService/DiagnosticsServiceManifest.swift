internal import ForsettiModuleKit

/// The manifest of Diagnostics Service, the same as in `Resources/ForsettiManifests/ForsettiDiagnosticsServiceModule.json`.
enum DiagnosticsServiceManifest {
  static var manifest: ModuleManifest {
    ModuleManifest(
      moduleID: "com.forsetti.jamfpro.service.diagnostics",
      displayName: "Diagnostics Service",
      moduleVersion: SemVer(major: 1, minor: 0, patch: 0),
      moduleType: .service,
      supportedPlatforms: [.iOS, .macOS, .linux],
      minForsettiVersion: SemVer(major: 0, minor: 1, patch: 4),
      capabilitiesRequested: [.diagnostics, .storage, .fileExport],
      entryPoint: "ForsettiDiagnosticsServiceModule",
      defaultModuleRole: .diagnostics,
      runtimeRequirements: RuntimeRequirements(
        io: [
          IORequirement(
            "diagnostics-storage", .storage, .readWrite, required: true,
            description: "Keeps events past a restart, pruned."),
          IORequirement(
            "diagnostics-export", .fileExport, .write, required: true,
            description: "Exports events as JSON and Markdown."),
        ],
        dataIsolation: DataIsolation(
          ownedStoreIDs: ["forsetti-diagnostics-service"], requiredDefaultRoles: [.diagnostics])))
  }
}
