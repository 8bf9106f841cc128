import CSQLite
import Glibc

/// What SQLite said no to.
package struct DatabaseFault: Error, Sendable, Hashable {
  /// What kind of fault it is, for who answers to others.
  package enum Kind: Sendable, Hashable {
    /// No room: ENOSPC, EDQUOT, the file size limit, or the database's own bound.
    case full
    case outOfMemory, tooLarge, busy, constraint, damaged, denied
    /// A statement that SQLite does not understand.
    case sql
    /// Time or memory of the call ran out.
    case interrupted
    case readOnly, cannotOpen, other
  }

  /// SQLite's extended result code.
  package var code: Int32
  /// SQLite's words, which may quote SQL but never hold a bound value.
  package var message: String
  /// The file.
  package var path: String
  /// The statement, or what else was tried.
  package var operation: String
  /// The error number of the system call that failed; 0 where none did.
  package var systemError: Int32
  /// What kind of fault it is.
  package var kind: Kind

  /// The last call on a connection.
  init(_ code: Int32, of handle: OpaquePointer?, path: String, operation: String) {
    self.code = code
    self.path = path
    self.operation = operation
    message =
      handle.flatMap(sqlite3_errmsg).map { String(cString: $0) } ?? String(cString: sqlite3_errstr(code))
    systemError = handle.map(sqlite3_system_errno) ?? 0
    kind = Self.kind(of: code, systemError: systemError)
  }

  /// A file that could not be made.
  init(notMade path: String, errno code: Int32) {
    self.code = SQLITE_CANTOPEN
    self.path = path
    operation = "open"
    message = "\(path): \(String(cString: strerror(code)))"
    systemError = code
    kind = .cannotOpen
  }

  /// A value that none of our statements writes.
  init(unexpectedType column: String, path: String, operation: String) {
    code = SQLITE_CORRUPT
    self.path = path
    self.operation = operation
    message = "\(column) holds a value of another type"
    systemError = 0
    kind = .damaged
  }

  /// A call of ours that SQLite has no answer to.
  init(misuse message: String, path: String, operation: String) {
    code = SQLITE_MISUSE
    self.path = path
    self.operation = operation
    self.message = message
    systemError = 0
    kind = .other
  }

  private static func kind(of code: Int32, systemError: Int32) -> Kind {
    switch code & 0xff {
    case SQLITE_FULL: .full
    case SQLITE_IOERR where [ENOSPC, EDQUOT, EFBIG].contains(systemError): .full
    // SQLite tells ENOSPC apart alone, and has often lost errno by now: a write that failed under a file size
    // limit failed by it.
    case SQLITE_IOERR where code == writeFailed && hasFileSizeLimit: .full
    case SQLITE_NOMEM: .outOfMemory
    case SQLITE_TOOBIG: .tooLarge
    case SQLITE_BUSY, SQLITE_LOCKED: .busy
    case SQLITE_CONSTRAINT: .constraint
    case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
    case SQLITE_AUTH: .denied
    // SCHEMA: how an unknown name is told of where no statement has read the schema yet.
    case SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_RANGE, SQLITE_SCHEMA: .sql
    case SQLITE_INTERRUPT, SQLITE_ABORT: .interrupted
    case SQLITE_READONLY, SQLITE_PERM: .readOnly
    case SQLITE_CANTOPEN: .cannotOpen
    default: .other
    }
  }

  /// SQLITE_IOERR_WRITE, a macro that Swift can't import.
  private static let writeFailed = SQLITE_IOERR | 3 << 8

  /// Whether `ulimit -f` bounds the files of this process.
  private static var hasFileSizeLimit: Bool {
    var limit = rlimit()
    return getrlimit(Int32(RLIMIT_FSIZE.rawValue), &limit) == 0 && limit.rlim_cur != .max
  }
}
