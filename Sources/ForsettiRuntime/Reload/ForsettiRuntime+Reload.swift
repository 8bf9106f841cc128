public import ForsettiCore

extension ForsettiRuntime {
  /// What a reload by this policy would do: manifests and bundles are read anew, and nothing is changed.
  public func planReload(by policy: Policy) async throws(ReloadFailure) -> ReloadPlan {
    let (manager, next) = try await readAnew(by: policy)
    return try await manager.planReload(to: next)
  }

  /// Reads manifests and bundles anew and goes over to them and to this policy. Modules that nothing changes for are not
  /// touched. If anything fails, everything is as it was.
  public func reload(by policy: Policy) async throws(ReloadFailure) -> ReloadOutcome {
    guard let tracer = parts.broker?.tracer else { return try await reloadNow(by: policy) }
    return try await tracer.tell(OwnStep(name: "reload"), outcome: { _ in .failed }) {
      (_) async throws(ReloadFailure) in try await reloadNow(by: policy)
    }
  }

  private func reloadNow(by policy: Policy) async throws(ReloadFailure) -> ReloadOutcome {
    let (manager, next) = try await readAnew(by: policy)
    return try await manager.reload(to: next) {
      // A boot after a shutdown starts from it too.
      parts.policy = manager.policy
      // In the same step: what is not allowed any more is not let through until those that leave have left.
      if let refusal = parts.audit?.review(manager.catalog, manager.policy) {
        parts.logger.warning("the audit lets nothing through any more: \(refusal.message)", moduleID: nil)
      }
    }
  }

  /// Manifests and bundles as they are now, in the sight of a policy, and the manager to hold them against.
  func readAnew(by policy: Policy) async throws(ReloadFailure) -> (ModuleManager, Deployment) {
    guard let manager = moduleManager, !isShuttingDown else { throw .notReady }
    let catalog: ForsettiModuleCatalog
    do throws(ManifestLoaderError) { catalog = try await parts.discover(policy) } catch {
      throw .manifests(error)
    }
    return (manager, Deployment(policy: policy, catalog: catalog))
  }
}
