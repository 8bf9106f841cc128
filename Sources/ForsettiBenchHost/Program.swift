import CLinux
import ForsettiBenchSet
import ForsettiCore
import ForsettiKernelLock
import ForsettiModuleKit

/// The module host of the measurements: the product's own lock, and the bench's modules.
@main enum Program {
  @MainActor
  static func main() {
    // A module is told nothing by argument or environment, but the kernel says by which path it was started.
    let path = UnsafePointer<CChar>(bitPattern: getauxval(UInt(AT_EXECFN))).map { String(cString: $0) } ?? ""
    ModuleHost.run(lock: KernelLock()) {
      let registry = ModuleRegistry()
      let isLarge = path.hasSuffix(BenchModule.manySuffix) || path.hasSuffix(BenchModule.standInSuffix)
      for module in BenchModule.all(many: isLarge) {
        try registry.register(entryPoint: module.entryPoint) { make(module) }
      }
      return registry
    }
  }

  @MainActor
  private static func make(_ module: BenchModule) -> any ForsettiModule {
    switch module {
    case .resting: RestingModule()
    case .idle: IdleModule(module)
    case .caller: CallerModule()
    case .provider: ProviderModule()
    case .publisher: PublisherModule()
    case .subscriber: SubscriberModule(module)
    case .pacer: PacerModule()
    }
  }
}
