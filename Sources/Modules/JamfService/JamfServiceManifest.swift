internal import ForsettiModuleKit

/// The manifest of Jamf Service, the same as in `Resources/ForsettiManifests/ForsettiJamfServiceModule.json`.
enum JamfServiceManifest {
  static var manifest: ModuleManifest {
    ModuleManifest(
      moduleID: "com.forsetti.jamfpro.service.jamf",
      displayName: "Jamf Service",
      moduleVersion: SemVer(major: 1, minor: 0, patch: 0),
      moduleType: .service,
      supportedPlatforms: [.iOS, .macOS, .linux],
      minForsettiVersion: SemVer(major: 0, minor: 1, patch: 4),
      capabilitiesRequested: [.networking, .secureStorage, .api, .diagnostics],
      entryPoint: "ForsettiJamfServiceModule",
      defaultModuleRole: .api,
      runtimeRequirements: RuntimeRequirements(
        io: [
          IORequirement(
            "jamf-api-network", .networking, .readWrite, required: true,
            description:
              "Speaks to the Jamf Pro server, for itself and for every caller of the api role."),
          IORequirement(
            "jamf-secure-credentials", .secureStorage, .readWrite, required: true,
            description: "Keeps the server address and the credentials, sealed."),
          IORequirement(
            "jamf-diagnostics", .diagnostics, .emit, required: true,
            description:
              "Reports failed and repeated requests and changes of the connection, without their contents."
          ),
        ],
        dataIsolation: DataIsolation(
          ownedStoreIDs: ["forsetti-jamf-service"], requiredDefaultRoles: [.api])))
  }
}
