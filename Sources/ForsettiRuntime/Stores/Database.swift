import CSQLite
import Glibc

/// A connection to one SQLite database: typed binding, statements always finalised, typed errors.
///
/// Not for use by two threads at once; the owner sees to that.
final class Database {
  /// Path of the file, for messages.
  let path: String
  private let handle: OpaquePointer

  /// Opens a file that is there already. A link at the end of the path is refused.
  ///
  /// - Parameter busyMilliseconds: how long a statement waits for another process's lock.
  init(path: String, busyMilliseconds: Int32 = 2_000) throws(StoreError) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    // Even a failed open may hand out a handle, which holds the message.
    guard code == SQLITE_OK, let opened else {
      let error = Database.error(opened, code: code, path: path, operation: "open")
      sqlite3_close(opened)
      throw error
    }
    self.path = path
    handle = opened
    sqlite3_busy_timeout(handle, busyMilliseconds)
    // A damaged or forged file must not run SQL of its own from its schema.
    _ = csqlite_set_flag(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
    _ = csqlite_set_flag(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
  }

  deinit { sqlite3_close_v2(handle) }

  /// Runs one statement to its end.
  func run(_ sql: StaticString, _ values: SQLValue...) throws(StoreError) {
    let statement = try prepare(sql, values)
    defer { sqlite3_finalize(statement) }
    while try step(statement, sql) {}
  }

  /// All rows of a statement, each made into a value.
  func rows<T>(
    _ sql: StaticString, _ values: SQLValue..., make: (SQLRow) throws(StoreError) -> T
  ) throws(StoreError) -> [T] {
    var found: [T] = []
    let statement = try prepare(sql, values)
    defer { sqlite3_finalize(statement) }
    while try step(statement, sql) { found.append(try make(SQLRow(statement: statement, path: path))) }
    return found
  }

  /// The first row of a statement, if there is one.
  func row<T>(
    _ sql: StaticString, _ values: SQLValue..., make: (SQLRow) throws(StoreError) -> T
  ) throws(StoreError) -> T? {
    let statement = try prepare(sql, values)
    defer { sqlite3_finalize(statement) }
    guard try step(statement, sql) else { return nil }
    return try make(SQLRow(statement: statement, path: path))
  }

  /// Does all of `body` or nothing. The write lock is taken at once, so that no half-read state is written back.
  func transaction<T>(_ body: () throws(StoreError) -> T) throws(StoreError) -> T {
    try run("BEGIN IMMEDIATE")
    do {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      // After some faults (no room, I/O) SQLite has rolled back already; a second time is an error to ignore.
      if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
      throw error
    }
  }

  /// A statement with its values; the caller finalises it.
  private func prepare(_ sql: StaticString, _ values: [SQLValue]) throws(StoreError) -> OpaquePointer {
    var prepared: OpaquePointer?
    let text = UnsafeRawPointer(sql.utf8Start).assumingMemoryBound(to: CChar.self)
    let code = sqlite3_prepare_v2(handle, text, Int32(sql.utf8CodeUnitCount), &prepared, nil)
    guard code == SQLITE_OK, let statement = prepared else { throw error(code, sql) }
    for (index, value) in values.enumerated() {
      let code = value.bind(to: statement, at: Int32(index + 1))
      guard code == SQLITE_OK else {
        let failure = error(code, sql)
        sqlite3_finalize(statement)
        throw failure
      }
    }
    return statement
  }

  /// Whether there is another row.
  private func step(_ statement: OpaquePointer, _ sql: StaticString) throws(StoreError) -> Bool {
    switch sqlite3_step(statement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw error(code, sql)
    }
  }

  private func error(_ code: Int32, _ sql: StaticString) -> StoreError {
    Database.error(handle, code: code, path: path, operation: sql.description)
  }

  private static func error(
    _ handle: OpaquePointer?, code: Int32, path: String, operation: String
  ) -> StoreError {
    let system = handle.map(sqlite3_system_errno) ?? 0
    let message =
      handle.flatMap(sqlite3_errmsg).map { String(cString: $0) } ?? String(cString: sqlite3_errstr(code))
    switch code & 0xff {
    case SQLITE_FULL: return .full(path: path)
    case SQLITE_IOERR where [ENOSPC, EDQUOT, EFBIG].contains(system): return .full(path: path)
    // SQLite tells ENOSPC apart alone, and has often lost errno by now: a write that failed under a file size
    // limit failed by it.
    case SQLITE_IOERR where code == sqliteWriteFailed && hasFileSizeLimit: return .full(path: path)
    case SQLITE_BUSY, SQLITE_LOCKED: return .busy(path: path)
    case SQLITE_READONLY, SQLITE_PERM: return .unwritable(path: path, errno: system == 0 ? EROFS : system)
    case SQLITE_CANTOPEN: return .unwritable(path: path, errno: system == 0 ? EACCES : system)
    case SQLITE_CORRUPT, SQLITE_NOTADB: return .damaged(path: path, reason: message)
    default: return .failed(operation: operation, code: code, message: message)
    }
  }
}

/// SQLITE_IOERR_WRITE, a macro that Swift can't import.
private let sqliteWriteFailed = SQLITE_IOERR | 3 << 8

/// Whether `ulimit -f` bounds the files of this process.
private var hasFileSizeLimit: Bool {
  var limit = rlimit()
  return getrlimit(Int32(RLIMIT_FSIZE.rawValue), &limit) == 0 && limit.rlim_cur != .max
}

/// A value to bind.
enum SQLValue {
  case null
  case integer(Int64)
  case text(String)

  /// Text, or NULL.
  static func text(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null }

  fileprivate func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    switch self {
    case .null: return sqlite3_bind_null(statement, index)
    case .integer(let value): return sqlite3_bind_int64(statement, index, value)
    case .text(var text):
      return text.withUTF8 { bytes in
        // An empty string may have no address, which SQLite would take for NULL.
        guard let base = bytes.baseAddress else {
          return sqlite3_bind_text(statement, index, "", 0, csqlite_transient())
        }
        return base.withMemoryRebound(to: CChar.self, capacity: bytes.count) { pointer in
          sqlite3_bind_text64(
            statement, index, pointer, UInt64(bytes.count), csqlite_transient(), UInt8(SQLITE_UTF8))
        }
      }
    }
  }
}

/// One row of a result, good until the next: not to be kept.
struct SQLRow {
  fileprivate let statement: OpaquePointer
  fileprivate let path: String

  /// The integer in a column.
  func integer(_ column: Int32) throws(StoreError) -> Int64 {
    try expect(SQLITE_INTEGER, column)
    return sqlite3_column_int64(statement, column)
  }

  /// The text in a column.
  func text(_ column: Int32) throws(StoreError) -> String {
    try expect(SQLITE_TEXT, column)
    return read(column)
  }

  /// The text in a column, or `nil` for NULL.
  func optionalText(_ column: Int32) throws(StoreError) -> String? {
    sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : try text(column)
  }

  private func read(_ column: Int32) -> String {
    guard let bytes = sqlite3_column_text(statement, column) else { return "" }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  private func expect(_ type: Int32, _ column: Int32) throws(StoreError) {
    guard sqlite3_column_type(statement, column) == type else {
      let name = sqlite3_column_name(statement, column).map { String(cString: $0) } ?? "column \(column)"
      throw .damaged(path: path, reason: "\(name) holds a value of another type")
    }
  }
}
