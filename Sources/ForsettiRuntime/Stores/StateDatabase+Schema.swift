import ForsettiSQLite

extension StateDatabase {
  /// The version of the tables below, kept in `user_version`.
  static let version = Int64(steps.count)
  /// "Fors" in ASCII: `application_id`, so that another program's database is not taken for ours.
  private static let applicationID: Int64 = 0x466f_7273

  /// What leads from each version to the next. A version that was in use once is never edited: state of its age must
  /// come out the same.
  private static let steps: [[StaticString]] = [tables, quarantines]

  /// Module IDs compare without case (SPEC §5), hence NOCASE, which folds ASCII alone.
  private static let tables: [StaticString] = [
    """
    CREATE TABLE activation (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      first_boot_done INTEGER NOT NULL,
      selected_ui TEXT
    ) STRICT
    """,
    """
    CREATE TABLE desired (
      kind TEXT NOT NULL CHECK (kind IN ('service', 'ui')),
      module_id TEXT NOT NULL,
      PRIMARY KEY (kind, module_id)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE registrations (
      module_id TEXT NOT NULL COLLATE NOCASE PRIMARY KEY,
      record TEXT NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE acceptances (
      module_id TEXT NOT NULL COLLATE NOCASE PRIMARY KEY,
      manifest_sha256 TEXT NOT NULL,
      executable_sha256 TEXT,
      origin TEXT NOT NULL,
      data TEXT CHECK (data IN ('keep', 'erase')),
      accepted_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    // AUTOINCREMENT: a slot once given is never given again, whatever happens to its row.
    """
    CREATE TABLE user_ids (
      slot INTEGER PRIMARY KEY AUTOINCREMENT,
      module_id TEXT NOT NULL COLLATE NOCASE,
      origin TEXT NOT NULL,
      UNIQUE (module_id, origin)
    ) STRICT
    """,
    """
    CREATE TABLE restarts (
      module_id TEXT NOT NULL COLLATE NOCASE,
      ended_at INTEGER NOT NULL
    ) STRICT
    """,
    "CREATE INDEX restarts_of_module ON restarts (module_id)",
  ]

  private static let quarantines: [StaticString] = [
    """
    CREATE TABLE quarantines (
      module_id TEXT NOT NULL COLLATE NOCASE PRIMARY KEY,
      cause TEXT NOT NULL,
      ends INTEGER NOT NULL,
      within INTEGER NOT NULL,
      since INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID
    """
  ]

  /// Brings a database to this version; one of a newer version is not touched.
  func prepare() throws(StoreError) {
    let found = try pragma("PRAGMA user_version")
    guard found <= Self.version else {
      throw .newerVersion(path: database.path, found: Int(found), supported: Int(Self.version))
    }
    guard found >= 0 else { throw .damaged(path: database.path, reason: "its version is \(found)") }
    let isPopulated = try Self.isPopulated(database)
    if found != 0 || isPopulated {
      guard try pragma("PRAGMA application_id") == Self.applicationID else {
        throw .damaged(path: database.path, reason: "it is another program's database")
      }
    }
    let mode = try database.row("PRAGMA journal_mode = WAL") { $0.text(0) }
    guard mode == "wal" else {
      throw .failed(
        operation: "PRAGMA journal_mode", code: 1, message: "its file system has no shared memory")
    }
    // In WAL mode NORMAL could lose the last commits at a power cut; a person's change is worth an fsync.
    try database.run("PRAGMA synchronous = FULL")
    try database.run("PRAGMA journal_size_limit = 1048576")
    if found < Self.version { try upgrade() }
    try checkPages()
  }

  /// Whether the file holds any table.
  static func isPopulated(_ database: StateConnection) throws(StoreError) -> Bool {
    let count = try database.row("SELECT count(*) FROM sqlite_schema") { $0.integer(0) }
    return (count ?? 0) > 0
  }

  private func upgrade() throws(StoreError) {
    try database.transaction { () throws(StoreError) in
      // Asked again under the write lock: another process may have been first.
      let found = try pragma("PRAGMA user_version")
      guard (0..<Self.version).contains(found) else { return }
      for statement in Self.steps.dropFirst(Int(found)).joined() { try database.run(statement) }
      try database.run("PRAGMA application_id = 0x466f7273")
      try database.run("PRAGMA user_version = 2")
    }
  }

  private func checkPages() throws(StoreError) {
    let verdict = try database.row("PRAGMA quick_check(1)") { $0.text(0) }
    guard verdict == "ok" else { throw .damaged(path: database.path, reason: verdict ?? "no verdict") }
  }

  private func pragma(_ sql: StaticString) throws(StoreError) -> Int64 {
    try database.row(sql) { $0.integer(0) } ?? 0
  }
}
