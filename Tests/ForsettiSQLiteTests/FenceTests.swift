import CSQLite
import Glibc
import Testing

@testable import ForsettiSQLite

/// A file in a folder of its own, which goes with it.
private final class ForgedFile {
  let folder: String
  var path: String { folder + "/f.sqlite" }

  /// Writes the file with an SQLite that has no fences.
  init(_ sql: String) throws {
    var template = Array("/tmp/forsetti-sqlite-XXXXXX".utf8CString)
    folder = String(cString: try #require(mkdtemp(&template)))
    var handle: OpaquePointer?
    try #require(sqlite3_open(path, &handle) == SQLITE_OK)
    defer { sqlite3_close(handle) }
    try #require(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
  }

  deinit {
    for ending in ["", "-wal", "-shm"] { unlink(path + ending) }
    rmdir(folder)
  }
}

/// Each fence is attacked, with files that an SQLite without fences wrote.
@Suite("SQLite behind its fences")
struct FenceTests {
  private func kind(_ body: () throws(DatabaseFault) -> Void) -> DatabaseFault.Kind? {
    do { try body() } catch { return error.kind }
    return nil
  }

  @Test("a trigger in a forged file does not run", arguments: [Fences.Schema.ours, .modules])
  func trigger(schema: Fences.Schema) throws {
    let file = try ForgedFile(
      """
      CREATE TABLE t (x); CREATE TABLE stolen (x);
      CREATE TRIGGER steal AFTER INSERT ON t BEGIN INSERT INTO stolen VALUES (new.x); END;
      """)
    let database = try Database(path: file.path, schema: schema)
    try database.statement("INSERT INTO t VALUES (?)").run(.text("secret"))
    #expect(try database.statement("SELECT count(*) FROM stolen").first { $0.integer(0) } == 0)
  }

  @Test("a view in a forged file of ours is not read, one of the modules is, without functions that act")
  func view() throws {
    let file = try ForgedFile("CREATE VIEW v AS SELECT 1 AS x; CREATE VIEW w AS SELECT load_extension('x')")
    let ours = try Database(path: file.path)
    #expect(kind { () throws(DatabaseFault) in try ours.run("SELECT * FROM v") } == .sql)
    let modules = try Database(path: file.path, schema: .modules)
    #expect(try modules.statement("SELECT x FROM v").first { $0.integer(0) } == 1)
    #expect(kind { () throws(DatabaseFault) in try modules.run("SELECT * FROM w") } == .sql)
  }

