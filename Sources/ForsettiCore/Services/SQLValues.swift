/// SQL with its parameters, which are never part of the text.
public struct SQLStatement: Sendable, Hashable {
  /// One statement.
  public var text: String
  /// In the order of the `?` in the text.
  public var parameters: [SQLParameter]

  /// Makes a statement.
  public init(_ text: String, _ parameters: [SQLParameter] = []) {
    self.text = text
    self.parameters = parameters
  }
}

/// A value in or out of the shared database.
public enum SQLParameter: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

/// Rows of a query.
public struct SQLRows: Sendable, Hashable {
  /// Names, in order.
  public var columns: [String]
  /// Each as long as `columns`.
  public var rows: [[SQLParameter]]

  /// Makes rows.
  public init(columns: [String], rows: [[SQLParameter]]) {
    self.columns = columns
    self.rows = rows
  }
}
