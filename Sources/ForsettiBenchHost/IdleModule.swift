import ForsettiBenchSet
import ForsettiModuleKit

/// Started, and waiting for nothing but its end.
struct IdleModule: ForsettiModule {
  let manifest: ModuleManifest

  init(_ module: BenchModule) { manifest = module.manifest }

  func start(context: ForsettiContext) async throws {}
  func stop(context: ForsettiContext) async {}
}
