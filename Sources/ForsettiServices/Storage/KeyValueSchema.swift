import ForsettiSQLite

/// The tables of storage and secure storage, and the statements on them.
struct KeyValueSchema {
  private static let tables = """
    CREATE TABLE IF NOT EXISTS namespaces (
      id INTEGER PRIMARY KEY,
      module_id TEXT NOT NULL,
      origin TEXT NOT NULL,
      kind INTEGER NOT NULL,
      store BLOB NOT NULL,
      UNIQUE (module_id, origin, kind, store)
    ) STRICT;
    CREATE TABLE IF NOT EXISTS items (
      id INTEGER PRIMARY KEY,
      namespace INTEGER NOT NULL,
      key BLOB NOT NULL,
      value BLOB NOT NULL,
      UNIQUE (namespace, key)
    ) STRICT;
    CREATE TABLE IF NOT EXISTS key_check (only_one INTEGER PRIMARY KEY CHECK (only_one = 1), sealed BLOB NOT NULL)
      STRICT;
    """

  let begin: Statement
  let commit: Statement
  let rollback: Statement
  let findNamespace: Statement
  let addNamespace: Statement
  let usage: Statement
  let size: Statement
  let set: Statement
  let value: Statement
  let remove: Statement
  let keys: Statement
  let keysInPrefix: Statement
  let eraseItems: Statement
  let eraseNamespaces: Statement

  init(_ database: Database) throws(DatabaseFault) {
    try database.run(Self.tables)
    begin = try database.statement("BEGIN IMMEDIATE")
    commit = try database.statement("COMMIT")
    rollback = try database.statement("ROLLBACK")
    findNamespace = try database.statement(
      "SELECT id FROM namespaces WHERE module_id = ? AND origin = ? AND kind = ? AND store = ?")
    addNamespace = try database.statement(
      "INSERT INTO namespaces (module_id, origin, kind, store) VALUES (?, ?, ?, ?) RETURNING id")
    usage = try database.statement(
      """
      SELECT coalesce(sum(length(key) + length(value)), 0), count(*) FROM items WHERE namespace IN
      (SELECT id FROM namespaces WHERE module_id = ? AND origin = ? AND kind = ?)
      """)
    size = try database.statement(
      "SELECT length(key) + length(value) FROM items WHERE namespace = ? AND key = ?")
    set = try database.statement(
      """
      INSERT INTO items (namespace, key, value) VALUES (?, ?, ?)
      ON CONFLICT (namespace, key) DO UPDATE SET value = excluded.value
      """)
    value = try database.statement("SELECT value FROM items WHERE namespace = ? AND key = ?")
    remove = try database.statement("DELETE FROM items WHERE namespace = ? AND key = ?")
    keys = try database.statement(
      "SELECT key FROM items WHERE namespace = ? AND key >= ? AND key > ? ORDER BY key LIMIT ?")
    keysInPrefix = try database.statement(
      "SELECT key FROM items WHERE namespace = ? AND key >= ? AND key > ? AND key < ? ORDER BY key LIMIT ?")
    eraseItems = try database.statement(
      """
      DELETE FROM items WHERE namespace IN
      (SELECT id FROM namespaces WHERE module_id = ? AND origin = ?)
      """)
    eraseNamespaces = try database.statement("DELETE FROM namespaces WHERE module_id = ? AND origin = ?")
  }
}
