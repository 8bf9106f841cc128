public import ForsettiCore

/// The state of a running supervisor: `StateDatabase` on a thread of its own, so that an fsync never holds
/// the reactor.
public actor StateStore: ModuleStateStore {
  private let executor: BlockingExecutor
  let database: StateDatabase

  /// The store's own thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Opens the state in a folder, alone; see `StateDatabase.init(folder:)`.
  public static func open(folder path: String) async throws(StoreError) -> StateStore {
    let executor: BlockingExecutor
    do { executor = try BlockingExecutor(name: "state", urgency: .upkeep) } catch { throw .noThread(error) }
    let database = try await BlockingWorker(on: executor).run { () throws(StoreError) in
      try StateDatabase(folder: path)
    }
    return StateStore(database, on: executor)
  }

  /// Makes the folder of the state, and those above it, before it is opened; one that is there is checked.
  public static func makeFolder(_ path: String) throws(StoreError) {
    try StateFolder.create(path)
    _ = try StateFolder(path)
  }

  private init(_ database: sending StateDatabase, on executor: BlockingExecutor) {
    self.database = database
    self.executor = executor
  }

  /// The desired state; `nil` before the first save.
  public func activation() throws(StoreError) -> ActivationState? { try database.activation() }

  /// Whether a first boot has made the policy's set the desired state.
  public func isFirstBootDone() throws(StoreError) -> Bool { try database.isFirstBootDone() }

  /// The record of a module; `nil` if it was never registered.
  public func record(moduleID: String) throws(StoreError) -> ModuleRegistrationRecord? {
    try database.record(moduleID: moduleID)
  }

  /// The place of a module in the policy's range of user IDs; see `StateDatabase`.
  public func userIDSlot(moduleID: String, origin: String, count: Int) throws(StoreError) -> Int {
    try database.userIDSlot(moduleID: moduleID, origin: origin, count: count)
  }

  /// When a module ended unasked, as far as that still counts, and whether it is quarantined.
  public func restartHistory(moduleID: String) throws(StoreError) -> RestartHistory {
    try database.restartHistory(moduleID: moduleID)
  }

  /// IDs of the modules in quarantine, sorted.
  public func quarantinedModuleIDs() throws(StoreError) -> [String] { try database.quarantinedModuleIDs() }

  /// Replaces a module's history.
  public func saveRestartHistory(_ history: RestartHistory, moduleID: String) throws(StoreError) {
    try database.saveRestartHistory(history, moduleID: moduleID)
  }

  /// What a person accepted for a module and no activation has used yet.
  public func acceptance(moduleID: String) throws(StoreError) -> Acceptance? {
    try database.acceptance(moduleID: moduleID)
  }

  /// Keeps an acceptance for the next activation.
  public func saveAcceptance(_ acceptance: Acceptance) throws(StoreError) {
    try database.saveAcceptance(acceptance)
  }

  /// Saves a change in one transaction.
  public func commit(_ change: StateChange) throws(StoreError) { try database.commit(change) }
}
