import CSQLite

/// One row of a statement of ours: not to be kept. A value of another type than is asked for is a fault of the
/// statement, once the row is read: no version of ours wrote it.
package struct SQLRow {
  // Its statement is in the middle of a step.
  unowned let statement: Statement

  /// The integer in a column.
  package func integer(_ column: Int32) -> Int64 {
    expect(SQLITE_INTEGER, column)
    return statement.columns.integer(column)
  }

  /// The text in a column.
  package func text(_ column: Int32) -> String {
    expect(SQLITE_TEXT, column)
    return statement.columns.text(column)
  }

  /// The text in a column, or `nil` for NULL.
  package func optionalText(_ column: Int32) -> String? {
    sqlite3_column_type(statement.handle, column) == SQLITE_NULL ? nil : text(column)
  }

  /// The bytes in a column.
  package func blob(_ column: Int32) -> [UInt8] {
    expect(SQLITE_BLOB, column)
    return statement.columns.blob(column)
  }

  /// The bytes in a column as text.
  package func utf8(_ column: Int32) -> String { String(decoding: blob(column), as: UTF8.self) }

  private func expect(_ type: Int32, _ column: Int32) {
    guard sqlite3_column_type(statement.handle, column) != type else { return }
    let name = sqlite3_column_name(statement.handle, column)
    statement.unexpected = name.map { String(cString: $0) } ?? "column \(column)"
  }
}

/// The columns of the row that a statement stands on, whatever their types: SQLite converts what is asked for otherwise.
package struct SQLColumns {
  let statement: OpaquePointer

  /// Reads of a statement that has a row.
  package init(of statement: OpaquePointer) { self.statement = statement }

  /// The integer in a column; 0 for what is none.
  package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

  /// The text in a column; empty for NULL.
  package func text(_ column: Int32) -> String {
    guard let bytes = sqlite3_column_text(statement, column) else { return "" }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  /// The bytes in a column.
  package func blob(_ column: Int32) -> [UInt8] {
    // The address first: the call may change the form of the value, and so its length.
    let address = sqlite3_column_blob(statement, column)
    return [UInt8](
      UnsafeRawBufferPointer(start: address, count: Int(sqlite3_column_bytes(statement, column))))
  }
}
