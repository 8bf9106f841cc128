/// The order of a list: fields in turn, each up or down.
struct SortOrder<Record>: Sendable {
  private let keys: [(field: Field<Record>, isDescending: Bool)]

  /// Reads `field:asc` or `field:desc`, several with commas between them, from each of the parameters of that name.
  /// - Throws: the first part that is none.
  init(_ parameters: [String], fields: FieldTable<Record>) throws(SortFault) {
    var keys: [(field: Field<Record>, isDescending: Bool)] = []
    for part in parameters.flatMap({ $0.split(separator: ",") }) {
      let pieces = part.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
      guard let field = fields[pieces[0]], field.isSortable, pieces.count <= 2,
        let isDescending = ["asc": false, "desc": true][pieces.count == 2 ? pieces[1].lowercased() : "asc"]
      else { throw SortFault(part: String(part)) }
      guard keys.count < Self.limit else { throw SortFault(part: String(part)) }
      keys.append((field, isDescending))
    }
    self.keys = keys
  }

  /// More than these order nothing further.
  private static var limit: Int { 8 }

  /// The records in this order. Those that are alike in all of it keep their order; absent values come first.
  func sorted(_ records: [Record]) -> [Record] {
    guard !keys.isEmpty else { return records }
    // Each value is looked up once, not once a comparison, and places are moved: records are large.
    let columns = keys.map { key in (records.map { SortKey(key.field.value($0)) }, key.isDescending) }
    return records.indices.sorted { left, right in
      for (values, isDescending) in columns where values[left] != values[right] {
        return (values[left] < values[right]) != isDescending
      }
      return false
    }.map { records[$0] }
  }
}

/// A part of a sort order that is no field and direction, or one too many.
struct SortFault: Error, Sendable, Equatable {
  var part: String
}

/// A value with an order: absent first, texts without regard to case.
private enum SortKey: Comparable {
  case absent
  case number(Int64)
  case text(String)

  init(_ value: FieldValue) {
    self =
      switch value {
      case .absent: .absent
      case .flag(let flag): .number(flag ? 1 : 0)
      case .integer(let number), .moment(let number): .number(number)
      case .text(let text): .text(text.lowercased())
      }
  }
}
