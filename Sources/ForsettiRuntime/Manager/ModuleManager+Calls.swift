public import ForsettiCore
import ForsettiIPC

/// What every module may hear of its neighbours, as events `forsetti.lifecycle.…` with the payload `moduleID`.
enum LifecycleEvent: String, CaseIterable {
  /// A module has become active.
  case activated
  /// A new process has taken the place of its old one.
  case replaced
  /// Somebody stopped it, and its process is gone.
  case deactivated
  /// It ended unasked.
  case ended
  /// A role has no provider until this module is active again; the payload names the `role` too.
  case providerLost = "provider_lost"
  /// A role has its provider again; the payload names the `role` too.
  case providerReturned = "provider_returned"

  /// The event's type.
  var type: String { "forsetti.lifecycle.\(rawValue)" }
}

// The host's own calls and events.
extension ModuleManager {
  func announce(_ event: LifecycleEvent, _ moduleID: String) {
    environment.broker?.publish(event.type, payload: ["moduleID": moduleID])
    announceRoles(of: moduleID, areProvided: event == .activated || event == .replaced)
  }

  /// Tells whoever listens, and so those that require it, of a role that has lost its provider or has it back. Their open
  /// calls have failed by then, and a call that is made before the return fails at once.
  private func announceRoles(of moduleID: String, areProvided: Bool) {
    for role in providers.roles(of: moduleID) {
      let isNews = areProvided ? lostRoles.remove(role) != nil : lostRoles.insert(role).inserted
      guard isNews else { continue }
      let event: LifecycleEvent = areProvided ? .providerReturned : .providerLost
      environment.broker?.publish(event.type, payload: ["moduleID": moduleID, "role": role.rawValue])
      let consumers = providers.consumers(of: moduleID, among: catalog.manifests.lazy.map(\.manifest))
      let state = areProvided ? "has its provider again" : "has no provider until it is active again"
      environment.logger.info(
        "\(role.rawValue) \(state); required by \(consumers.count) modules", moduleID: moduleID)
    }
  }

  /// Asks a module to draw one of its views (SPEC §6). What comes back is within the bounds of a view tree; the host
  /// escapes its texts.
  /// - Throws: `serviceUnavailable` when it is not active or draws nothing, `deadlineExceeded`, `moduleCrashed`,
  ///   `cancelled`, or what the module itself answers.
  public func render(
    viewID: String, parameters: [String: String] = [:], moduleID: String, timeoutMilliseconds: UInt32 = 5_000
  ) async throws(ServiceError) -> ViewNode {
    let broker = try broker(moduleID)
    let step = OwnStep(name: RuntimeMethods.render.info.name, provider: moduleID)
    return try await broker.told(step) { (trace) async throws(ServiceError) in
      try await broker.call(
        RuntimeMethods.render, RenderRequest(viewID: viewID, parameters: parameters), moduleID: moduleID,
        timeoutMilliseconds: timeoutMilliseconds, trace: trace)
    }
  }

  /// Asks a module whether its loop still turns.
  /// - Throws: as `render`.
  public func health(moduleID: String, timeoutMilliseconds: UInt32 = 1_000) async throws(ServiceError) {
    _ = try await broker(moduleID).call(
      RuntimeMethods.health, Nothing(), moduleID: moduleID, timeoutMilliseconds: timeoutMilliseconds)
  }

  private func broker(_ moduleID: String) throws(ServiceError) -> ModuleBroker {
    guard let broker = environment.broker else {
      throw .serviceUnavailable(role: moduleID, why: "this runtime carries no calls")
    }
    return broker
  }

  /// Does what a toolbar item asks, with its contributor's rights and no more: an event is published in the
  /// contributor's name if its policy lets it publish that type. Where the host is to navigate, the outcome says so.
  /// - Throws: `serviceDenied(policy)` for an event that the contributor may not publish.
  @discardableResult
  public func perform(
    _ item: UISurface.ToolbarItem, router: OverlayRouter
  ) throws(ServiceError) -> ToolbarOutcome {
    let outcome = router.perform(item, on: environment.surface.surface)
    if case .publish(let type, let payload, let moduleID) = outcome {
      try publish(type, payload: payload, inTheNameOf: moduleID)
    }
    return outcome
  }

  /// Publishes an event in the name of a module, as a toolbar item or a rendered button of it asks.
  /// - Throws: `serviceDenied(policy)` for an event that the module may not publish, `serviceUnavailable` when it is not
  ///   active.
  public func publish(
    _ type: String, payload: [String: String], inTheNameOf moduleID: String
  ) throws(ServiceError) {
    let broker = try broker(moduleID)
    guard let module = active[moduleID] else {
      throw .serviceUnavailable(role: moduleID, why: "\(moduleID) is not active")
    }
    let rules = policy.eventRules(for: moduleID, origin: module.module.origin)
    guard EventRouter.isWellFormed(type), rules.mayPublish(type) else {
      environment.logger.warning("may not publish \(type.quoted()) by a toolbar item", moduleID: moduleID)
      throw .serviceDenied(.policy, detail: type)
    }
    broker.publish(type, payload: payload, source: moduleID)
  }
}
