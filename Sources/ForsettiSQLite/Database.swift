import CSQLite
import Glibc

/// A connection to one SQLite database, fenced (`Fences`). For one thread; its owner is an actor that sees to that.
package final class Database {
  /// No value of any database is longer, in bytes: a frame holds no more.
  package static let longestValue: Int32 = 2 << 20

  /// How sure an acknowledged change is.
  package enum Durability {
    /// On the disk, whatever ends: this process or the power.
    case full
    /// Survives this process, but a power cut may take the last moments.
    case normal
  }

  /// Path of the file, for messages.
  package let path: String
  /// SQLite's own, for statements that are not ours (the shared database).
  package let handle: OpaquePointer
  /// What the call that runs now may cost.
  package let budget: StatementBudget
  private var authorizer: StatementAuthorizer?

  /// Opens a file that is there already. A link at the end of the path is refused.
  ///
  /// - Parameters:
  ///   - schema: whose tables the file holds.
  ///   - ownAllowance: what each statement of ours may cost.
  package init(
    path: String, schema: Fences.Schema = .ours, ownAllowance: StatementBudget.Allowance = .ours
  ) throws(DatabaseFault) {
    Fences.boundProcess()
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    // Even a failed open may hand out a handle, which holds the message.
    guard code == SQLITE_OK, let opened else {
      let fault = DatabaseFault(code, of: opened, path: path, operation: "open")
      sqlite3_close(opened)
      throw fault
    }
    self.path = path
    handle = opened
    budget = StatementBudget(own: ownAllowance)
    sqlite3_busy_timeout(handle, 2_000)
    Fences.raise(around: handle, schema: schema)
    budget.watch(handle)
    for pragma in Fences.pragmas { try run(pragma) }
  }

  /// Opens a file, or makes it, of mode 0600, with a write-ahead log.
  package static func make(
    path: String, durability: Durability, schema: Fences.Schema = .ours
  ) throws(DatabaseFault) -> Database {
    // Made here, so that SQLite never makes one by the umask; its -wal and -shm take over the mode.
    let file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw DatabaseFault(notMade: path, errno: errno) }
    close(file)
    let database = try Database(path: path, schema: schema)
    try database.run("PRAGMA journal_mode = WAL")
    try database.run(durability == .full ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
    return database
  }

  deinit {
    // A statement may outlive this body, the objects that the handlers know do not.
    sqlite3_progress_handler(handle, 0, nil, nil)
    sqlite3_set_authorizer(handle, nil, nil)
    sqlite3_close_v2(handle)
  }

  /// Runs SQL of our own that answers nothing of interest; several statements may follow each other.
  package func run(_ sql: String) throws(DatabaseFault) {
    let isOurs = budget.startOwn()
    defer { if isOurs { budget.stop() } }
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw fault(code, sql) }
  }

  /// Prepares a statement for many uses.
  package func statement(_ sql: String) throws(DatabaseFault) -> Statement {
    try Statement(sql, of: self)
  }

  /// Whether a transaction is open. After some faults SQLite has rolled one back by itself.
  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Has SQLite ask, of each thing that a statement would do, whether it may (sqlite3_set_authorizer(3)).
  ///
  /// - Parameter allows: the action's code and what SQLite's documentation says of its first two arguments.
  package func authorize(_ allows: @escaping (Int32, String?, String?) -> Bool) {
    let authorizer = StatementAuthorizer(allows)
    authorizer.guardStatements(of: handle)
    self.authorizer = authorizer
  }

  /// The fault that the last call on this connection ended in.
  package func fault(_ code: Int32, _ operation: String) -> DatabaseFault {
    DatabaseFault(code, of: handle, path: path, operation: operation)
  }
}
