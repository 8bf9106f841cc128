import CSQLite

/// A value to bind.
enum SQLValue {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
  /// The UTF-8 of a text as a blob: compared byte for byte, NUL and all.
  case bytes(of: String)
}

/// A prepared statement, used again and again. Rows are good until the next step.
final class Statement {
  let handle: OpaquePointer
  // The connection must outlive its statements.
  private let database: Database

  init(_ sql: String, of database: Database) throws(DatabaseFault) {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(
      database.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK else { throw database.fault(code) }
    guard let prepared else { throw DatabaseFault(code: SQLITE_MISUSE, message: "no statement") }
    handle = prepared
    self.database = database
  }

  deinit { sqlite3_finalize(handle) }

  /// Runs to the end; rows are passed over.
  func run(_ values: SQLValue...) throws(DatabaseFault) {
    try each(values) { _ in }
  }

  /// Makes a value of the first row, if there is one.
  func first<T>(_ values: SQLValue..., make: (SQLRow) -> T) throws(DatabaseFault) -> T? {
    try bind(values)
    defer { reset() }
    return try step() ? make(SQLRow(statement: handle)) : nil
  }

  /// Makes a value of every row.
  func rows<T>(_ values: SQLValue..., make: (SQLRow) -> T) throws(DatabaseFault) -> [T] {
    var found: [T] = []
    try each(values) { found.append(make($0)) }
    return found
  }

  private func each(_ values: [SQLValue], _ body: (SQLRow) -> Void) throws(DatabaseFault) {
    try bind(values)
    defer { reset() }
    while try step() { body(SQLRow(statement: handle)) }
  }

  private func bind(_ values: [SQLValue]) throws(DatabaseFault) {
    for (index, value) in values.enumerated() {
      let code = value.bind(to: handle, at: Int32(truncatingIfNeeded: index + 1))
      guard code == SQLITE_OK else {
        let fault = database.fault(code)
        reset()
        throw fault
      }
    }
  }

  private func step() throws(DatabaseFault) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw database.fault(code)
    }
  }

  /// Lets go of locks, and of bound values, which may be secrets.
  private func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }
}

extension SQLValue {
  /// Binds a copy of the value; returns SQLite's code.
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    switch self {
    case .null: return sqlite3_bind_null(statement, index)
    case .integer(let value): return sqlite3_bind_int64(statement, index, value)
    case .real(let value): return sqlite3_bind_double(statement, index, value)
    case .blob(let bytes): return bytes.withUnsafeBytes { Self.bindBlob($0, statement, index) }
    case .bytes(of: var text):
      return text.withUTF8 { Self.bindBlob(UnsafeRawBufferPointer($0), statement, index) }
    case .text(var text):
      return text.withUTF8 { bytes in
        // An empty text may have no address, which SQLite would take for NULL.
        guard let base = bytes.baseAddress else {
          return sqlite3_bind_text(statement, index, "", 0, csqlite_static())
        }
        return base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
          sqlite3_bind_text64(
            statement, index, $0, UInt64(bytes.count), csqlite_transient(), UInt8(SQLITE_UTF8))
        }
      }
    }
  }

  private static func bindBlob(
    _ bytes: UnsafeRawBufferPointer, _ statement: OpaquePointer, _ index: Int32
  ) -> Int32 {
    guard let base = bytes.baseAddress, !bytes.isEmpty else {
      return sqlite3_bind_zeroblob(statement, index, 0)
    }
    return sqlite3_bind_blob64(statement, index, base, UInt64(bytes.count), csqlite_transient())
  }
}

/// One row of a result: not to be kept.
struct SQLRow {
  let statement: OpaquePointer

  /// The integer in a column; 0 for what is none.
  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

  /// The text in a column; empty for NULL.
  func text(_ column: Int32) -> String {
    guard let bytes = sqlite3_column_text(statement, column) else { return "" }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  /// The bytes in a column.
  func blob(_ column: Int32) -> [UInt8] {
    // The address first: the call may change the form of the value, and so its length.
    let address = sqlite3_column_blob(statement, column)
    return [UInt8](
      UnsafeRawBufferPointer(start: address, count: Int(sqlite3_column_bytes(statement, column))))
  }

  /// The bytes in a column as text.
  func utf8(_ column: Int32) -> String {
    let address = sqlite3_column_blob(statement, column)
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeRawBufferPointer(start: address, count: count), as: UTF8.self)
  }
}
