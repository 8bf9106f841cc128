import ForsettiBlocking
import ForsettiCore
import ForsettiSQLite
import Glibc

/// Diagnostic reports of all modules, in one SQLite file: the newest of each module, and of all together, so
/// that a module that reports without end pushes out its own reports first.
actor DiagnosticsStore {
  /// How many are kept.
  struct Bounds {
    var perSource: Int64 = 1_000
    var total: Int64 = 20_000
    /// How many may be added until the oldest are removed.
    var slack: Int64 = 100
  }

  private let executor: BlockingExecutor
  private let database: Database
  private let bounds: Bounds
  private let insert: Statement
  private let trimSource: Statement
  private let trimAll: Statement
  private var added: [ScalarText: Int64] = [:]
  private var addedInAll: Int64 = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  nonisolated var thread: BlockingExecutor { executor }

  init(
    path: String, bounds: Bounds = Bounds(), on executor: BlockingExecutor
  ) async throws(DatabaseFault) {
    self.executor = executor
    self.bounds = bounds
    // A report that a power cut takes is no loss that anybody waits for; killing the process loses none.
    database = try Database.make(path: path, durability: .normal)
    try database.run(
      """
      CREATE TABLE IF NOT EXISTS reports (
        id INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, source TEXT NOT NULL,
        category TEXT NOT NULL, severity INTEGER NOT NULL, message TEXT NOT NULL, metadata TEXT NOT NULL
      ) STRICT;
      CREATE INDEX IF NOT EXISTS reports_by_source ON reports (source, id);
      """)
    insert = try database.statement(
      "INSERT INTO reports (time, source, category, severity, message, metadata) VALUES (?, ?, ?, ?, ?, ?)")
    trimSource = try database.statement(
      """
      DELETE FROM reports WHERE source = ?1 AND id <=
      (SELECT id FROM reports WHERE source = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
      """)
    trimAll = try database.statement(
      "DELETE FROM reports WHERE id <= (SELECT id FROM reports ORDER BY id DESC LIMIT 1 OFFSET ?)")
  }

  /// Keeps a report, cut to its bounds.
  func add(_ report: DiagnosticReport) throws(ServiceError) {
    let report = DiagnosticText.cut(report)
    do {
      try insert.run(
        .integer(report.time), .text(report.source), .text(report.category),
        .integer(Int64(report.severity.rank)), .text(report.message),
        .text(DiagnosticText.json(report.metadata)))
      try trim(report.source)
    } catch { throw error.serviceError }
  }

  private func trim(_ source: String) throws(DatabaseFault) {
    let key = ScalarText(source)
    added[key, default: bounds.slack] += 1
    if added[key, default: 0] > bounds.slack {
      // A count for each source: as many as there are modules, and the runtime.
      added[key] = 0
      try trimSource.run(.text(source), .integer(bounds.perSource))
    }
    addedInAll += 1
    if addedInAll >= bounds.slack {
      addedInAll = 0
      try trimAll.run(.integer(bounds.total))
    }
  }

  /// Reports that match, newest first.
  func reports(_ filter: DiagnosticFilter) throws(ServiceError) -> [DiagnosticReport] {
    guard (1...1_000).contains(filter.limit) else {
      throw .invalidArgument(name: "limit", reason: "1 to 1000 is meant")
    }
    do {
      // The absent conditions are NULL; the index serves the one on the source.
      let select =
        filter.source == nil
        ? "SELECT * FROM reports WHERE ?1 IS NULL" : "SELECT * FROM reports WHERE source = ?1"
      let statement = try database.statement(
        """
        \(select) AND (?2 IS NULL OR category = ?2) AND severity >= ?3 AND time >= ?4 ORDER BY id DESC LIMIT ?5
        """)
      return try statement.rows(
        .optional(filter.source), .optional(filter.category), .integer(Int64(filter.atLeast?.rank ?? 0)),
        .integer(filter.since ?? .min), .integer(Int64(filter.limit))
      ) { row in
        DiagnosticReport(
          source: row.text(2), category: row.text(3), severity: LogLevel(rank: Int(row.integer(4))),
          message: row.text(5), metadata: DiagnosticText.metadata(row.text(6)), time: row.integer(1))
      }
    } catch { throw error.serviceError }
  }
}

extension LogLevel {
  /// 0 for the least.
  fileprivate var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  fileprivate init(rank: Int) {
    self = Self.allCases.indices.contains(rank) ? Self.allCases[rank] : .error
  }
}
