internal import ForsettiModuleKit

/// The manifest of Mobile Device Search, the same as in `Resources/ForsettiManifests/ForsettiMobileDeviceSearchModule.json`.
enum MobileDeviceSearchManifest {
  static var manifest: ModuleManifest {
    ModuleManifest(
      moduleID: "com.forsetti.jamfpro.feature.mobile-device-search",
      displayName: "Mobile Device Search",
      moduleVersion: SemVer(major: 3, minor: 32, patch: 1),
      moduleType: .service,
      supportedPlatforms: [.iOS, .macOS, .linux],
      minForsettiVersion: SemVer(major: 0, minor: 1, patch: 4),
      capabilitiesRequested: [.api, .storage, .diagnostics, .fileExport],
      entryPoint: "ForsettiMobileDeviceSearchModule",
      runtimeRequirements: RuntimeRequirements(
        io: [
          IORequirement(
            "mobile-search-api", .api, .read, required: true,
            description: "Searches and reads mobile devices; changes nothing."),
          IORequirement(
            "mobile-search-profiles", .storage, .readWrite, required: true,
            description: "Keeps saved profiles and smart filters."),
          IORequirement(
            "mobile-search-diagnostics", .diagnostics, .emit, required: true,
            description: "Reports searches that failed or fell back to an older API version."),
          IORequirement(
            "mobile-search-export", .fileExport, .write, required: false,
            description: "Shares chosen records as Markdown."),
        ],
        dataIsolation: DataIsolation(ownedStoreIDs: ["forsetti-mobile-device-search"])))
  }
}
