import ForsettiCore

/// What modules are held against at one time: the policy, what was discovered, and who provides what by both. It is
/// replaced as a whole.
struct Deployment: Sendable {
  let policy: Policy
  let catalog: ForsettiModuleCatalog
  let providers: ProviderDirectory

  init(policy: Policy, catalog: ForsettiModuleCatalog) {
    self.policy = policy
    self.catalog = catalog
    providers = catalog.providers(by: policy)
  }

  /// Whether a module of it can run on this host.
  func report(on module: LoadedManifest) -> CompatibilityReport { catalog.report(on: module, by: policy) }

  /// What the policy comes to for a module of it.
  func settings(of module: LoadedManifest) -> ModuleSettings {
    ModuleSettings(of: module.manifest, origin: module.origin, by: policy)
  }
}
