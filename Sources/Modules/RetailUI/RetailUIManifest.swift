internal import ForsettiModuleKit

/// The manifest of Forsetti Retail UI, the same as in `Resources/ForsettiManifests/ForsettiRetailUIModule.json`.
enum RetailUIManifest {
  static var manifest: ModuleManifest {
    ModuleManifest(
      moduleID: "com.forsetti.jamfpro.retail.ui",
      displayName: "Forsetti Retail UI",
      moduleVersion: SemVer(major: 3, minor: 32, patch: 1),
      moduleType: .ui,
      supportedPlatforms: [.iOS, .macOS, .linux],
      minForsettiVersion: SemVer(major: 0, minor: 1, patch: 4),
      capabilitiesRequested: [
        .routingOverlay, .uiThemeMask, .toolbarItems, .viewInjection, .fileExport, .diagnostics,
      ],
      entryPoint: "ForsettiRetailUIModule",
      defaultModuleRole: .ui,
      runtimeRequirements: RuntimeRequirements(
        io: [
          IORequirement(
            "ui-file-export", .fileExport, .write, required: true,
            description: "Exports what a view shows, from the toolbar."),
          IORequirement(
            "ui-recent-errors", .diagnostics, .consume, required: false,
            description: "Shows recent errors at home and in the diagnostics drawer."),
        ],
        ui: UIRequirements(
          controlSchemeID: "forsetti-retail-command-center",
          layoutID: "dashboard-responsive-shell",
          themeIDs: [
            "obsidian-data-stream", "dashboard-dark",
          ],
          viewIDs: [
            "dashboard.home", "settings", "diagnostics", "about", "computer-search", "mobile-device-search",
            "support-technician", "prestage-director", "reports", "deployment-tracker", "permissions-matrix",
          ],
          slotIDs: [
            "main", "toolbar", "diagnostics-drawer", "settings-sheet",
          ],
          toolbarItemIDs: [
            "settings", "diagnostics", "refresh", "export",
          ],
          routeIDs: [
            "home", "settings", "diagnostics", "about", "computer-search", "mobile-device-search",
            "support-technician", "prestage-director", "reports", "deployment-tracker", "permissions-matrix",
          ]),
        dataIsolation: DataIsolation(ownedStoreIDs: ["forsetti-retail-ui"])))
  }
}
