import ForsettiCore

// From one deployment to another with modules running. New processes start beside the old ones, out of sight; then all
// change places in one step, which can't fail; then the old ones leave. Before that step anything may fail, and what was
// started is stopped again.
extension ModuleManager {
  /// What a reload would do now, once everything that can be checked without a process has been.
  func planReload(to next: Deployment) async throws(ReloadFailure) -> ReloadPlan {
    let plan = ReloadPlan(from: deployment, to: next, states: states)
    _ = try await admitAll(of: plan, by: adopted(next))
    return plan
  }

  /// Goes over to another deployment.
  /// - Parameter adopt: called in the step in which everything changes.
  func reload(
    to next: Deployment, adopt: @ReactorActor () -> Void = {}
  ) async throws(ReloadFailure) -> ReloadOutcome {
    // No module's operation runs meanwhile: each finds either everything as it was, or everything new.
    let ids = (catalog.manifests + next.catalog.manifests).map(\.manifest.moduleID) + active.ids
    let done = try await operations.withLock(Set(ids + [Self.exclusiveUI])) {
      () async throws(ReloadFailure) in
      guard !isShuttingDown else { throw .notReady }
      let plan = ReloadPlan(from: deployment, to: next, states: states)
      let next = adopted(next)
      let admissions: [(LoadedManifest, Admission)]
      do throws(ReloadFailure) { admissions = try await admitAll(of: plan, by: next) } catch {
        auditRefusal(of: error)
        throw error
      }
      let started = try await startAll(admissions, by: next)
      let change = switchOver(to: next, by: plan, started)
      environment.launcher.keepPrograms(of: next.catalog)
      adopt()
      return change
    }
    for task in done.leaving { await task.value }
    return ReloadOutcome(plan: done.plan, failures: await startAgain(done.plan))
  }

  /// What was changed, and the ends of those that leave.
  private struct Change {
    let plan: ReloadPlan
    var leaving: [Task<Void, Never>] = []
  }

  private var states: [String: ModuleStatus.State] {
    Dictionary(moduleIDs.map { ($0, state(of: $0) ?? .failed) }) { first, _ in first }
  }

  /// A deployment without what waits for the next start.
  private func adopted(_ next: Deployment) -> Deployment {
    Deployment(policy: next.policy.keepingStartSettings(of: policy), catalog: next.catalog)
  }

  // MARK: Before the change

  /// The gates of every module that gets a new process; all that are shut are told together.
  private func admitAll(
    of plan: ReloadPlan, by next: Deployment
  ) async throws(ReloadFailure) -> [(LoadedManifest, Admission)] {
    var refusals = next.catalog.duplicateEntryPoints
    for module in plan.modules where module.step == .stop {
      guard case .refused(let reason)? = module.changes.first else { continue }
      refusals.append(.bundleRefused(moduleID: module.moduleID, reason: reason))
    }
    let replaced = plan.moduleIDs(.replace, .replaceAtOnce)
    let manifests = Dictionary(next.catalog.manifests.map { ($0.manifest.moduleID, $0.manifest) }) { $1 }
    var admissions: [(LoadedManifest, Admission)] = []
    // Providers before those that require them, or as the policy says.
    for id in next.policy.activationOrder(of: replaced, manifests: manifests) {
      guard let module = next.catalog[id] else { continue }
      do throws(ModuleManagerError) { admissions.append((module, try await admit(module, by: next))) } catch {
        refusals.append(error)
      }
    }
    guard refusals.isEmpty else { throw .refused(refusals) }
    return admissions
  }

