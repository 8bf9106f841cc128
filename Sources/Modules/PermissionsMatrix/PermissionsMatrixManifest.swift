internal import ForsettiModuleKit

/// The manifest of Permissions Helper, the same as in `Resources/ForsettiManifests/ForsettiPermissionsMatrixModule.json`.
enum PermissionsMatrixManifest {
  static var manifest: ModuleManifest {
    ModuleManifest(
      moduleID: "com.forsetti.jamfpro.feature.permissions-matrix",
      displayName: "Permissions Helper",
      moduleVersion: SemVer(major: 3, minor: 32, patch: 1),
      moduleType: .service,
      supportedPlatforms: [.iOS, .macOS, .linux],
      minForsettiVersion: SemVer(major: 0, minor: 1, patch: 4),
      capabilitiesRequested: [.api, .diagnostics, .fileExport],
      entryPoint: "ForsettiPermissionsMatrixModule",
      runtimeRequirements: RuntimeRequirements(
        io: [
          IORequirement(
            "permissions-live-check", .api, .read, required: false,
            description: "Reads the token's own privileges; without it the matrix works offline."),
          IORequirement(
            "permissions-diagnostics", .diagnostics, .emit, required: true,
            description: "Reports live checks that could not be made."),
          IORequirement(
            "permissions-export", .fileExport, .write, required: false,
            description: "Exports the matrix as CSV, JSON and Markdown."),
        ],
        dataIsolation: DataIsolation(ownedStoreIDs: ["forsetti-permissions-matrix"])))
  }
}
