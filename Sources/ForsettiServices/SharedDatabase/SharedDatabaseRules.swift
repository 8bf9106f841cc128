import CSQLite
import ForsettiCore

/// What a module's SQL may do, as SQLite asks while it prepares a statement (sqlite3_set_authorizer(3)).
/// Everything that is not allowed here is denied, so that what a later SQLite adds is denied too.
struct SharedDatabaseRules {
  /// Whether the statement drops or renames a table, for which SQLite itself changes `sqlite_sequence`.
  private var isChangingTable = false

  /// Whether an action is allowed; `first` and `second` are what SQLite's documentation says of the action.
  mutating func allows(_ action: Int32, _ first: String?, _ second: String?) -> Bool {
    let isAllowed = Self.allows(action, first, second)
    if isAllowed, action == SQLITE_DROP_TABLE || action == SQLITE_ALTER_TABLE { isChangingTable = true }
    let isSequence = first?.lowercased() == Self.sequenceTable
    return isAllowed
      || (isChangingTable && isSequence && (action == SQLITE_DELETE || action == SQLITE_UPDATE))
  }

  private static func allows(_ action: Int32, _ first: String?, _ second: String?) -> Bool {
    switch action {
    case SQLITE_SELECT, SQLITE_RECURSIVE: true
    case SQLITE_READ: mayRead(first ?? "")
    case SQLITE_INSERT, SQLITE_DELETE, SQLITE_UPDATE: mayWrite(first ?? "")
    // The sequence table is made with the first AUTOINCREMENT; no statement can name it in a CREATE.
    case SQLITE_CREATE_TABLE: isOrdinary(first ?? "") || first?.lowercased() == sequenceTable
    case SQLITE_DROP_TABLE, SQLITE_CREATE_VIEW, SQLITE_DROP_VIEW: isOrdinary(first ?? "")
    // For an index the first is its own name, which SQLite may give itself, the second the table's.
    case SQLITE_CREATE_INDEX, SQLITE_DROP_INDEX: isOrdinary(second ?? "")
    case SQLITE_ALTER_TABLE: isOrdinary(second ?? "")
    case SQLITE_REINDEX: true
    case SQLITE_FUNCTION: mayCall(second ?? "")
    // Triggers would run a module's statements in the calls of others. Transactions are ours. ATTACH (and so
    // VACUUM), PRAGMA, virtual tables, ANALYZE and the temporary schema are nobody's.
    default: false
    }
  }

  private static let sequenceTable = "sqlite_sequence"
  /// Tables that are the schema itself: SQLite writes them for CREATE and the like, and refuses (DEFENSIVE) what
  /// a statement writes there directly.
  private static let schemaTables: Set<String> = [
    "sqlite_master", "sqlite_schema", "sqlite_temp_master", "sqlite_temp_schema",
  ]
  /// What ALTER TABLE calls inside; no statement can name them itself.
  private static let alterFunctions: Set<String> = [
    "sqlite_rename_table", "sqlite_rename_column", "sqlite_rename_test", "sqlite_rename_quotefix",
    "sqlite_drop_column", "sqlite_fail",
  ]
  /// Virtual tables that need no CREATE.
  private static let harmlessTables: Set<String> = ["json_each", "json_tree"]
  private static let eponymousTables: Set<String> = [
    "dbstat", "bytecode", "tables_used", "completion", "generate_series", "carray", "fsdir", "csv",
  ]
  private static let deniedFunctions: Set<String> = [
    "load_extension", "fts3_tokenizer", "readfile", "writefile", "edit",
  ]

  private static func mayRead(_ table: String) -> Bool {
    let table = table.lowercased()
    if schemaTables.contains(table) || table == sequenceTable || harmlessTables.contains(table) {
      return true
    }
    return isOrdinary(table) && !eponymousTables.contains(table)
  }

  private static func mayWrite(_ table: String) -> Bool {
    schemaTables.contains(table.lowercased()) || isOrdinary(table)
  }

  /// Whether a table is one of the modules': not SQLite's own, and not a PRAGMA in the form of a table.
  private static func isOrdinary(_ table: String) -> Bool {
    let table = table.lowercased()
    return !table.hasPrefix("sqlite_") && !table.hasPrefix("pragma_")
  }

  private static func mayCall(_ function: String) -> Bool {
    let function = function.lowercased()
    if alterFunctions.contains(function) { return true }
    return !function.hasPrefix("sqlite_") && !deniedFunctions.contains(function)
  }
}
