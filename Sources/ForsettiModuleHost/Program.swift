import ForsettiCore
import ForsettiKernelLock
import ForsettiModuleKit
import ForsettiModules

/// One module in a locked process of one thread. Everything it must know comes by frame.
@main enum Program {
  @MainActor
  static func main() {
    ModuleHost.run(lock: KernelLock(), registry: registry)
  }

  @MainActor
  private static func registry() throws(ModuleRegistryError) -> ModuleRegistry {
    let registry = try ShippedModules.registry()
    try ExampleModules.register(in: registry)
    return registry
  }
}
