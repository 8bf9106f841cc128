internal import ForsettiModuleKit

/// The manifest of Computer Search, the same as in `Resources/ForsettiManifests/ForsettiComputerSearchModule.json`.
enum ComputerSearchManifest {
  static var manifest: ModuleManifest {
    ModuleManifest(
      moduleID: "com.forsetti.jamfpro.feature.computer-search",
      displayName: "Computer Search",
      moduleVersion: SemVer(major: 3, minor: 32, patch: 1),
      moduleType: .service,
      supportedPlatforms: [.iOS, .macOS, .linux],
      minForsettiVersion: SemVer(major: 0, minor: 1, patch: 4),
      capabilitiesRequested: [.api, .storage, .diagnostics, .fileExport],
      entryPoint: "ForsettiComputerSearchModule",
      runtimeRequirements: RuntimeRequirements(
        io: [
          IORequirement(
            "computer-search-api", .api, .read, required: true,
            description: "Searches and reads computers; changes nothing."),
          IORequirement(
            "computer-search-profiles", .storage, .readWrite, required: true,
            description: "Keeps saved profiles and smart filters."),
          IORequirement(
            "computer-search-diagnostics", .diagnostics, .emit, required: true,
            description: "Reports searches that failed or fell back to an older API version."),
          IORequirement(
            "computer-search-export", .fileExport, .write, required: false,
            description: "Shares chosen records as Markdown."),
        ],
        dataIsolation: DataIsolation(ownedStoreIDs: ["forsetti-computer-search"])))
  }
}
