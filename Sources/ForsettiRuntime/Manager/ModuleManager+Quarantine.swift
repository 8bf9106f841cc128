public import ForsettiCore

extension ModuleManager {
  /// Why a module is not started again by itself; `nil` when nothing holds it.
  func quarantine(of id: String) -> Quarantine? { histories[id]?.quarantine }

  /// Reads which modules an earlier supervisor left in quarantine. Called once, before anything is activated.
  func loadQuarantines() async throws(StoreError) {
    for stored in try await environment.store.quarantinedModuleIDs() {
      // What is not discovered can't run; it is in quarantine still when a reload brings it back.
      if let module = catalog[stored] { try await learnHistory(of: module) }
    }
  }

  /// Reads what an earlier supervisor left of a module's history, where that was not done yet, and lets the module out of
  /// quarantine where its policy says that a new start does.
  func learnHistory(of module: LoadedManifest) async throws(StoreError) {
    let id = module.manifest.moduleID
    guard histories[id] == nil else { return }
    let stored = try await environment.store.restartHistory(moduleID: id)
    // It may have been reset meanwhile, or have ended.
    guard histories[id] == nil else { return }
    histories[id] = stored
    if policy.restart(for: id, origin: module.origin).quarantineEnds == .supervisorStart {
      await release(id)
    }
  }

  /// Lets a module out of quarantine; its ends still count.
  func release(_ id: String) async {
    guard var history = histories[id], history.quarantine != nil else { return }
    history.release()
    histories[id] = history
    do throws(StoreError) { try await environment.store.saveRestartHistory(history, moduleID: id) } catch {
      environment.logger.warning("is out of quarantine, which can't be saved: \(error)", moduleID: id)
    }
  }

  /// Ends a module's quarantine and forgets its ends, because a person says that it is mended. A desired module that
  /// quarantine or backoff kept down is started at once.
  /// - Throws: `moduleNotDiscovered`; `storeFailed`, when nothing has changed; what kept it from starting, when the
  ///   reset has been made all the same.
  public func resetModule(moduleID: String) async throws(ModuleManagerError) {
    guard let module = catalog[moduleID] else { throw .moduleNotDiscovered(moduleID: moduleID) }
    let id = module.manifest.moduleID
    let wasHeld = try await operations.withLock([id]) { () async throws(ModuleManagerError) in
      do throws(StoreError) {
        try await environment.store.saveRestartHistory(RestartHistory(), moduleID: id)
      } catch { throw error.during("reset \(id)") }
      defer { histories[id] = RestartHistory() }
      if case .quarantined = failures[id] { noteFailure(id, nil) }
      return quarantine(of: id) != nil || restartTimers[id] != nil
    }
    environment.logger.info("is reset: its ends are forgotten", moduleID: id)
    auditRelease(id)
    if wasHeld, isDesired(id) { try await bringBack(id) }
  }
}
