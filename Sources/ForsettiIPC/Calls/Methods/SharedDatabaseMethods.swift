public import ForsettiCore

/// Methods of `SharedDatabaseService`.
public enum SharedDatabaseMethods {
  /// `query(_:)`
  public static let query = ServiceMethod<SQLStatement, SQLRows>(
    .sharedDatabase, 1, "query", .fixed(.read))
  /// `execute(_:)`
  public static let execute = ServiceMethod<SQLStatement, Int>(
    .sharedDatabase, 2, "execute", .fixed(.write))
  /// `transaction(_:)`
  public static let transaction = ServiceMethod<[SQLStatement], [SQLRows]>(
    .sharedDatabase, 3, "transaction", .fixed(.readWrite))

  static let all = [query.info, execute.info, transaction.info]
}

extension SQLStatement: CallListItem {
  /// Statements of one transaction.
  public static var listLimit: Int { ProtocolLimits.statements }

  /// Writes `[text, parameters]`.
  public func encode(into writer: inout CBORWriter) throws(CBORError) {
    writer.array(count: 2)
    try writer.text(text)
    try parameters.encode(into: &writer)
  }

  /// Reads it.
  public init(from reader: inout CBORReader) throws(CBORError) {
    try reader.parts(2)
    self.init(
      try reader.text(limit: FrameHeader.maximumPayload), try [SQLParameter](from: &reader))
  }

  /// What the parts take.
  public var sizeHint: Int { 16 &+ text.utf8.count &+ parameters.sizeHint }
}

extension SQLParameter: CallListItem {
  /// Parameters of one statement, columns of one row.
  public static var listLimit: Int { ProtocolLimits.columns }

  /// Writes null, an integer, a float, text or a byte string.
  public func encode(into writer: inout CBORWriter) throws(CBORError) {
    switch self {
    case .null: writer.null()
    case .integer(let value): writer.integer(value)
    case .real(let value): writer.float(value)
    case .text(let value): try writer.text(value)
    case .blob(let value): try writer.byteString(value)
    }
  }

  /// Reads it.
  public init(from reader: inout CBORReader) throws(CBORError) {
    let start = reader.offset
    switch try reader.nextMajorType() {
    case 0, 1: self = .integer(try reader.integer())
    case 2: self = .blob(try reader.byteString(limit: FrameHeader.maximumPayload))
    case 3: self = .text(try reader.text(limit: FrameHeader.maximumPayload))
    case 7:
      if try reader.nullIfNext() {
        self = .null
      } else {
        self = .real(try reader.float())
      }
    default: throw CBORError(.inconsistent("no SQL value"), at: start)
    }
  }

  /// What it takes.
  public var sizeHint: Int {
    switch self {
    case .null: 1
    case .integer, .real: 9
    case .text(let value): value.utf8.count &+ 5
    case .blob(let value): value.count &+ 5
    }
  }
}

extension SQLRows: CallListItem {
  /// As many as statements of one transaction.
  public static var listLimit: Int { ProtocolLimits.statements }

  /// Writes `[columns, rows]`.
  public func encode(into writer: inout CBORWriter) throws(CBORError) {
    writer.array(count: 2)
    if columns.count > ProtocolLimits.columns { throw CBORError(.tooLong(limit: ProtocolLimits.columns)) }
    try columns.encode(into: &writer)
    if rows.count > ProtocolLimits.rows { throw CBORError(.tooLong(limit: ProtocolLimits.rows)) }
    writer.array(count: rows.count)
    for row in rows {
      if row.count != columns.count { throw CBORError(.inconsistent("a row of another width")) }
      try row.encode(into: &writer)
    }
  }

  /// Reads it.
  public init(from reader: inout CBORReader) throws(CBORError) {
    try reader.parts(2)
    let columns = try [String](from: &reader)
    let count = try reader.arrayCount(limit: ProtocolLimits.rows)
    self.init(columns: columns, rows: [])
    rows.reserveCapacity(count)
    for _ in 0..<count {
      let start = reader.offset
      let row = try [SQLParameter](from: &reader)
      if row.count != columns.count { throw CBORError(.inconsistent("a row of another width"), at: start) }
      rows.append(row)
    }
  }

  /// What the parts take.
  public var sizeHint: Int { columns.sizeHint &+ rows.reduce(16) { $0 &+ $1.sizeHint } }
}
