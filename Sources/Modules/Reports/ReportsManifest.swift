internal import ForsettiModuleKit

/// The manifest of Reports, the same as in `Resources/ForsettiManifests/ForsettiReportsModule.json`.
enum ReportsManifest {
  static var manifest: ModuleManifest {
    ModuleManifest(
      moduleID: "com.forsetti.jamfpro.feature.reports",
      displayName: "Reports",
      moduleVersion: SemVer(major: 3, minor: 32, patch: 1),
      moduleType: .service,
      supportedPlatforms: [.iOS, .macOS, .linux],
      minForsettiVersion: SemVer(major: 0, minor: 1, patch: 4),
      capabilitiesRequested: [.api, .storage, .diagnostics, .fileExport],
      entryPoint: "ForsettiReportsModule",
      runtimeRequirements: RuntimeRequirements(
        io: [
          IORequirement(
            "reports-api", .api, .read, required: true,
            description: "Reads the fleet; changes nothing."),
          IORequirement(
            "reports-storage", .storage, .readWrite, required: true,
            description: "Keeps saved report definitions."),
          IORequirement(
            "reports-diagnostics", .diagnostics, .emit, required: true,
            description: "Reports snapshots that are incomplete, and why."),
          IORequirement(
            "reports-export", .fileExport, .write, required: true,
            description: "Writes reports as CSV, JSON, Markdown and HTML."),
        ],
        dataIsolation: DataIsolation(ownedStoreIDs: ["forsetti-reports"])))
  }
}
