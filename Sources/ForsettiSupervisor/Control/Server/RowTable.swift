import ForsettiIPC

/// A row of a table that is kept.
protocol TableRow: ControlRecord {
  /// Whether who is shown this one need not be told of the other.
  func shows(_ other: Self) -> Bool
}

extension TableRow where Self: Equatable {
  /// Where they are equal.
  func shows(_ other: Self) -> Bool { self == other }
}

/// The rows of a table as they were last told, encoded, and when each changed: a value. Where nothing has changed, nothing is
/// made anew, however many ask.
struct RowTable<Row: TableRow> {
  /// Of the rows, in their order.
  private(set) var ids: [String] = []
  /// At the places of their IDs; `nil` where a row was not made yet, or there is none.
  private var rows: [Row?] = []
  private var payloads: [[UInt8]] = []
  /// When each last changed; 0 where there is none.
  private var revisions: [Int] = []
  /// Counts the times that the table was gone through.
  private(set) var revision = 0
  /// When a row was last taken out. Who knows an earlier table is told of all rows.
  private var lastLoss = 0

  /// What somebody is told.
  struct Told {
    /// Encoded rows.
    var rows: [[UInt8]]
    /// Whether those are all of them.
    var isWhole: Bool
    /// What to ask by the next time.
    var revision: Int
  }

  /// Begins to go through the table.
  mutating func begin() { revision += 1 }

  /// Says which rows there are. Those that were there before are kept.
  mutating func arrange(_ ids: [String]) {
    var places: [String: Int] = [:]
    for (place, id) in self.ids.enumerated() where rows[place] != nil { places[id] = place }
    let known = ids.map { places[$0] }
    if known.count(where: { $0 != nil }) < places.count { lastLoss = revision }
    (rows, payloads) = (known.map { $0.flatMap { rows[$0] } }, known.map { $0.map { payloads[$0] } ?? [] })
    revisions = known.map { $0.map { revisions[$0] } ?? 0 }
    self.ids = ids
  }

  /// Takes a row as it is now; `nil` where there is none.
  /// - Throws: what can't be sent; the row is as it was then.
  mutating func take(_ row: Row?, at place: Int) throws(CBORError) {
    guard let row else {
      if revisions[place] > 0 { lastLoss = revision }
      (rows[place], payloads[place], revisions[place]) = (nil, [], 0)
      return
    }
    if rows[place]?.shows(row) == true { return }
    payloads[place] = try row.encoded()
    (rows[place], revisions[place]) = (row, revision)
  }

  /// The rows that changed after a revision; all of them where that is none of this table's, or others are gone since.
  func told(since known: Int) -> Told {
    let isWhole = known < 1 || known > revision || known < lastLoss
    let least = isWhole ? 1 : known + 1
    return Told(
      rows: revisions.indices.lazy.filter { revisions[$0] >= least }.map { payloads[$0] },
      isWhole: isWhole, revision: revision)
  }

  /// The greatest number that `number` reads of a row; 0 without rows.
  func greatest(_ number: (Row) -> Int) -> Int {
    rows.reduce(0) { greatest, row in max(greatest, row.map(number) ?? 0) }
  }
}
