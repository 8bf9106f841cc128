import ForsettiBlocking
import ForsettiCore
import ForsettiSQLite

/// Values under keys for all modules, in one SQLite file, on a thread of its own.
///
/// A change is answered once it is on the disk. All changes that wait while one is being written share the next
/// write (group commit), so that many modules cost hardly more than one.
actor KeyValueStore {
  private struct Usage {
    var bytes: Int64
    var keys: Int64
  }

  private let executor: BlockingExecutor
  private let database: Database
  private let sql: KeyValueSchema
  // Both hold what the database says, and are emptied whenever a transaction is taken back.
  private var identifiers: [Namespace: Int64] = [:]
  private var usages: [DataOwner: Usage] = [:]
  /// Of the open transaction, or of the last one.
  private var settlement = Settlement()
  private var isOpen = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  /// The thread, which the adapters share, so that a call takes one hop.
  nonisolated var thread: BlockingExecutor { executor }

  /// Opens the file, which is made if it is not there.
  static func open(_ path: String, on executor: BlockingExecutor) async throws(DatabaseFault) -> KeyValueStore
  {
    try await KeyValueStore(path: path, executor: executor)
  }

  private init(path: String, executor: BlockingExecutor) async throws(DatabaseFault) {
    self.executor = executor
    database = try Database.make(path: path, durability: .full)
    sql = try KeyValueSchema(database)
  }

  // MARK: Values

  /// Sets a key; returns once that is on the disk.
  func set(
    _ value: [UInt8], forKey key: String, in namespace: Namespace, quota: StorageQuota
  ) async throws(ServiceError) {
    try await change { () throws(ServiceError) in
      let identifier = try self.identifier(of: namespace)
      var usage = try self.usage(of: namespace.owner)
      let before = try self.ask { () throws(DatabaseFault) in
        try self.sql.size.first(.integer(identifier), .bytes(of: key)) { $0.integer(0) }
      }
      usage.bytes += Int64(key.utf8.count + value.count) - (before ?? 0)
      usage.keys += before == nil ? 1 : 0
      // What shrinks is let through: a quota that was lowered must not keep a module from tidying up.
      let grows = before.map { Int64(key.utf8.count + value.count) > $0 } ?? true
      guard usage.bytes <= quota.bytes || !grows else {
        throw .quotaExceeded(
          "\(quota.bytes) bytes of \(namespace.owner.kind) for \(namespace.owner.moduleID)")
      }
      guard usage.keys <= quota.keys || before != nil else {
        throw .quotaExceeded("\(quota.keys) keys of \(namespace.owner.kind) for \(namespace.owner.moduleID)")
      }
      try self.ask { () throws(DatabaseFault) in
        try self.sql.set.run(.integer(identifier), .bytes(of: key), .blob(value))
      }
      self.usages[namespace.owner] = usage
    }
  }

  /// The value of a key.
  func value(forKey key: String, in namespace: Namespace) throws(ServiceError) -> [UInt8]? {
    guard let identifier = try knownIdentifier(of: namespace) else { return nil }
    return try ask { () throws(DatabaseFault) in
      try sql.value.first(.integer(identifier), .bytes(of: key)) { $0.blob(0) }
    }
  }

  /// Removes a key; returns once that is on the disk.
  func remove(_ key: String, in namespace: Namespace) async throws(ServiceError) {
    guard let identifier = try knownIdentifier(of: namespace) else { return }
    let size = try ask { () throws(DatabaseFault) in
      try sql.size.first(.integer(identifier), .bytes(of: key)) { $0.integer(0) }
    }
    guard let size else { return try await settled() }
    try await change { () throws(ServiceError) in
      try self.ask { () throws(DatabaseFault) in
        try self.sql.remove.run(.integer(identifier), .bytes(of: key))
      }
      self.usages[namespace.owner]?.bytes -= size
      self.usages[namespace.owner]?.keys -= 1
    }
  }

  /// Keys that start with `prefix`, in the order of their bytes, after `cursor`.
  func keys(prefix: String, after cursor: String?, in namespace: Namespace) throws(ServiceError) -> [String] {
    guard let identifier = try knownIdentifier(of: namespace) else { return [] }
    let after = SQLValue.bytes(of: cursor ?? "")
    let page = SQLValue.integer(Int64(KeyRules.page))
    // UTF-8 has no byte 0xFF, so the last byte has a next one, and what follows the prefix ends before it.
    var end = Array(prefix.utf8)
    guard let last = end.popLast() else {
      return try ask { () throws(DatabaseFault) in
        try sql.keys.rows(.integer(identifier), .bytes(of: ""), after, page) { $0.utf8(0) }
      }
    }
    end.append(last &+ 1)
    return try ask { () throws(DatabaseFault) in
      try sql.keysInPrefix.rows(.integer(identifier), .bytes(of: prefix), after, .blob(end), page) {
        $0.utf8(0)
      }
    }
  }

  /// Forgets everything of a module's one origin.
  func erase(moduleID: String, origin: String) async throws(ServiceError) {
    let moduleID = moduleID.lowercased()
    try await change { () throws(ServiceError) in
      try self.ask { () throws(DatabaseFault) in
        try self.sql.eraseItems.run(.text(moduleID), .text(origin))
        try self.sql.eraseNamespaces.run(.text(moduleID), .text(origin))
      }
      self.identifiers = [:]
      self.usages = [:]
    }
  }

  // MARK: The check of the master key

  /// The sealed text by which a master key is known to be the right one.
  func keyCheck() throws(DatabaseFault) -> [UInt8]? {
    try database.statement("SELECT sealed FROM key_check").first { $0.blob(0) }
  }

  /// Keeps the sealed text of a new master key.
  func saveKeyCheck(_ sealed: [UInt8]) throws(DatabaseFault) {
    try database.statement("INSERT INTO key_check (only_one, sealed) VALUES (1, ?)").run(.blob(sealed))
  }

  // MARK: Group commit

  /// Does `body` in the open transaction, and waits until that is on the disk.
  private func change(_ body: () throws(ServiceError) -> Void) async throws(ServiceError) {
    try begin()
    do { try body() } catch {
      // SQLite has taken back the failed statement, or (no room, I/O) the whole transaction.
      if isOpen, !database.isInTransaction { finish(.failure(error)) }
      throw error
    }
    try await settled()
  }

  /// Waits for the end of the open transaction, if there is one.
  private func settled() async throws(ServiceError) {
    guard isOpen else { return }
    let settlement = settlement
    // The way into the closure may let the commit run first: its outcome waits for who comes late.
    try await withCheckedContinuation { settlement.answer($0) }.get()
  }

  private func begin() throws(ServiceError) {
    guard !isOpen else { return }
    try ask { () throws(DatabaseFault) in try sql.begin.run() }
    isOpen = true
    settlement = Settlement()
    // Queued behind everything that waits for this thread now, which therefore joins the transaction.
    Task { commit() }
  }

  private func commit() {
    guard isOpen else { return }
    do {
      try sql.commit.run()
      finish(.success(()))
    } catch {
      if database.isInTransaction { try? sql.rollback.run() }
      finish(.failure(error.serviceError))
    }
  }

  private func finish(_ outcome: Settlement.Outcome) {
    isOpen = false
    if case .failure = outcome {
      identifiers = [:]
      usages = [:]
    }
    settlement.settle(outcome)
  }

  // MARK: What the database says

  private func usage(of owner: DataOwner) throws(ServiceError) -> Usage {
    if let usage = usages[owner] { return usage }
    let found = try ask { () throws(DatabaseFault) in
      try sql.usage.first(.text(owner.moduleID), .text(owner.origin), .integer(owner.kind.rawValue)) {
        Usage(bytes: $0.integer(0), keys: $0.integer(1))
      }
    }
    let usage = found ?? Usage(bytes: 0, keys: 0)
    usages[owner] = usage
    return usage
  }

  private func knownIdentifier(of namespace: Namespace) throws(ServiceError) -> Int64? {
    if let identifier = identifiers[namespace] { return identifier }
    let owner = namespace.owner
    let found = try ask { () throws(DatabaseFault) in
      try sql.findNamespace.first(
        .text(owner.moduleID), .text(owner.origin), .integer(owner.kind.rawValue),
        .bytes(of: namespace.store.text)
      ) { $0.integer(0) }
    }
    if let found { identifiers[namespace] = found }
    return found
  }

  private func identifier(of namespace: Namespace) throws(ServiceError) -> Int64 {
    if let identifier = try knownIdentifier(of: namespace) { return identifier }
    let owner = namespace.owner
    let added = try ask { () throws(DatabaseFault) in
      try sql.addNamespace.first(
        .text(owner.moduleID), .text(owner.origin), .integer(owner.kind.rawValue),
        .bytes(of: namespace.store.text)
      ) { $0.integer(0) }
    }
    guard let added else { throw .failed(code: "database", message: "the key space was not made") }
    identifiers[namespace] = added
    return added
  }

  /// Asks the database for something; its faults become a module's errors.
  private func ask<Answer>(_ body: () throws(DatabaseFault) -> Answer) throws(ServiceError) -> Answer {
    do { return try body() } catch { throw error.serviceError }
  }
}

/// The end of one transaction, for all that are in it; used on the store's thread alone.
private final class Settlement {
  /// How it ended.
  typealias Outcome = Result<Void, ServiceError>
  private var outcome: Outcome?
  private var waiting: [CheckedContinuation<Outcome, Never>] = []

  func answer(_ continuation: CheckedContinuation<Outcome, Never>) {
    if let outcome { continuation.resume(returning: outcome) } else { waiting.append(continuation) }
  }

  func settle(_ outcome: Outcome) {
    self.outcome = outcome
    for continuation in waiting { continuation.resume(returning: outcome) }
    waiting = []
  }
}
