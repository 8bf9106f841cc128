public import ForsettiModuleKit

/// The modules this product ships, by entry point (seed "Runtime Bootstrap").
public enum ShippedModules {
  /// A registry with all eleven. Throws `duplicateEntryPoint` if two of them claim one.
  @MainActor
  public static func registry() throws(ModuleRegistryError) -> ModuleRegistry {
    let registry = ModuleRegistry()
    try registry.register(entryPoint: "ForsettiJamfServiceModule") { ForsettiJamfServiceModule() }
    try registry.register(entryPoint: "ForsettiDiagnosticsServiceModule") {
      ForsettiDiagnosticsServiceModule()
    }
    try registry.register(entryPoint: "ForsettiScannerServiceModule") { ForsettiScannerServiceModule() }
    try registry.register(entryPoint: "ForsettiComputerSearchModule") { ForsettiComputerSearchModule() }
    try registry.register(entryPoint: "ForsettiMobileDeviceSearchModule") {
      ForsettiMobileDeviceSearchModule()
    }
    try registry.register(entryPoint: "ForsettiSupportTechnicianModule") { ForsettiSupportTechnicianModule() }
    try registry.register(entryPoint: "ForsettiPrestageDirectorModule") { ForsettiPrestageDirectorModule() }
    try registry.register(entryPoint: "ForsettiReportsModule") { ForsettiReportsModule() }
    try registry.register(entryPoint: "ForsettiDeploymentTrackerModule") { ForsettiDeploymentTrackerModule() }
    try registry.register(entryPoint: "ForsettiPermissionsMatrixModule") { ForsettiPermissionsMatrixModule() }
    try registry.register(entryPoint: "ForsettiRetailUIModule") { ForsettiRetailUIModule() }
    return registry
  }
}
