internal import ForsettiModuleKit

/// The manifest of PreStage Director, the same as in `Resources/ForsettiManifests/ForsettiPrestageDirectorModule.json`.
enum PrestageDirectorManifest {
  static var manifest: ModuleManifest {
    ModuleManifest(
      moduleID: "com.forsetti.jamfpro.feature.prestage-director",
      displayName: "PreStage Director",
      moduleVersion: SemVer(major: 3, minor: 32, patch: 1),
      moduleType: .service,
      supportedPlatforms: [.iOS, .macOS, .linux],
      minForsettiVersion: SemVer(major: 0, minor: 1, patch: 4),
      capabilitiesRequested: [.api, .storage, .diagnostics, .fileExport],
      entryPoint: "ForsettiPrestageDirectorModule",
      runtimeRequirements: RuntimeRequirements(
        io: [
          IORequirement(
            "prestage-api", .api, .execute, required: true,
            description: "Reads PreStages and changes their scopes."),
          IORequirement(
            "prestage-journal", .storage, .readWrite, required: true,
            description:
              "Keeps the steps of a move under way, so that it can be finished or rolled back after a crash."),
          IORequirement(
            "prestage-diagnostics", .diagnostics, .emit, required: true,
            description: "Reports each change of a scope and each rollback."),
          IORequirement(
            "prestage-export", .fileExport, .write, required: false,
            description: "Shares assigned devices as Markdown."),
        ],
        dataIsolation: DataIsolation(ownedStoreIDs: ["forsetti-prestage-director"])))
  }
}
