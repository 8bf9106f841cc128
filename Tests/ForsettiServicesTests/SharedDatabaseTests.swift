import ForsettiCore
import ForsettiTestKit
import Foundation
import Glibc
import Testing

@testable import ForsettiServices

@Suite struct SharedDatabaseTests {
  private func isDenied(_ error: any Error) -> Bool {
    guard case ServiceError.serviceDenied(.policy, _) = error else { return false }
    return true
  }

  private func refusal(_ error: any Error) -> String {
    switch error as? ServiceError {
    case .serviceDenied(.policy, _): "denied"
    case .failed(let code, _): code
    case .invalidArgument(let name, _): name
    case .tooLarge: "too large"
    case .quotaExceeded: "quota"
    case .deadlineExceeded: "deadline"
    default: "\(error)"
    }
  }

  /// What a call ends in: `done`, or the kind of its refusal.
  private func outcome(_ body: () async throws -> Void) async -> String {
    do {
      try await body()
      return "done"
    } catch { return refusal(error) }
  }

  @Test("every kind of value goes in and comes out, and all modules see it") func values() async throws {
    let services = try await Scratch().services()
    let one = services.sharedDatabase(caller("a.one"))
    let two = services.sharedDatabase(caller("a.two"))
    _ = try await one.execute(SQLStatement("CREATE TABLE t (a, b, c, d, e)"))
    let row: [SQLParameter] = [
      .null, .integer(.min), .real(1.5), .text("a\0b'; DROP TABLE t; --"), .blob([0, 255]),
    ]
    #expect(try await one.execute(SQLStatement("INSERT INTO t VALUES (?, ?, ?, ?, ?)", row)) == 1)
    let rows = try await two.query(SQLStatement("SELECT a, b, c, d, e AS blob FROM t"))
    #expect(rows == SQLRows(columns: ["a", "b", "c", "d", "blob"], rows: [row]))
    #expect(
      try await two.execute(SQLStatement("UPDATE t SET a = ?", [.text("")])) == 1)
    #expect(try await one.query(SQLStatement("SELECT a FROM t")).rows == [[.text("")]])
    #expect(try await two.execute(SQLStatement("DELETE FROM t")) == 1)
  }

  @Test("ordinary schema changes work: columns, renames, indices, views, AUTOINCREMENT, foreign keys")
  func schema() async throws {
    let database = try await Scratch().services().sharedDatabase(caller())
    for text in [
      "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT NOT NULL CHECK (length(a) < 9))",
      "INSERT INTO t (a) VALUES ('x'), ('y')", "CREATE INDEX i ON t (a)",
      "CREATE UNIQUE INDEX u ON t (a, id)",
      "CREATE VIEW v AS SELECT a, count(*) FROM t GROUP BY a", "ALTER TABLE t ADD COLUMN b DEFAULT 1",
      "ALTER TABLE t RENAME COLUMN b TO c", "ALTER TABLE t DROP COLUMN c",
      "CREATE TABLE f (t REFERENCES t (id) ON DELETE CASCADE)", "INSERT INTO f VALUES (1)",
      "DELETE FROM t WHERE id = 1", "DROP VIEW v", "DROP INDEX i", "REINDEX t", "DROP TABLE f",
    ] {
      _ = try await database.execute(SQLStatement(text))
    }
    #expect(
      try await database.query(SQLStatement("SELECT id, a FROM t")).rows == [[.integer(2), .text("y")]])
  }

  @Test(
    "what reaches beyond the shared tables is refused",
    arguments: [
      ("ATTACH '/etc/passwd' AS x", "denied"), ("ATTACH ':memory:' AS x", "denied"),
      ("DETACH main", "denied"),
      ("PRAGMA journal_mode = OFF", "denied"), ("PRAGMA writable_schema = ON", "denied"),
      ("PRAGMA database_list", "denied"), ("SELECT * FROM pragma_database_list", "denied"),
      ("SELECT file FROM pragma_database_list('main')", "denied"),
      ("SELECT load_extension('x')", "denied"),
      ("SELECT fts3_tokenizer('x')", "denied"), ("ANALYZE", "denied"), ("BEGIN", "denied"),
      ("COMMIT", "denied"),
      ("ROLLBACK", "denied"), ("SAVEPOINT s", "denied"), ("RELEASE s", "denied"),
      ("CREATE TEMP TABLE x (a)", "denied"), ("CREATE TEMP VIEW x AS SELECT 1", "denied"),
      ("CREATE TEMP TRIGGER x AFTER INSERT ON t BEGIN SELECT 1; END", "denied"),
      ("CREATE TRIGGER x AFTER INSERT ON t BEGIN DELETE FROM t; END", "denied"),
      ("CREATE VIRTUAL TABLE x USING fts5(a)", "denied"), ("CREATE VIRTUAL TABLE x USING dbstat", "denied"),
      ("SELECT * FROM sqlite_dbpage", "sql"), ("SELECT * FROM dbstat", "denied"),
      ("INSERT INTO sqlite_sequence VALUES ('t', 9)", "denied"), ("DELETE FROM sqlite_sequence", "denied"),
      ("UPDATE sqlite_schema SET sql = 'x'", "sql"), ("DELETE FROM sqlite_master", "sql"),
      ("INSERT INTO sqlite_temp_master VALUES (1, 2, 3, 4, 5)", "sql"), ("CREATE TABLE sqlite_x (a)", "sql"),
      ("EXPLAIN SELECT 1", "denied"), ("EXPLAIN QUERY PLAN SELECT 1", "denied"),
      ("SELECT sqlite_compileoption_get(1)", "denied"), ("SELECT sqlite_rename_test(1)", "sql"),
      ("SELECT sqlite_log(1, 'x')", "denied"), ("SELECT 1; DROP TABLE t", "statement"),
      ("SELECT 1; ; SELECT 2", "statement"), ("", "statement"), ("  -- nothing", "statement"),
      (";", "statement"),
      ("SELECT 1\0; DROP TABLE t", "statement"), ("SELECT ?", "parameters"), ("SELEC 1", "sql"),
      ("SELECT * FROM missing", "sql"), ("SELECT \"missing\"", "sql"),
    ])
  func refused(text: String, kind: String) async throws {
    let database = try await Scratch().services().sharedDatabase(caller())
    _ = try await database.execute(SQLStatement("CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT)"))
    let before = try await database.query(SQLStatement("SELECT name, sql FROM sqlite_schema ORDER BY name"))
    for call in ["query", "execute", "transaction"] {
      let found = await outcome {
        switch call {
        case "query": _ = try await database.query(SQLStatement(text))
        case "execute": _ = try await database.execute(SQLStatement(text))
        default: _ = try await database.transaction([SQLStatement(text)])
        }
      }
      #expect(found == kind, "\(call)")
    }
    #expect(
      try await database.query(SQLStatement("SELECT name, sql FROM sqlite_schema ORDER BY name")) == before)
  }

  @Test("VACUUM, which attaches, is refused and copies nothing") func vacuum() async throws {
    let scratch = try Scratch()
    let database = try await scratch.services().sharedDatabase(caller())
    for text in ["VACUUM", "VACUUM INTO '\(scratch("copy"))'"] {
      #expect(await outcome { _ = try await database.execute(SQLStatement(text)) } == "denied")
      #expect(await outcome { _ = try await database.query(SQLStatement(text)) } == "statement")
      #expect(await outcome { _ = try await database.transaction([SQLStatement(text)]) } == "sql")
    }
    #expect(Glibc.access(scratch("copy"), F_OK) != 0)
  }

  @Test(
    "a comment after the statement is no second statement",
    arguments: ["SELECT 1;", "SELECT 1; -- x", "SELECT 1 /* ; */ ; ;"])
  func trailing(text: String) async throws {
    let database = try await Scratch().services().sharedDatabase(caller())
    #expect(try await database.query(SQLStatement(text)).rows == [[.integer(1)]])
  }

  @Test("query changes nothing and execute changes something") func access() async throws {
    let database = try await Scratch().services().sharedDatabase(caller())
    _ = try await database.execute(SQLStatement("CREATE TABLE t (a)"))
    for text in ["INSERT INTO t VALUES (1)", "INSERT INTO t VALUES (1) RETURNING a", "DROP TABLE t"] {
      #expect(await outcome { _ = try await database.query(SQLStatement(text)) } == "statement")
    }
    #expect(await outcome { _ = try await database.execute(SQLStatement("SELECT 1")) } == "statement")
    #expect(try await database.query(SQLStatement("SELECT count(*) FROM t")).rows == [[.integer(0)]])
  }

  @Test("a transaction takes effect as a whole or not at all") func transaction() async throws {
    let scratch = try Scratch()
    let database = try await scratch.services().sharedDatabase(caller())
    let results = try await database.transaction([
      SQLStatement("CREATE TABLE t (a UNIQUE)"), SQLStatement("INSERT INTO t VALUES (?)", [.integer(1)]),
      SQLStatement("SELECT a FROM t"), SQLStatement("INSERT INTO t VALUES (2) RETURNING a * 10 AS x"),
    ])
    #expect(results.map(\.rows) == [[], [], [[.integer(1)]], [[.integer(20)]]])
    for last in ["INSERT INTO t VALUES (1), (1)", "SELEC", "ATTACH 'x' AS y", "COMMIT"] {
      await #expect(throws: ServiceError.self) {
        _ = try await database.transaction([SQLStatement("DELETE FROM t"), SQLStatement(last)])
      }
      #expect(try await database.query(SQLStatement("SELECT a FROM t ORDER BY a")).rows.count == 2, "\(last)")
    }
    // Others' calls are not held up by what failed.
    #expect(try await database.execute(SQLStatement("DELETE FROM t")) == 2)
    #expect(
      try await scratch.services().sharedDatabase(caller()).query(SQLStatement("SELECT * FROM t")).rows == [])
  }

  @Test(
    "SQL that never ends runs out of time, and the database goes on",
    arguments: [
      "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c",
      "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 999) SELECT count(*) FROM c, c d, c e, c f",
    ])
  func endless(text: String) async throws {
    let services = try await Scratch().services { $0.sharedDatabase.milliseconds = 100 }
    let database = services.sharedDatabase(caller())
    #expect(await outcome { _ = try await database.query(SQLStatement(text)) } == "deadline")
    #expect(try await database.query(SQLStatement("SELECT 1")).rows == [[.integer(1)]])
  }

  @Test(
    "SQL that eats memory runs out of its share",
    arguments: [
      "WITH RECURSIVE c(x) AS (SELECT 1 UNION SELECT x + 1 FROM c) SELECT count(*) FROM c",
      "WITH RECURSIVE c(x) AS (SELECT randomblob(100000) UNION ALL SELECT randomblob(100000) FROM c) SELECT count(*) FROM (SELECT x FROM c ORDER BY x)",
    ])
  func memory(text: String) async throws {
    let services = try await Scratch().services {
      $0.sharedDatabase.milliseconds = 60_000
      $0.sharedDatabase.memoryBytes = 8 << 20
    }
    let database = services.sharedDatabase(caller())
    #expect(await outcome { _ = try await database.query(SQLStatement(text)) } == "quota")
    #expect(try await database.query(SQLStatement("SELECT 1")).rows == [[.integer(1)]])
  }

  @Test("answers, texts and values are bounded") func bounds() async throws {
    let services = try await Scratch().services { $0.sharedDatabase.rows = 100 }
    let database = services.sharedDatabase(caller())
    let counting = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT ?) "
    #expect(
      try await database.query(SQLStatement(counting + "SELECT x FROM c", [.integer(100)])).rows.count == 100)
    for statement in [
      SQLStatement(counting + "SELECT x FROM c", [.integer(101)]),
      SQLStatement(counting + "SELECT zeroblob(100000) FROM c", [.integer(50)]),
      SQLStatement("SELECT zeroblob(2000000000)"),
      SQLStatement("SELECT ?", [.blob([UInt8](repeating: 0, count: 1 << 21))]),
      SQLStatement(String(repeating: " ", count: 64 << 10) + "SELECT 1"),
    ] {
      #expect(
        await outcome { _ = try await database.query(statement) } == "too large",
        "\(statement.text.suffix(40))")
    }
    let deep = String(repeating: "(", count: 200) + "1" + String(repeating: ")", count: 200)
    let wide = (0..<300).map { "\($0)" }.joined(separator: ",")
    let compound = (0..<20).map { "SELECT \($0)" }.joined(separator: " UNION ALL ")
    for text in ["SELECT \(deep)", "SELECT \(wide)", compound, "SELECT max(\(wide))"] {
      #expect(
        await outcome { _ = try await database.query(SQLStatement(text)) } == "sql", "\(text.prefix(40))")
    }
    let many = [SQLStatement](repeating: SQLStatement("SELECT 1"), count: 257)
    #expect(await outcome { _ = try await database.transaction(many) } == "statements")
  }

  @Test("the database as a whole is bounded") func size() async throws {
    let services = try await Scratch().services { $0.sharedDatabase.databaseBytes = 1 << 20 }
    let database = services.sharedDatabase(caller())
    _ = try await database.execute(SQLStatement("CREATE TABLE t (a)"))
    var last = "done"
    for _ in 0..<20 where last == "done" {
      last = await outcome {
        _ = try await database.execute(SQLStatement("INSERT INTO t VALUES (zeroblob(100000))"))
      }
    }
    #expect(last == "quota")
    _ = try await database.execute(SQLStatement("DELETE FROM t"))
    _ = try await database.execute(SQLStatement("INSERT INTO t VALUES (1)"))
  }

  @Test("a constraint is told by its own code") func constraint() async throws {
    let database = try await Scratch().services().sharedDatabase(caller())
    _ = try await database.execute(SQLStatement("CREATE TABLE t (a UNIQUE)"))
    _ = try await database.execute(SQLStatement("INSERT INTO t VALUES (1)"))
    #expect(
      await outcome { _ = try await database.execute(SQLStatement("INSERT INTO t VALUES (1)")) }
        == "constraint")
  }
}
