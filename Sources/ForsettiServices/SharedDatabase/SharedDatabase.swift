import CSQLite
import ForsettiCore
import ForsettiSQLite

/// The database that modules share, fenced: what SQL may do is in `SharedDatabaseRules`, what it may cost in
/// `SharedDatabaseLimits`. For one thread.
final class SharedDatabase {
  let limits: SharedDatabaseLimits
  private let database: Database
  /// Whether a module's statement is being prepared; our own may do what theirs may not.
  private let guarded = StatementGuard()
  private let begin: Statement
  private let commit: Statement
  private let rollback: Statement

  init(path: String, limits: SharedDatabaseLimits) throws(DatabaseFault) {
    self.limits = limits
    database = try Database.make(path: path, durability: .full, schema: .modules)
    try database.run("PRAGMA foreign_keys = ON")
    // In pages of 4 KiB; what exceeds it is SQLITE_FULL.
    try database.run("PRAGMA max_page_count = \(max(limits.databaseBytes >> 12, 16))")
    // After a peak the log is cut back to this, in bytes.
    try database.run("PRAGMA journal_size_limit = \(16 << 20)")
    // An answer's value must fit into a frame.
    sqlite3_limit(database.handle, SQLITE_LIMIT_LENGTH, 1 << 20)
    sqlite3_limit(database.handle, SQLITE_LIMIT_SQL_LENGTH, Int32(clamping: limits.statementBytes))
    begin = try database.statement("BEGIN IMMEDIATE")
    commit = try database.statement("COMMIT")
    rollback = try database.statement("ROLLBACK")
    database.authorize { [guarded] in guarded.allows($0, $1, $2) }
  }

  /// Rows of one statement that changes nothing.
  func query(_ statement: SQLStatement) throws(ServiceError) -> SQLRows {
    budget.start(limits.allowance)
    defer { budget.stop() }
    let prepared = try prepare(statement)
    guard prepared.isReadOnly else {
      throw .invalidArgument(name: "statement", reason: "it changes something; use execute")
    }
    var answer = ResultBudget(limits)
    return try rows(of: prepared, &answer)
  }

  /// One statement that changes something; how many rows it changed.
  func execute(_ statement: SQLStatement) throws(ServiceError) -> Int {
    budget.start(limits.allowance)
    defer { budget.stop() }
    let prepared = try prepare(statement)
    guard !prepared.isReadOnly else {
      throw .invalidArgument(name: "statement", reason: "it changes nothing; use query")
    }
    let before = sqlite3_total_changes64(database.handle)
    try run(prepared) { (_) throws(ServiceError) in }
    return Int(sqlite3_total_changes64(database.handle) - before)
  }

  /// Statements that all take effect, or none.
  func transaction(_ statements: [SQLStatement]) throws(ServiceError) -> [SQLRows] {
    guard statements.count <= limits.statements else {
      throw .invalidArgument(name: "statements", reason: "at most \(limits.statements) are meant")
    }
    try ours(begin)
    do {
      budget.start(limits.allowance)
      defer { budget.stop() }
      var answer = ResultBudget(limits)
      var results: [SQLRows] = []
      for statement in statements { results.append(try rows(of: prepare(statement), &answer)) }
      budget.stop()
      try ours(commit)
      return results
    } catch {
      // After some faults (no room, no memory, interrupted) SQLite has rolled back by itself.
      if database.isInTransaction { try ours(rollback) }
      throw error
    }
  }

  private var budget: StatementBudget { database.budget }

  private func ours(_ statement: Statement) throws(ServiceError) {
    do { try statement.run() } catch { throw error.serviceError }
  }

  private func prepare(_ statement: SQLStatement) throws(ServiceError) -> ForeignStatement {
    guarded.isOn = true
    defer { guarded.isOn = false }
    return try ForeignStatement.make(statement, limits: limits, of: database) { fault($0) }
  }

  private func rows(of statement: borrowing ForeignStatement, _ answer: inout ResultBudget)
    throws(ServiceError) -> SQLRows
  {
    let columns = statement.columns
    for name in columns { try answer.add(bytes: name.utf8.count) }
    var rows: [[SQLParameter]] = []
    try run(statement) { (row) throws(ServiceError) in
      try answer.addRow()
      rows.append(try row.values(count: columns.count, &answer))
    }
    return SQLRows(columns: columns, rows: rows)
  }

  private func run(
    _ statement: borrowing ForeignStatement, _ body: (ForeignRow) throws(ServiceError) -> Void
  ) throws(ServiceError) {
    // SQLite prepares a statement again where the schema changed since, and asks again.
    guarded.isOn = true
    defer { guarded.isOn = false }
    try statement.run(body, fault: { fault($0) })
  }

  /// What a module is told of a fault: an interruption is what ran out.
  private func fault(_ fault: DatabaseFault) -> ServiceError {
    if guarded.hasDenied { return .serviceDenied(.policy, detail: fault.message) }
    guard fault.kind == .interrupted else { return fault.serviceError }
    return switch budget.exhausted {
    case .memory: .quotaExceeded("the call needs more than \(limits.memoryBytes) bytes of memory")
    case .time, nil: .deadlineExceeded
    }
  }
}

/// The rules for the statement being prepared, if it is a module's. An object, as the connection asks it.
private final class StatementGuard {
  /// Whether the rules hold; each time they are put on anew.
  var isOn = false {
    didSet {
      guard isOn else { return }
      rules = SharedDatabaseRules()
      hasDenied = false
    }
  }
  /// Whether the last statement was denied something: SQLite's own code says so for some actions only.
  private(set) var hasDenied = false
  private var rules = SharedDatabaseRules()

  func allows(_ action: Int32, _ first: String?, _ second: String?) -> Bool {
    guard isOn, !rules.allows(action, first, second) else { return true }
    hasDenied = true
    return false
  }
}

/// What is left of an answer's bounds.
struct ResultBudget {
  private let limits: SharedDatabaseLimits
  private var rows: Int
  private var bytes: Int

  init(_ limits: SharedDatabaseLimits) {
    self.limits = limits
    rows = limits.rows
    bytes = limits.resultBytes
  }

  mutating func addRow() throws(ServiceError) {
    rows -= 1
    guard rows >= 0 else { throw .tooLarge(limit: UInt64(limits.rows)) }
  }

  mutating func add(bytes count: Int) throws(ServiceError) {
    // What a value costs at least on the wire.
    bytes -= count + 1
    guard bytes >= 0 else { throw .tooLarge(limit: UInt64(limits.resultBytes)) }
  }
}
