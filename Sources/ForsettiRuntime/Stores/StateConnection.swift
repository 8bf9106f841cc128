import ForsettiSQLite
import Glibc

/// The connection to the state: every fault is a `StoreError` that names the file, and statements are literals.
final class StateConnection {
  private let database: Database

  /// Opens a file that is there already.
  init(path: String) throws(StoreError) {
    do { database = try Database(path: path) } catch { throw StoreError(error) }
  }

  /// Path of the file, for messages.
  var path: String { database.path }

  /// Runs one statement to its end.
  func run(_ sql: StaticString, _ values: SQLValue...) throws(StoreError) {
    do { try database.statement(sql.description).run(values) } catch { throw StoreError(error) }
  }

  /// All rows of a statement, each made into a value.
  func rows<T>(
    _ sql: StaticString, _ values: SQLValue..., make: (SQLRow) -> T
  ) throws(StoreError) -> [T] {
    do { return try database.statement(sql.description).rows(values, make: make) } catch {
      throw StoreError(error)
    }
  }

  /// The first row of a statement, if there is one.
  func row<T>(_ sql: StaticString, _ values: SQLValue..., make: (SQLRow) -> T) throws(StoreError) -> T? {
    do { return try database.statement(sql.description).first(values, make: make) } catch {
      throw StoreError(error)
    }
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
      if database.isInTransaction { try? run("ROLLBACK") }
      throw error
    }
  }
}

extension StoreError {
  /// What a fault of SQLite means for the state.
  init(_ fault: DatabaseFault) {
    let code = fault.systemError
    self =
      switch fault.kind {
      case .full: .full(path: fault.path)
      case .busy: .busy(path: fault.path)
      case .readOnly: .unwritable(path: fault.path, errno: code == 0 ? EROFS : code)
      case .cannotOpen: .unwritable(path: fault.path, errno: code == 0 ? EACCES : code)
      case .damaged: .damaged(path: fault.path, reason: fault.message)
      default: .failed(operation: fault.operation, code: fault.code, message: fault.message)
      }
  }
}
