import ForsettiBlocking
public import ForsettiCore
import ForsettiSQLite

/// The shared database, as one module sees it. All modules see the same tables.
public actor HostSharedDatabaseService: SharedDatabaseService {
  private let executor: BlockingExecutor
  private let worker: SharedDatabaseWorker

  /// The database's own thread: what a statement costs delays nobody but who asks this database.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ worker: SharedDatabaseWorker) {
    self.worker = worker
    executor = worker.thread
  }

  /// Rows of one statement that changes nothing.
  public func query(_ statement: SQLStatement) async throws(ServiceError) -> SQLRows {
    try await worker.query(statement)
  }

  /// One statement that changes something; returns how many rows it changed.
  public func execute(_ statement: SQLStatement) async throws(ServiceError) -> Int {
    try await worker.execute(statement)
  }

  /// Statements that all take effect, or none; returns the rows of each.
  public func transaction(_ statements: [SQLStatement]) async throws(ServiceError) -> [SQLRows] {
    try await worker.transaction(statements)
  }
}

/// The one owner of the shared database, on its thread.
actor SharedDatabaseWorker {
  private let executor: BlockingExecutor
  private let database: SharedDatabase

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  nonisolated var thread: BlockingExecutor { executor }

  init(path: String, limits: SharedDatabaseLimits, on executor: BlockingExecutor) async throws(DatabaseFault)
  {
    self.executor = executor
    database = try SharedDatabase(path: path, limits: limits)
  }

  func query(_ statement: SQLStatement) throws(ServiceError) -> SQLRows { try database.query(statement) }

  func execute(_ statement: SQLStatement) throws(ServiceError) -> Int { try database.execute(statement) }

  func transaction(_ statements: [SQLStatement]) throws(ServiceError) -> [SQLRows] {
    try database.transaction(statements)
  }
}
