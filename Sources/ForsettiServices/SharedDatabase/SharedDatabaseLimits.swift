import ForsettiSQLite

/// What one call of the shared database may cost.
public struct SharedDatabaseLimits: Sendable, Hashable {
  /// Length of a statement's text, in bytes of UTF-8.
  public var statementBytes: Int = 64 << 10
  /// Statements in one transaction.
  public var statements: Int = 256
  /// Rows in one answer, over all its statements.
  public var rows: Int = 10_000
  /// Names and values in one answer, in bytes; a frame holds 1 MiB.
  public var resultBytes: Int = 900 << 10
  /// How long a call may run, in milliseconds.
  public var milliseconds: Int = 2_000
  /// Memory that a call may take beyond what SQLite holds already, in bytes.
  public var memoryBytes: Int64 = 64 << 20
  /// Size of the whole database, in bytes.
  public var databaseBytes: Int64 = 256 << 20

  /// Makes limits with the defaults.
  public init() {}
}

extension SharedDatabaseLimits {
  /// What one call may cost of time and memory.
  var allowance: StatementBudget.Allowance {
    StatementBudget.Allowance(milliseconds: milliseconds, memoryBytes: memoryBytes)
  }
}
