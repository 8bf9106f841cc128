import CSQLite
import ForsettiCore

/// What SQLite said no to.
struct DatabaseFault: Error, Sendable, Hashable {
  /// SQLite's extended result code.
  var code: Int32
  /// SQLite's words, which may quote SQL but never hold a bound value.
  var message: String

  /// The result code without its extension.
  var primary: Int32 { code & 0xff }

  /// As a module is told of it.
  var serviceError: ServiceError {
    switch primary {
    case SQLITE_FULL: .quotaExceeded("no room left for the database")
    case SQLITE_NOMEM: .quotaExceeded("the statement needs more memory than it may have")
    case SQLITE_TOOBIG: .tooLarge(limit: UInt64(Database.longestValue))
    case SQLITE_BUSY, SQLITE_LOCKED: .failed(code: "busy", message: "the database is in use; try again")
    case SQLITE_CONSTRAINT: .failed(code: "constraint", message: message)
    case SQLITE_CORRUPT, SQLITE_NOTADB: .failed(code: "damaged", message: message)
    case SQLITE_AUTH: .serviceDenied(.policy, detail: message)
    case SQLITE_ERROR: .failed(code: "sql", message: message)
    case SQLITE_MISMATCH, SQLITE_RANGE: .failed(code: "sql", message: message)
    default: .failed(code: "database", message: "\(message) (SQLite \(code))")
    }
  }
}
