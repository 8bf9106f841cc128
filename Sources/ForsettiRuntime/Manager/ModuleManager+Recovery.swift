import ForsettiCore

extension ModuleManager {
  /// A module ended unasked: its history decides whether it is started again, and when. One module's budget never
  /// touches another's.
  /// - Parameter left: what is to be told of this end; `nil` where that is done, or there is nothing.
  func recover(_ id: String, from exit: ModuleExit, left: Remains?, uptimeMilliseconds: Int64) async {
    guard let module = catalog[id], isDesired(id) else {
      startWaiting(for: id)
      return report(left, uptimeMilliseconds: uptimeMilliseconds, next: .staysDown(.notDesired))
    }
    let policy = self.policy.restart(for: id, origin: module.origin)
    // Known since before it was started.
    var history = histories[id] ?? RestartHistory()
    let decision = history.decide(
      exit.reason, policy: policy, uptimeMilliseconds: uptimeMilliseconds, now: environment.wallClock(),
      draw: environment.jitter())
    report(
      left, uptimeMilliseconds: uptimeMilliseconds, history: history, next: CrashSequel(decision))
    // Kept here too: a disk that is full must not forgive a crash loop.
    histories[id] = history
    do throws(StoreError) { try await environment.store.saveRestartHistory(history, moduleID: id) } catch {
      environment.logger.warning("its restart history can't be saved: \(error)", moduleID: id)
    }
    // While that was saved it may have been started, stopped for good, or the runtime be going down.
    guard !active.contains(id) else { return await release(id) }
    guard isDesired(id), !isShuttingDown else { return startWaiting(for: id) }
    if case .restart = decision {
      environment.broker?.meters[id].counts.restarts[exit.reason.kind, default: 0] += 1
    }
    carryOut(decision, for: id)
  }

  private func carryOut(_ decision: RestartHistory.Decision, for id: String) {
    switch decision {
    case .stayDown:
      environment.logger.info("stays down, as its restart policy says", moduleID: id)
      startWaiting(for: id)
    case .quarantine(let cause):
      let failure = ModuleManagerError.quarantined(moduleID: id, cause: cause)
      noteFailure(id, failure)
      auditQuarantine(id, cause)
      environment.logger.error("is quarantined: \(cause); \(failure.wayOut)", moduleID: id)
      startWaiting(for: id)
    case .restart(let milliseconds, let attempt):
      environment.logger.warning("is started again in \(milliseconds) ms (attempt \(attempt))", moduleID: id)
      let timer = environment.clock.schedule(after: .milliseconds(milliseconds)) { [weak self] in
        guard let self else { return }
        setRestart(nil, of: id)
        Reactor.task { await self.restart(id) }
      }
      setRestart(timer, of: id)
    }
  }

  /// Activates a desired module. A process that ends on the way comes back like any other; whatever else is in the way
  /// waits for its own cause.
  func bringBack(_ id: String) async throws(ModuleManagerError) {
    do throws(ModuleManagerError) { try await activate(id, saving: .registration) } catch {
      noteFailedStart(of: id, error)
      throw error
    }
  }

  /// Says why a desired module did not start; where its process ended on the way, what follows is up to its history.
  func noteFailedStart(of id: String, _ error: ModuleManagerError) {
    guard !isShuttingDown else { return }
    noteFailure(id, error)
    guard let exit = error.exit else {
      reportFailedStart(of: id)
      // There is no further try: nobody should wait for one.
      return startWaiting(for: id)
    }
    let left = failedStarts.removeValue(forKey: id)
    Reactor.task { await self.recover(id, from: exit, left: left, uptimeMilliseconds: 0) }
  }

  /// What follows where a person's order to start a module failed. The order took the place of a restart that may have
  /// waited, so one that is desired comes back like any other.
  func noteFailedOrder(of moduleID: String, _ error: ModuleManagerError) {
    guard let id = catalog[moduleID]?.manifest.moduleID else { return }
    guard comesBack(id), !active.contains(id) else { return startWaiting(for: id) }
    noteFailedStart(of: id, error)
  }

  /// Whether a module that does not run is started again without a person's word.
  func comesBack(_ id: String) -> Bool { isDesired(id) && quarantine(of: id) == nil }

  /// Whether a module is meant to run: by the policy's word at the first boot, or a person's since.
  public func isDesired(_ id: String) -> Bool {
    desired.enabledServiceModuleIDs.contains(id) || desired.enabledUIModuleIDs.contains(id)
  }
}

extension ModuleManagerError {
  /// How the process ended, where that is what went wrong.
  var exit: ModuleExit? {
    switch self {
    case .crashedDuringStart(_, let exit): exit
    case .startTimedOut(_, let phase, _):
      ModuleExit(status: .signalled(9), reason: .timedOut(phase))
    case .sandboxFailed(_, let step, let errno):
      ModuleExit(status: .exited(code: 77), reason: .sandboxFailed(step: step, errno: errno))
    // No descriptor, process or memory to be had: that passes, or it does not; either way it is one more end.
    case .hostUnavailable: ModuleExit(status: .exited(code: 69), reason: .exitedEarly(code: 69))
    // Its start threw: it said so, and left.
    case .startFailed: ModuleExit(status: .exited(code: 70), reason: .exitedEarly(code: 70))
    default: nil
    }
  }
}
