import CSQLite
import ForsettiCore
import ForsettiSQLite

/// One statement of a module, prepared and bound; used once.
struct ForeignStatement: ~Copyable {
  private let handle: OpaquePointer
  private let database: Database

  private init(_ handle: OpaquePointer, of database: Database) {
    self.handle = handle
    self.database = database
  }

  /// Prepares exactly one statement, and binds its parameters, which are all given.
  static func make(
    _ statement: SQLStatement, limits: SharedDatabaseLimits, of database: Database,
    fault: (DatabaseFault) -> ServiceError
  ) throws(ServiceError) -> ForeignStatement {
    let made = ForeignStatement(
      try prepare(statement.text, limits: limits, of: database, fault), of: database)
    try made.bind(statement.parameters, fault)
    return made
  }

  private func bind(
    _ parameters: [SQLParameter], _ fault: (DatabaseFault) -> ServiceError
  ) throws(ServiceError) {
    let expected = Int(sqlite3_bind_parameter_count(handle))
    guard expected == parameters.count else {
      throw .invalidArgument(
        name: "parameters", reason: "the text has \(expected), \(parameters.count) are given")
    }
    for (index, value) in parameters.enumerated() {
      let code = SQLValue(value).bind(to: handle, at: Int32(truncatingIfNeeded: index + 1))
      guard code == SQLITE_OK else { throw fault(database.fault(code, "statement")) }
    }
  }

  deinit { sqlite3_finalize(handle) }

  private static func prepare(
    _ text: String, limits: SharedDatabaseLimits, of database: Database,
    _ fault: (DatabaseFault) -> ServiceError
  ) throws(ServiceError) -> OpaquePointer {
    guard text.utf8.count <= limits.statementBytes else {
      throw .tooLarge(limit: UInt64(limits.statementBytes))
    }
    // SQLite would end the text there, and the rest would look like a comment to nobody.
    guard !text.utf8.contains(0) else { throw .invalidArgument(name: "statement", reason: "it holds a NUL") }
    var bytes = Array(text.utf8CString)
    var prepared: OpaquePointer?
    var rest = 0
    let code = bytes.withUnsafeMutableBufferPointer { buffer in
      var tail: UnsafePointer<CChar>?
      let code = sqlite3_prepare_v2(
        database.handle, buffer.baseAddress, Int32(clamping: buffer.count), &prepared, &tail)
      if let tail, let base = buffer.baseAddress { rest = tail - UnsafePointer(base) }
      return code
    }
    guard code == SQLITE_OK else { throw fault(database.fault(code, "statement")) }
    guard let prepared else { throw .invalidArgument(name: "statement", reason: "it is empty") }
    guard isBlank(bytes[min(rest, bytes.count)...].dropLast(), in: database) else {
      sqlite3_finalize(prepared)
      throw .invalidArgument(name: "statement", reason: "one statement is meant; use transaction for several")
    }
    guard sqlite3_stmt_isexplain(prepared) == 0 else {
      sqlite3_finalize(prepared)
      throw .serviceDenied(.policy, detail: "EXPLAIN is not allowed")
    }
    return prepared
  }

  /// Whether nothing but white space and comments follows, which SQLite prepares to nothing.
  private static func isBlank(_ rest: ArraySlice<CChar>, in database: Database) -> Bool {
    guard !rest.isEmpty else { return true }
    var text = Array(rest) + [0]
    while true {
      var next: OpaquePointer?
      var left = 0
      let code = text.withUnsafeMutableBufferPointer { buffer in
        var tail: UnsafePointer<CChar>?
        let code = sqlite3_prepare_v2(
          database.handle, buffer.baseAddress, Int32(clamping: buffer.count), &next, &tail)
        if let tail, let base = buffer.baseAddress { left = buffer.count - (tail - UnsafePointer(base)) }
        return code
      }
      sqlite3_finalize(next)
      guard code == SQLITE_OK, next == nil else { return false }
      // The zero at the end is all that is left, or nothing was taken.
      guard left > 1, left < text.count else { return true }
      text.removeFirst(text.count - left)
    }
  }

  /// Whether it leaves the database as it is (sqlite3_stmt_readonly(3)).
  var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

  /// Names of its columns.
  var columns: [String] {
    (0..<sqlite3_column_count(handle)).map { index in
      sqlite3_column_name(handle, index).map { String(cString: $0) } ?? ""
    }
  }

  /// Runs to the end, row by row.
  func run(
    _ body: (ForeignRow) throws(ServiceError) -> Void, fault: (DatabaseFault) -> ServiceError
  ) throws(ServiceError) {
    while true {
      switch sqlite3_step(handle) {
      case SQLITE_ROW: try body(ForeignRow(statement: handle))
      case SQLITE_DONE: return
      case let code: throw fault(database.fault(code, "statement"))
      }
    }
  }
}

/// One row of a module's statement: not to be kept.
struct ForeignRow {
  fileprivate let statement: OpaquePointer

  /// All values; the size of each is counted before it is copied.
  func values(count: Int, _ answer: inout ResultBudget) throws(ServiceError) -> [SQLParameter] {
    let row = SQLColumns(of: statement)
    var values: [SQLParameter] = []
    values.reserveCapacity(count)
    for column in 0..<Int32(clamping: count) {
      switch sqlite3_column_type(statement, column) {
      case SQLITE_INTEGER:
        try answer.add(bytes: 8)
        values.append(.integer(row.integer(column)))
      case SQLITE_FLOAT:
        try answer.add(bytes: 8)
        values.append(.real(sqlite3_column_double(statement, column)))
      case SQLITE_TEXT:
        try answer.add(bytes: Int(sqlite3_column_bytes(statement, column)))
        values.append(.text(row.text(column)))
      case SQLITE_BLOB:
        try answer.add(bytes: Int(sqlite3_column_bytes(statement, column)))
        values.append(.blob(row.blob(column)))
      default:
        try answer.add(bytes: 0)
        values.append(.null)
      }
    }
    return values
  }
}

extension SQLValue {
  /// A module's parameter.
  fileprivate init(_ parameter: SQLParameter) {
    self =
      switch parameter {
      case .null: .null
      case .integer(let value): .integer(value)
      case .real(let value): .real(value)
      case .text(let text): .text(text)
      case .blob(let bytes): .blob(bytes)
      }
  }
}
