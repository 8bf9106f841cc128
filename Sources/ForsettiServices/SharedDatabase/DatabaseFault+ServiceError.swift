import ForsettiCore
import ForsettiSQLite

extension DatabaseFault {
  /// As a module is told of it.
  var serviceError: ServiceError {
    switch kind {
    case .full: .quotaExceeded("no room left for the database")
    case .outOfMemory: .quotaExceeded("the statement needs more memory than it may have")
    case .tooLarge: .tooLarge(limit: UInt64(Database.longestValue))
    case .busy: .failed(code: "busy", message: "the database is in use; try again")
    case .constraint: .failed(code: "constraint", message: message)
    case .damaged: .failed(code: "damaged", message: message)
    case .denied: .serviceDenied(.policy, detail: message)
    case .sql: .failed(code: "sql", message: message)
    case .interrupted: .deadlineExceeded
    case .readOnly, .cannotOpen, .other: .failed(code: "database", message: "\(message) (SQLite \(code))")
    }
  }
}
