import ForsettiCore
import ForsettiLockdown
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

/// The lock of this product: Landlock, seccomp and what goes with them.
struct KernelLock: ProcessLock {
  func apply(_ request: LockdownRequest) throws(LockRefusal) -> LockedProcess {
    do {
      let result = try Lockdown.apply(request)
      return LockedProcess(listener: result.listener, landlockABI: result.landlockABI)
    } catch {
      throw LockRefusal(step: error.step, errno: error.errno)
    }
  }

  func finish(listener: Int32) throws(LockRefusal) {
    do { try Lockdown.finish(listener: listener) } catch {
      throw LockRefusal(step: error.step, errno: error.errno)
    }
  }

  func execute(_ executable: Int32) throws(LockRefusal) -> Never {
    do { try Lockdown.execute(executable) } catch {
      throw LockRefusal(step: error.step, errno: error.errno)
    }
  }
}
