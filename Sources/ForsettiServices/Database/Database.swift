import CSQLite
import Glibc

/// A connection to one SQLite database of the services. For one thread; its owner is an actor that sees to that.
final class Database {
  /// No value of any database is longer, in bytes: a frame holds no more.
  static let longestValue: Int32 = 2 << 20

  /// How sure an acknowledged change is.
  enum Durability {
    /// On the disk, whatever ends: this process or the power.
    case full
    /// Survives this process, but a power cut may take the last moments.
    case normal
  }

  let handle: OpaquePointer

  /// Opens a file, or makes it, of mode 0600. A link at the end of the path is refused.
  init(path: String, durability: Durability) throws(DatabaseFault) {
    // Made here, so that SQLite never makes one by the umask; its -wal and -shm take over the mode.
    let file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw DatabaseFault(code: SQLITE_CANTOPEN, message: "\(path): \(String(cString: strerror(errno)))")
    }
    close(file)
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      // Even a failed open may hand out a handle.
      sqlite3_close(opened)
      throw DatabaseFault(code: code, message: "\(path): \(String(cString: sqlite3_errstr(code)))")
    }
    handle = opened
    sqlite3_busy_timeout(handle, 2_000)
    // A damaged or forged file must not run SQL of its own from its schema.
    _ = csqlite_set_flag(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
    _ = csqlite_set_flag(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    _ = csqlite_set_flag(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0)
    _ = csqlite_set_flag(handle, SQLITE_DBCONFIG_DQS_DML, 0)
    _ = csqlite_set_flag(handle, SQLITE_DBCONFIG_DQS_DDL, 0)
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Self.longestValue)
    sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
    try run("PRAGMA journal_mode = WAL")
    try run(durability == .full ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
    try run("PRAGMA temp_store = MEMORY")
  }

  deinit { sqlite3_close_v2(handle) }

  /// Runs SQL of our own that answers nothing of interest; several statements may follow each other.
  func run(_ sql: String) throws(DatabaseFault) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw fault(code) }
  }

  /// Prepares a statement for many uses.
  func statement(_ sql: String) throws(DatabaseFault) -> Statement {
    try Statement(sql, of: self)
  }

  /// Whether a transaction is open. After some faults SQLite has rolled one back by itself.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// The fault that the last call on this connection ended in.
  func fault(_ code: Int32) -> DatabaseFault {
    let message = sqlite3_errmsg(handle).map { String(cString: $0) } ?? String(cString: sqlite3_errstr(code))
    return DatabaseFault(code: code, message: message)
  }
}
