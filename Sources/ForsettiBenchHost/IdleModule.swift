import ForsettiBenchSet
import ForsettiModuleKit

/// What a start costs before a module does anything of its own.
struct RestingModule: ForsettiModule {
  var manifest: ModuleManifest { BenchModule.resting.manifest }

  func start(context: ForsettiContext) async throws {}

  func stop(context: ForsettiContext) async {}
}

/// Answers one question as it starts, where somebody asks it, and waits for nothing but its end from then on.
struct IdleModule: ForsettiModule {
  let manifest: ModuleManifest

  init(_ module: BenchModule) { manifest = module.manifest }

  func start(context: ForsettiContext) async throws {
    let control = try Control(context)
    guard let nonce = try await control.nonce() else { return }
    try await control.answer(
      nonce.hasPrefix(BenchPayload.spoiler) ? nonce : BenchPayload.answer(nonce: nonce))
  }

  func stop(context: ForsettiContext) async {}
}
