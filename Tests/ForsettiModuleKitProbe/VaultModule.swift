import ForsettiModuleKit

/// Takes an account, and says of it what a careless module would.
@MainActor
final class VaultModule: ForsettiSecretReceiver {
  let manifest: ModuleManifest
  private var context: ForsettiContext?

  init() {
    manifest = ModuleManifest(
      moduleID: "com.example.vault", displayName: "Vault",
      moduleVersion: SemVer(major: 1, minor: 0, patch: 0), moduleType: .service, supportedPlatforms: [.linux],
      minForsettiVersion: SemVer(major: 0, minor: 1, patch: 0), capabilitiesRequested: [],
      entryPoint: "Vault")
  }

  func start(context: ForsettiContext) async throws { self.context = context }
  func stop(context: ForsettiContext) async {}

  func receiveSecret(_ secretID: String, values: [String: String]) async throws {
    guard ["account", "key"].contains(secretID) else { throw ServiceError.notFound(secretID) }
    let password = values["password"] ?? ""
    if password.hasPrefix("wrong") {
      throw ServiceError.failed(code: "credentials", message: "the server takes no \(password)")
    }
    if password.hasPrefix("fatal") { fatalError("as it was told") }
    context?.logger.info("took \(secretID) of \(values["user"] ?? "nobody"), \(password.utf8.count) bytes")
  }
}
