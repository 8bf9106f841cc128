public import ForsettiCore

/// A change of the supervisor's memory: everything in it is saved, or nothing.
public struct StateChange: Sendable, Hashable {
  /// The new desired state; `nil` leaves it.
  public var activation: ActivationState?
  /// New or renewed registration records. Each uses up the acceptance of its module.
  public var records: [ModuleRegistrationRecord]
  /// Whether this makes the first boot done.
  public var completesFirstBoot: Bool

  /// Makes a change.
  public init(
    activation: ActivationState? = nil, records: [ModuleRegistrationRecord] = [],
    completesFirstBoot: Bool = false
  ) {
    self.activation = activation
    self.records = records
    self.completesFirstBoot = completesFirstBoot
  }
}

/// Where desired state is kept (seed "Module State Model").
public protocol ActivationStore: Sendable {
  /// The desired state; `nil` before the first save.
  func activation() async throws(StoreError) -> ActivationState?
  /// Whether a first boot has made the policy's set the desired state.
  func isFirstBootDone() async throws(StoreError) -> Bool
}

/// Where the contracts that modules are held to are kept (seed "Registration Records").
public protocol ModuleRegistrationStore: Sendable {
  /// What was accepted of a module at its first activation or since; `nil` if it was never registered.
  func record(moduleID: String) async throws(StoreError) -> ModuleRegistrationRecord?
  /// What a person accepted for a module and no activation has used yet.
  func acceptance(moduleID: String) async throws(StoreError) -> Acceptance?
  /// Keeps an acceptance for the next activation.
  func saveAcceptance(_ acceptance: Acceptance) async throws(StoreError)
}

/// What the manager needs of the supervisor's memory. `StateStore` is the real one.
public protocol ModuleStateStore: ActivationStore, ModuleRegistrationStore {
  /// When a module ended unasked, as far as that still counts, and whether it is quarantined.
  func restartHistory(moduleID: String) async throws(StoreError) -> RestartHistory
  /// IDs of the modules in quarantine.
  func quarantinedModuleIDs() async throws(StoreError) -> [String]
  /// Replaces a module's history.
  func saveRestartHistory(_ history: RestartHistory, moduleID: String) async throws(StoreError)
  /// Saves a change in one transaction.
  func commit(_ change: StateChange) async throws(StoreError)
}

extension StoreError {
  /// The error as a module's activation reports it.
  func during(_ operation: String) -> ModuleManagerError {
    .storeFailed(operation: operation, reason: description)
  }
}
