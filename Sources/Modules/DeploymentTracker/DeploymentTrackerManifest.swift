internal import ForsettiModuleKit

/// The manifest of Deployment Tracker Demo, the same as in `Resources/ForsettiManifests/ForsettiDeploymentTrackerModule.json`.
enum DeploymentTrackerManifest {
  static var manifest: ModuleManifest {
    ModuleManifest(
      moduleID: "com.forsetti.jamfpro.feature.deployment-tracker",
      displayName: "Deployment Tracker Demo",
      moduleVersion: SemVer(major: 3, minor: 32, patch: 1),
      moduleType: .service,
      supportedPlatforms: [.iOS, .macOS, .linux],
      minForsettiVersion: SemVer(major: 0, minor: 1, patch: 4),
      capabilitiesRequested: [.storage, .diagnostics, .fileExport, .cryptoUtilities],
      entryPoint: "ForsettiDeploymentTrackerModule",
      runtimeRequirements: RuntimeRequirements(
        io: [
          IORequirement(
            "deployment-demo-storage", .storage, .readWrite, required: true,
            description: "Keeps the demo data and its audit trail."),
          IORequirement(
            "deployment-demo-diagnostics", .diagnostics, .emit, required: true,
            description: "Reports refused transitions."),
          IORequirement(
            "deployment-demo-export", .fileExport, .write, required: false,
            description: "Writes the preload file, the service-desk file and the records package."),
        ],
        dataIsolation: DataIsolation(ownedStoreIDs: ["forsetti-deployment-tracker"])))
  }
}
