import CSQLite

/// What holds SQLite on every connection: files may be damaged or forged, and statements may be a module's. Each fence
/// is attacked by a test.
package enum Fences {
  /// Whose tables a file holds.
  package enum Schema {
    /// Our own, which have neither triggers nor views: those of a forged file do not run.
    case ours
    /// The modules', who may make views.
    case modules
  }

  /// The last line, for the whole process, in bytes; a call's own share is far below it.
  package static let heapBytes: Int64 = 256 << 20

  /// Limits (https://www.sqlite.org/limits.html), each far above what an honest statement needs.
  package static let limits: [(option: Int32, value: Int32)] = [
    (SQLITE_LIMIT_LENGTH, Database.longestValue), (SQLITE_LIMIT_SQL_LENGTH, 64 << 10),
    (SQLITE_LIMIT_COLUMN, 256), (SQLITE_LIMIT_EXPR_DEPTH, 100), (SQLITE_LIMIT_COMPOUND_SELECT, 16),
    (SQLITE_LIMIT_VDBE_OP, 25_000), (SQLITE_LIMIT_FUNCTION_ARG, 16), (SQLITE_LIMIT_ATTACHED, 0),
    (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 256), (SQLITE_LIMIT_VARIABLE_NUMBER, 1_000),
    (SQLITE_LIMIT_TRIGGER_DEPTH, 4), (SQLITE_LIMIT_WORKER_THREADS, 0),
  ]

  /// Of each connection: nothing in files beside ours, and pages whose cells do not fit are found.
  static let pragmas = ["PRAGMA temp_store = MEMORY", "PRAGMA cell_size_check = ON"]

  /// Bounds what SQLite takes of this process's memory.
  static func boundProcess() { sqlite3_hard_heap_limit64(heapBytes) }

  /// Puts the fences around a connection, before its first statement.
  static func raise(around handle: OpaquePointer, schema: Schema) {
    var flags: [(Int32, Int32)] = [
      // A damaged or forged file must not run SQL of its own from its schema, and no statement may forge one.
      (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
      (SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0), (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
      (SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0), (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
      // A misspelt name in double quotes is a fault, not a text.
      (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0),
    ]
    if schema == .ours { flags.append((SQLITE_DBCONFIG_ENABLE_VIEW, 0)) }
    for (flag, value) in flags { _ = csqlite_set_flag(handle, flag, value) }
    for (option, value) in limits { sqlite3_limit(handle, option, value) }
  }
}
