import ForsettiCore

extension ModuleManager {
  /// The key that restarts of several modules share: two of them would stop what the other has just started.
  private static let together = "restart of several"

  /// Starts a module again whose backoff is over, with all that its strategy takes along. Whoever is stopped for it spends
  /// nothing of its own budget.
  func restart(_ id: String) async {
    guard !active.contains(id), isDesired(id), !isShuttingDown, let module = catalog[id] else {
      return startWaiting(for: id)
    }
    let strategy = policy.restart(for: id, origin: module.origin).strategy
    guard strategy != .one else { return await restartAlone(id) }
    await operations.withLock([Self.together]) { () async in
      // Asked again here: a restart of several that came first may have brought it back.
      guard !active.contains(id), isDesired(id), !isShuttingDown else { return startWaiting(for: id) }
      let plan = restartPlan(of: id, strategy)
      for other in plan.stops {
        await suspend(other, because: .waitingForModule(moduleID: other, other: id))
      }
      waiting[id, default: []] += plan.after
      for other in plan.before { await startAgain(other) }
      await restartAlone(id)
    }
  }

  /// Starts whoever waits for a module: it is active, or will not be so by itself.
  func startWaiting(for id: String) {
    guard let others = waiting.removeValue(forKey: id), !isShuttingDown else { return }
    Reactor.task {
      for other in others { await self.startAgain(other) }
    }
  }

  private func restartAlone(_ id: String) async {
    do throws(ModuleManagerError) { try await bringBack(id) } catch {
      environment.logger.error("could not be started again: \(error.message)", moduleID: id)
      return
    }
    // It is active, or a person has stopped it meanwhile: nobody should wait for it.
    startWaiting(for: id)
  }

  private func startAgain(_ other: String) async {
    guard !active.contains(other), isDesired(other) else { return }
    do throws(ModuleManagerError) { try await bringBack(other) } catch {
      environment.logger.error("could not be started again: \(error.message)", moduleID: other)
    }
  }

  private func restartPlan(of id: String, _ strategy: RestartPolicy.Strategy) -> RestartPlan {
    let running = activeModuleIDs
    let manifests = catalog.manifests.map(\.manifest)
    return RestartPlan(
      of: id, strategy: strategy, active: running,
      order: policy.activationOrder(of: running + [id], manifests: manifestsByID)
    ) { providers.consumers(of: $0, among: manifests) }
  }
}