  @Test(
    "what reaches beyond the file or forges its schema is refused",
    arguments: [
      "ATTACH '/tmp/other.sqlite' AS other", "SELECT load_extension('/tmp/evil.so')",
      "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'x'", "DELETE FROM sqlite_schema",
      "SELECT fts3_tokenizer('simple', x'00')", "CREATE INDEX i ON t (\"text\")", "SELECT \"text\"",
    ])
  func beyond(sql: String) throws {
    let file = try ForgedFile("CREATE TABLE t (x)")
    defer { withExtendedLifetime(file) {} }
    let database = try Database(path: file.path)
    do {
      try database.run(sql)
      Issue.record("it ran")
    } catch { #expect(error.kind == .sql, "\(error)") }
    #expect(access("/tmp/other.sqlite", F_OK) != 0)
  }

  @Test("a statement without end is ended by its time")
  func time() throws {
    let file = try ForgedFile("CREATE TABLE t (x)")
    let database = try Database(
      path: file.path, ownAllowance: .init(milliseconds: 20, memoryBytes: 64 << 20))
    let endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c"
    #expect(kind { () throws(DatabaseFault) in try database.run(endless) } == .interrupted)
    let statement = try database.statement(endless)
    #expect(kind { () throws(DatabaseFault) in try statement.run() } == .interrupted)
    #expect(try database.statement("SELECT 1").first { $0.integer(0) } == 1)
  }

  @Test("a statement that takes memory without end is ended by its share")
  func memory() throws {
    let file = try ForgedFile("CREATE TABLE t (x)")
    let database = try Database(
      path: file.path, ownAllowance: .init(milliseconds: 600_000, memoryBytes: 2 << 20))
    let hungry = """
      WITH RECURSIVE c(x, y) AS (SELECT 1, randomblob(1000) UNION ALL SELECT x + 1, randomblob(1000) FROM c)
      SELECT y FROM c ORDER BY y
      """
    #expect(kind { () throws(DatabaseFault) in try database.run(hungry) } == .interrupted)
    #expect(sqlite3_hard_heap_limit64(-1) == Fences.heapBytes)
  }

  /// A statement, repeated in its middle.
  struct Large: Sendable {
    var start: String
    var middle: String
    var count: Int
    var end = ""
    var kind = DatabaseFault.Kind.sql
    var sql: String { start + String(repeating: middle, count: count) + end }
  }

  static let largeStatements: [Large] = [
    Large(start: "SELECT zeroblob(3000000)", middle: "", count: 0, kind: .tooLarge),
    Large(start: "SELECT '", middle: "x", count: 70_000, end: "'", kind: .tooLarge),
    Large(start: "SELECT 1", middle: " + 1", count: 200),
    Large(start: "SELECT 1", middle: " UNION ALL SELECT 1", count: 40),
    Large(start: "SELECT max(1", middle: ", 1", count: 40, end: ")"),
    Large(start: "SELECT 'a' LIKE '", middle: "%a", count: 400, end: "'"),
    Large(start: "SELECT 1", middle: ", 1", count: 400),
  ]

  @Test("what is larger than an honest statement is refused", arguments: largeStatements)
  func large(statement: Large) throws {
    let file = try ForgedFile("CREATE TABLE t (x)")
    defer { withExtendedLifetime(file) {} }
    let database = try Database(path: file.path)
    let sql = statement.sql
    #expect(kind { () throws(DatabaseFault) in try database.run(sql) } == statement.kind)
  }

  @Test("every limit of the table holds on every connection")
  func limits() throws {
    let file = try ForgedFile("CREATE TABLE t (x)")
    defer { withExtendedLifetime(file) {} }
    let database = try Database(path: file.path)
    for (option, value) in Fences.limits {
      #expect(sqlite3_limit(database.handle, option, -1) == value, "limit \(option)")
    }
  }

  @Test("a value of a type that we never write is a fault, and the statement is good for another try")
  func type() throws {
    let file = try ForgedFile("CREATE TABLE t (k, v); INSERT INTO t VALUES (1, 'text'), (2, 7), (3, NULL)")
    let database = try Database(path: file.path)
    let statement = try database.statement("SELECT v FROM t WHERE k = ?")
    #expect(
      kind { () throws(DatabaseFault) in _ = try statement.first(.integer(1)) { $0.integer(0) } } == .damaged)
    #expect(
      kind { () throws(DatabaseFault) in _ = try statement.rows(.integer(2)) { $0.blob(0) } } == .damaged)
    #expect(try statement.first(.integer(2)) { $0.integer(0) } == 7)
    #expect(try statement.first(.integer(3)) { $0.optionalText(0) } == .some(nil))
  }

  @Test("the authorizer is asked of everything, and what it denies does not happen")
  func authorizer() throws {
    let file = try ForgedFile("CREATE TABLE t (x)")
    defer { withExtendedLifetime(file) {} }
    let database = try Database(path: file.path)
    database.authorize { action, _, _ in action != SQLITE_DROP_TABLE }
    #expect(kind { () throws(DatabaseFault) in try database.run("DROP TABLE t") } == .denied)
    #expect(try database.statement("SELECT count(*) FROM t").first { $0.integer(0) } == 0)
  }

  @Test("no file is opened through a link, nor made where one is")
  func link() throws {
    let file = try ForgedFile("CREATE TABLE t (x)")
    let link = file.folder + "/link.sqlite"
    try #require(symlink(file.path, link) == 0)
    defer { unlink(link) }
    #expect(kind { () throws(DatabaseFault) in _ = try Database(path: link) } == .cannotOpen)
    #expect(
      kind { () throws(DatabaseFault) in _ = try Database.make(path: link, durability: .full) } == .cannotOpen
    )
  }
}
