public import ForsettiCore

/// What it takes to come from one deployment to another: a pure value, made before anything happens.
public struct ReloadPlan: Sendable, Hashable {
  /// What becomes of a module.
  public enum Step: String, Sendable, Hashable, CaseIterable {
    /// Its process, if it has one, is not touched.
    case none
    /// It is desired, did not run, and is tried again.
    case start
    /// A new process takes its place; the old one answers what it was asked, then stops.
    case replace
    /// The same, but the old one stops at once: something that it may do is taken away.
    case replaceAtOnce
    /// Its process is stopped.
    case stop
  }

  /// What is different about a module.
  public enum Change: Sendable, Hashable {
    case added
    case removed
    /// Its bundle is not let in any more.
    case refused(reason: String)
    /// Its manifest says something else.
    case manifest
    /// Its code is another; of bundles alone.
    case executable
    /// Its code comes from elsewhere.
    case origin(from: String, to: String)
    case granted([Capability])
    case withdrawn([Capability])
    /// The policy says something else of this.
    case setting(ModuleSettings.Part)
    /// It can't run by what the policy or its manifest says now.
    case incompatible(reason: String)
  }

  /// One module of the plan.
  public struct Module: Sendable, Hashable {
    /// Which.
    public var moduleID: String
    /// What becomes of it.
    public var step: Step
    /// Why; empty for one that is only tried again.
    public var changes: [Change]
  }

  /// Modules that something is said of, sorted by ID; the others are not touched.
  public let modules: [Module]
  /// Keys of the policy that differ and hold from the reload on, beside those of single modules.
  public let keys: [PolicyKey]
  /// Keys that differ and wait for the next start.
  public let keysForRestart: [PolicyKey]

  /// Whether there is nothing to do.
  public var isEmpty: Bool { modules.isEmpty && keys.isEmpty && keysForRestart.isEmpty }

  /// Works it out.
  /// - Parameters:
  ///   - states: where the modules stand; those that are not in it do not run.
  init(from old: Deployment, to new: Deployment, states: [String: ModuleStatus.State]) {
    let keys = new.policy.keys(differingFrom: old.policy)
    self.keys = keys.filter { !$0.needsRestart }
    keysForRestart = keys.filter(\.needsRestart)
    // What waits for the start is not part of what modules are held against.
    let new = Deployment(policy: new.policy.keepingStartSettings(of: old.policy), catalog: new.catalog)
    // A bundle that is not let in is no module; that it is refused now, or no longer, or for another reason, is news.
    let refusals = Set(old.catalog.refusals).symmetricDifference(new.catalog.refusals)
    let ids = Set(
      (old.catalog.manifests + new.catalog.manifests).map(\.manifest.moduleID) + refusals.map(\.name))
    modules = ids.sorted().compactMap { id in
      let report = new.catalog[id].map { new.report(on: $0) }
      let changes = Self.changes(of: id, old, new, report)
      let step = Self.step(of: changes, state: states[id], canRun: report?.isCompatible ?? false)
      return changes.isEmpty && step == .none ? nil : Module(moduleID: id, step: step, changes: changes)
    }
  }

  /// The modules of one step, sorted by ID.
  func moduleIDs(_ steps: Step...) -> [String] {
    modules.filter { steps.contains($0.step) }.map(\.moduleID)
  }

  private static func changes(
    of id: String, _ old: Deployment, _ new: Deployment, _ report: CompatibilityReport?
  ) -> [Change] {
    let before = old.catalog[id]
    guard let after = new.catalog[id], let report else {
      return [new.catalog.refusal(of: id).map { .refused(reason: $0.reason) } ?? .removed]
    }
    var changes: [Change] = before.map { fileChanges($0, after) } ?? [.added]
    if let before { changes += settingChanges(old.settings(of: before), new.settings(of: after)) }
    // What could not run before, and can't now, is no news.
    let isNews = before.map { !changes.isEmpty || old.report(on: $0).isCompatible } ?? true
    if !report.isCompatible, isNews {
      changes.append(.incompatible(reason: ModuleManagerError.incompatible(report).message))
    }
    return changes
  }

  private static func fileChanges(_ before: LoadedManifest, _ after: LoadedManifest) -> [Change] {
    var changes: [Change] = []
    if before.sha256 != after.sha256 { changes.append(.manifest) }
    if before.origin.executableSHA256 != after.origin.executableSHA256 { changes.append(.executable) }
    if before.origin.text != after.origin.text {
      changes.append(.origin(from: before.origin.text, to: after.origin.text))
    }
    return changes
  }

  private static func settingChanges(_ before: ModuleSettings, _ after: ModuleSettings) -> [Change] {
    func sorted(_ set: Set<Capability>) -> [Capability] { set.sorted { $0.rawValue < $1.rawValue } }
    var changes: [Change] = []
    let granted = after.grants.subtracting(before.grants)
    let withdrawn = before.grants.subtracting(after.grants)
    if !granted.isEmpty { changes.append(.granted(sorted(granted))) }
    if !withdrawn.isEmpty { changes.append(.withdrawn(sorted(withdrawn))) }
    return changes + after.parts(differingFrom: before).map { .setting($0) }
  }

  private static func step(
    of changes: [Change], state: ModuleStatus.State?, canRun: Bool
  ) -> Step {
    switch state {
    case .active:
      if !canRun { return .stop }
      let forProcess = changes.filter { !$0.isLive }
      if forProcess.isEmpty { return .none }
      return forProcess.contains(where: \.takesAway) ? .replaceAtOnce : .replace
    case .failed: return canRun ? .start : .none
    // These wait for something of their own: a person, or their backoff.
    case .discovered, .restarting, .quarantined, nil: return .none
    }
  }
}

extension ReloadPlan.Change {
  /// Whether a process that runs has it already.
  fileprivate var isLive: Bool {
    if case .setting(let part) = self { part.isLive } else { false }
  }

  /// Whether it may take away what a process that runs may do.
  fileprivate var takesAway: Bool {
    switch self {
    case .withdrawn, .origin: true
    case .setting(let part): part.isRight
    default: false
    }
  }
}
