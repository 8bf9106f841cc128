internal import ForsettiModuleKit

/// The manifest of Example UI, the same as in `Resources/ExampleManifests/ExampleUIModule.json`.
enum ExampleUIManifest {
  static var manifest: ModuleManifest {
    ModuleManifest(
      moduleID: "com.forsetti.example.ui",
      displayName: "Example UI",
      moduleVersion: SemVer(major: 1, minor: 0, patch: 0),
      moduleType: .ui,
      supportedPlatforms: [.iOS, .macOS, .linux],
      minForsettiVersion: SemVer(major: 0, minor: 1, patch: 4),
      capabilitiesRequested: [.toolbarItems, .viewInjection, .routingOverlay],
      iapProductID: "com.forsetti.iap.example-ui",
      entryPoint: "ExampleUIModule",
      defaultModuleRole: .ui,
      runtimeRequirements: RuntimeRequirements(
        ui: UIRequirements(
          controlSchemeID: "example-controls",
          layoutID: "example-workspace",
          viewIDs: ["example-workspace", "example-overlay", "example-service"],
          slotIDs: ["module.workspace", "overlay.main"],
          toolbarItemIDs: ["example-open", "example-greet"],
          routeIDs: ["example-overlay"],
          pointerIDs: ["example-home"]),
        dataIsolation: DataIsolation(ownedStoreIDs: ["example-ui"])))
  }
}
