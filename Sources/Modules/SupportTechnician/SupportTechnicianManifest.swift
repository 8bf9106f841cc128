internal import ForsettiModuleKit

/// The manifest of Support Technician, the same as in `Resources/ForsettiManifests/ForsettiSupportTechnicianModule.json`.
enum SupportTechnicianManifest {
  static var manifest: ModuleManifest {
    ModuleManifest(
      moduleID: "com.forsetti.jamfpro.feature.support-technician",
      displayName: "Support Technician",
      moduleVersion: SemVer(major: 3, minor: 32, patch: 1),
      moduleType: .service,
      supportedPlatforms: [.iOS, .macOS, .linux],
      minForsettiVersion: SemVer(major: 0, minor: 1, patch: 4),
      capabilitiesRequested: [.api, .storage, .diagnostics, .fileExport],
      entryPoint: "ForsettiSupportTechnicianModule",
      runtimeRequirements: RuntimeRequirements(
        io: [
          IORequirement(
            "support-api", .api, .execute, required: true,
            description: "Searches both kinds of device and sends management commands."),
          IORequirement(
            "support-journal", .storage, .readWrite, required: true,
            description:
              "Keeps each order before it is sent, so that a crash leaves none that nobody knows of."
          ),
          IORequirement(
            "support-diagnostics", .diagnostics, .emit, required: true,
            description: "Reports each action and its outcome, without its secrets."),
          IORequirement(
            "support-export", .fileExport, .write, required: false,
            description: "Shares a device page as Markdown."),
        ],
        dataIsolation: DataIsolation(ownedStoreIDs: ["forsetti-support-technician"])))
  }
}