  /// Starts a process for each, out of sight of the others, and saves what is new of their registrations.
  private func startAll(
    _ admissions: [(LoadedManifest, Admission)], by next: Deployment
  ) async throws(ReloadFailure) -> [StartedModule] {
    environment.broker?.prepare(policy: next.policy, providers: next.providers)
    var started: [StartedModule] = []
    do throws(ModuleManagerError) {
      for (module, admission) in admissions {
        started.append(try await start(module, admission, by: next))
      }
      for ready in started where ready.module.instance.process == nil {
        throw .crashedDuringStart(
          moduleID: ready.module.module.manifest.moduleID, exit: await ready.module.instance.stop())
      }
      try await save(records: started.compactMap(\.record)) { _ in }
    } catch {
      environment.broker?.callOff()
      for ready in started {
        let (instance, module) = (ready.module.instance, ready.module.module)
        let left = noteEnd(of: instance, module, by: next.policy, await instance.stop())
        launching[module.manifest.moduleID] = nil
        report(left, next: .staysDown(.activationFailed))
      }
      if started.count < admissions.count {
        let id = admissions[started.count].0.manifest.moduleID
        auditRefusal(id, error)
        reportFailedStart(of: id)
      }
      throw .failed(error)
    }
    return started
  }

  // MARK: The change

  /// Everything changes at once: nothing else runs on the reactor meanwhile.
  private func switchOver(to next: Deployment, by plan: ReloadPlan, _ started: [StartedModule]) -> Change {
    var change = Change(plan: plan)
    let sessions = environment.broker?.carryOut() ?? [:]
    let patience = Dictionary(
      plan.modules.map { ($0.moduleID, $0.step == .replace ? policy.deadlines(for: $0.moduleID).stop : 0) }
    ) { $1 }
    deployment = next
    reloads += 1
    auditReload(plan)
    for ready in started {
      let id = ready.module.module.manifest.moduleID
      let old = active[id]
      active[id] = ready.module
      launching[id] = nil
      failures[id] = nil
      setRestart(nil, of: id)
      if let contributions = ready.contributions { environment.surface.present(contributions, of: id) }
      environment.logger.info("is replaced by a reload", moduleID: id)
      auditGrants(ready.module.module, registered: ready.record)
      announce(.replaced, id)
      if let old {
        change.leaving.append(leave(old, sessions[id.lowercased()], .milliseconds(patience[id] ?? 0)))
      }
      // It may have ended while the state was saved: then it comes back like any other.
      guard ready.module.instance.process == nil else { continue }
      Reactor.task {
        self.ended(id, ready.module.order, await ready.module.instance.stop())
      }
    }
    for module in plan.modules where module.step == .stop {
      guard let old = active[module.moduleID] else { continue }
      active[module.moduleID] = nil
      environment.surface.remove(module.moduleID)
      let reason = reason(of: module)
      auditRefusal(module.moduleID, reason)
      failures[module.moduleID] = isDesired(module.moduleID) ? reason : nil
      change.leaving.append(leave(old, nil, .zero))
    }
    return change
  }

  private func reason(of module: ReloadPlan.Module) -> ModuleManagerError {
    guard let found = catalog[module.moduleID] else { return .moduleNotDiscovered(moduleID: module.moduleID) }
    return .incompatible(deployment.report(on: found))
  }

  /// Lets a process end what it was asked, and stops it.
  private func leave(
    _ module: ActiveModule, _ session: ModuleSession?, _ patience: Duration
  ) -> Task<Void, Never> {
    // From here on a shutdown knows it as one that is being stopped.
    retiring[module.order] = module
    return Reactor.task {
      if patience > .zero { await session?.drained(within: patience) }
      _ = await self.retire(module)
    }
  }

  // MARK: After it

  /// Tries what is desired and did not run; what still fails is told of and stays desired.
  private func startAgain(_ plan: ReloadPlan) async -> [ModuleManagerError] {
    var left: [ModuleManagerError] = []
    for id in policy.activationOrder(of: plan.moduleIDs(.start), manifests: manifestsByID) {
      guard !isShuttingDown else { break }
      do throws(ModuleManagerError) { try await bringBack(id) } catch { left.append(error) }
    }
    return left
  }
}
