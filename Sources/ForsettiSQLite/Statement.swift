import CSQLite

/// A prepared statement, used again and again. Rows are good until the next step.
package final class Statement {
  let handle: OpaquePointer
  /// The column of the row at hand that held a value of another type than was asked for.
  var unexpected: String?
  // The connection must outlive its statements.
  private let database: Database
  private let sql: String

  init(_ sql: String, of database: Database) throws(DatabaseFault) {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(
      database.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK else { throw database.fault(code, sql) }
    guard let prepared else {
      throw DatabaseFault(misuse: "no statement", path: database.path, operation: sql)
    }
    handle = prepared
    self.sql = sql
    self.database = database
  }

  deinit { sqlite3_finalize(handle) }

  /// Runs to the end; rows are passed over.
  package func run(_ values: SQLValue...) throws(DatabaseFault) { try run(values) }

  /// Runs to the end; rows are passed over.
  package func run(_ values: [SQLValue]) throws(DatabaseFault) {
    try each(values) { _ in true }
  }

  /// Makes a value of the first row, if there is one.
  package func first<T>(_ values: SQLValue..., make: (SQLRow) -> T) throws(DatabaseFault) -> T? {
    try first(values, make: make)
  }

  /// Makes a value of the first row, if there is one.
  package func first<T>(_ values: [SQLValue], make: (SQLRow) -> T) throws(DatabaseFault) -> T? {
    var found: T?
    try each(values) {
      found = make($0)
      return false
    }
    return found
  }

  /// Makes a value of every row.
  package func rows<T>(_ values: SQLValue..., make: (SQLRow) -> T) throws(DatabaseFault) -> [T] {
    try rows(values, make: make)
  }

  /// Makes a value of every row.
  package func rows<T>(_ values: [SQLValue], make: (SQLRow) -> T) throws(DatabaseFault) -> [T] {
    var found: [T] = []
    try each(values) {
      found.append(make($0))
      return true
    }
    return found
  }

  var columns: SQLColumns { SQLColumns(of: handle) }

  /// Row after row, until `body` has seen enough.
  private func each(_ values: [SQLValue], _ body: (SQLRow) -> Bool) throws(DatabaseFault) {
    let isOurs = database.budget.startOwn()
    defer { if isOurs { database.budget.stop() } }
    try bind(values)
    defer { reset() }
    while try step() {
      let isWanting = body(SQLRow(statement: self))
      if let column = unexpected {
        throw DatabaseFault(unexpectedType: column, path: database.path, operation: sql)
      }
      guard isWanting else { return }
    }
  }

  private func bind(_ values: [SQLValue]) throws(DatabaseFault) {
    for (index, value) in values.enumerated() {
      let code = value.bind(to: handle, at: Int32(truncatingIfNeeded: index + 1))
      guard code == SQLITE_OK else {
        let fault = database.fault(code, sql)
        reset()
        throw fault
      }
    }
  }

  private func step() throws(DatabaseFault) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw database.fault(code, sql)
    }
  }

  /// Lets go of locks, and of bound values, which may be secrets.
  private func reset() {
    unexpected = nil
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }
}
