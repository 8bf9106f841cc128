public import ForsettiModuleKit

/// The modules of `docs/writing-a-module.md`. They are in the host, but no shipped policy or manifest names them.
public enum ExampleModules {
  /// Adds both to a registry. Throws `duplicateEntryPoint` if one of them is taken.
  @MainActor
  public static func register(in registry: ModuleRegistry) throws(ModuleRegistryError) {
    try registry.register(entryPoint: "ExampleServiceModule") { ExampleServiceModule() }
    try registry.register(entryPoint: "ExampleUIModule") { ExampleUIModule() }
  }
}
