/// Which part of a list is asked for.
struct Page: Sendable, Equatable {
  /// From 0.
  var index: Int
  /// Records; Jamf gives 100 where nothing is said, and 2,000 at most.
  var size: Int

  static let sizes = 1...2_000

  init(index: Int = 0, size: Int = 100) {
    self.index = index
    self.size = size
  }

  /// The records of this page; none beyond the end.
  func slice<Record>(_ records: [Record]) -> ArraySlice<Record> {
    let (start, overflows) = index.multipliedReportingOverflow(by: size)
    guard index >= 0, !overflows, start < records.count else { return [] }
    return records[start..<min(records.count, start + size)]
  }
}
