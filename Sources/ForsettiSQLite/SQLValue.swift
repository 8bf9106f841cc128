import CSQLite

/// A value to bind.
package enum SQLValue: Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
  /// The UTF-8 of a text as a blob: compared byte for byte, NUL and all.
  case bytes(of: String)

  /// Text, or NULL.
  package static func optional(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null }
}

extension SQLValue {
  /// Binds a copy of the value; returns SQLite's code.
  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
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
