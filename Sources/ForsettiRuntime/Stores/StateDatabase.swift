public import ForsettiCore
import ForsettiSQLite
import Glibc

/// What the supervisor remembers, in one SQLite file of the state folder: each change is one transaction, so
/// that after a kill -9 or a power cut at any moment the state is the old or the new one.
///
/// Synchronous, and not for two threads at once; `StateStore` is the form for a running supervisor, this one
/// is for programs that do one thing and end (`accept`, `explain`).
public final class StateDatabase {
  let database: StateConnection
  private let lock: Descriptor?

  /// Opens the state for a supervisor, alone: makes folder (0700) and tables if need be.
  ///
  /// - Throws: `StoreError.locked` while another process has it open this way.
  public convenience init(folder path: String) throws(StoreError) {
    // A file over the limit of `ulimit -f` must be an error (EFBIG), not the end of the supervisor.
    signal(SIGXFSZ, SIG_IGN)
    try StateFolder.create(path)
    let folder = try StateFolder(path)
    let lock = try folder.lock()
    try folder.createDatabaseFile()
    try self.init(StateConnection(path: folder.databasePath), lock: lock)
  }

  /// Opens the state beside a supervisor that may be running, to look at it; `nil` if there is none yet.
  public static func forReading(folder path: String) throws(StoreError) -> StateDatabase? {
    let folder: StateFolder
    do { folder = try StateFolder(path) } catch {
      if case .untrusted(let cause) = error, cause.fault == .absent { return nil }
      throw error
    }
    guard try folder.hasDatabaseFile() else { return nil }
    let database = try StateConnection(path: folder.databasePath)
    // A supervisor that was killed in its first moment leaves a file without tables: there is no state yet.
    guard try StateDatabase.isPopulated(database) else { return nil }
    let state = try StateDatabase(database, lock: nil)
    try state.database.run("PRAGMA query_only = ON")
    return state
  }

  private init(_ database: StateConnection, lock: consuming Descriptor?) throws(StoreError) {
    self.database = database
    self.lock = lock
    try prepare()
  }

  // MARK: Desired state

  /// The desired state; `nil` before the first save.
  public func activation() throws(StoreError) -> ActivationState? {
    let selected = try database.row("SELECT selected_ui FROM activation") { $0.optionalText(0) }
    guard let selected else { return nil }
    return ActivationState(
      enabledServiceModuleIDs: try desired("service"), enabledUIModuleIDs: try desired("ui"),
      selectedUIModuleID: selected)
  }

  /// Whether a first boot has made the policy's set the desired state (SPEC §7).
  public func isFirstBootDone() throws(StoreError) -> Bool {
    let done = try database.row("SELECT first_boot_done FROM activation") { $0.integer(0) }
    return done == 1
  }

  /// Replaces the desired state, inside a transaction.
  func write(_ state: ActivationState) throws(StoreError) {
    try database.run(
      """
      INSERT INTO activation (only, first_boot_done, selected_ui) VALUES (1, 0, ?1)
      ON CONFLICT (only) DO UPDATE SET selected_ui = ?1
      """, .optional(state.selectedUIModuleID))
    try database.run("DELETE FROM desired")
    for (kind, moduleIDs) in [
      ("service", state.enabledServiceModuleIDs), ("ui", state.enabledUIModuleIDs),
    ] {
      for moduleID in moduleIDs {
        try database.run("INSERT INTO desired (kind, module_id) VALUES (?, ?)", .text(kind), .text(moduleID))
      }
    }
  }

  private func desired(_ kind: String) throws(StoreError) -> Set<String> {
    Set(
      try database.rows("SELECT module_id FROM desired WHERE kind = ?", .text(kind)) { $0.text(0) })
  }

  // MARK: User IDs

  /// The place of a module in the policy's range of user IDs, from 0: the same for ever, never another's.
  ///
  /// - Parameters:
  ///   - origin: where the module's code comes from; another origin is another user.
  ///   - count: size of the policy's range.
  public func userIDSlot(moduleID: String, origin: String, count: Int) throws(StoreError) -> Int {
    try database.transaction { () throws(StoreError) in
      let select: StaticString = "SELECT slot FROM user_ids WHERE module_id = ? AND origin = ?"
      var slot = try database.row(select, .text(moduleID), .text(origin)) { $0.integer(0) }
      if slot == nil {
        try database.run(
          "INSERT INTO user_ids (module_id, origin) VALUES (?, ?)", .text(moduleID), .text(origin))
        slot = try database.row("SELECT last_insert_rowid()") { $0.integer(0) }
      }
      // Slots count from 1 in the table. Beyond the range the insertion is rolled back.
      guard let slot, slot >= 1, slot <= count else {
        throw .userIDsExhausted(moduleID: moduleID, count: count)
      }
      return Int(slot) - 1
    }
  }
}
