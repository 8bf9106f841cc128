import ForsettiCore

extension ModuleManager {
  /// Activates the policy's set in its order and makes it the desired state, in one transaction at the end.
  /// The first module that fails ends it; the caller rolls back.
  func activatePolicySet() async throws(ModuleManagerError) {
    var records: [ModuleRegistrationRecord] = []
    var state = ActivationState()
    let order = try policySet()
    for module in order {
      if let record = try await activate(module.manifest.moduleID, saving: .nothing) {
        records.append(record)
      }
      state.add(module.manifest)
    }
    // One that ended meanwhile is not desired yet, so nobody restarts it: the boot did not succeed.
    for module in order {
      let id = module.manifest.moduleID
      if !active.contains(id), let failure = failures[id] { throw failure }
    }
    try await save(records: records, completesFirstBoot: true) { $0 = state }
    // One that ended while this was saved is desired now, and comes back like any other.
    for module in order {
      let id = module.manifest.moduleID
      guard !active.contains(id), case .ended(_, let exit) = failures[id] else { continue }
      Reactor.task { await self.recover(id, from: exit, left: nil, uptimeMilliseconds: 0) }
    }
  }

  /// What the policy orders or selects and is refused as a bundle: a bad bundle fails alone, not the boot.
  var refusedOfPolicySet: [ModuleManagerError] {
    let named = policy.activationOrder + (policy.selectedUIModuleID.map { [$0] } ?? [])
    return named.compactMap { id in
      catalog.refusal(of: id).map { .bundleRefused(moduleID: id, reason: $0.reason) }
    }
  }

  /// The modules of a first boot: those the policy orders, then the rest; of UI and app modules the selected
  /// one alone, for they exclude each other.
  private func policySet() throws(ModuleManagerError) -> [LoadedManifest] {
    for id in policy.activationOrder + (policy.selectedUIModuleID.map { [$0] } ?? [])
    where catalog[id] == nil && catalog.refusal(of: id) == nil {
      throw .moduleNotDiscovered(moduleID: id)
    }
    if let id = policy.selectedUIModuleID, catalog[id]?.manifest.moduleType == .service {
      throw .notUIModule(moduleID: id)
    }
    let manifests = manifestsByID
    let order = policy.activationOrder(
      of: manifests.keys, manifests: manifests
    ).compactMap { catalog[$0] }
    let selected =
      policy.selectedUIModuleID.flatMap { catalog[$0] }
      ?? order.first { $0.manifest.moduleType != .service }
    return order.filter {
      $0.manifest.moduleType == .service || $0.manifest.moduleID == selected?.manifest.moduleID
    }
  }

  /// Restores desired state through the whole activation path: services in the policy's order, then the selected
  /// UI module. What fails is reported, stays desired, and holds up nobody.
  func restore() async -> [ModuleManagerError] {
    let services = policy.activationOrder(
      of: desired.enabledServiceModuleIDs.sorted(), manifests: manifestsByID)
    let ui = desired.selectedUIModuleID ?? desired.enabledUIModuleIDs.min()
    var failures: [ModuleManagerError] = []
    for id in services + (ui.map { [$0] } ?? []) {
      do { try await bringBack(id) } catch {
        if isShuttingDown { break }
        failures.append(error)
        environment.logger.warning("is not restored and stays desired: \(error.message)", moduleID: id)
      }
    }
    return failures
  }

  /// Asks for each active module whether it is still unlocked, and starts what was locked and no longer is.
  /// Desired state does not change: a product that is bought again finds its module as it was.
  func reconcileEntitlements() async {
    for id in activeModuleIDs {
      guard let module = catalog[id], await !isUnlocked(module) else { continue }
      environment.logger.warning("is locked now and stops; it starts again when unlocked", moduleID: id)
      auditLock(module)
      await suspend(id, because: .moduleLocked(moduleID: id, productID: module.manifest.iapProductID))
    }
    for (id, failure) in failures.sorted(by: { $0.key < $1.key }) {
      guard case .moduleLocked = failure, let module = catalog[id], await isUnlocked(module) else { continue }
      do { try await bringBack(id) } catch {
        environment.logger.warning("is unlocked but did not start: \(error.message)", moduleID: id)
      }
    }
  }

  var manifestsByID: [String: ModuleManifest] {
    Dictionary(catalog.manifests.map { ($0.manifest.moduleID, $0.manifest) }) { first, _ in first }
  }

  /// Whether a module needs no product, or has it.
  public func isUnlocked(_ module: LoadedManifest) async -> Bool {
    guard let product = module.manifest.iapProductID else { return true }
    return await environment.entitlements.isUnlocked(
      moduleID: module.manifest.moduleID, productID: product)
  }
}
