/// The records of a list as they were filtered and sorted last: a client reads page after page of it, and ten thousand
/// records are not sorted for each.
struct KnownList<Record: Sendable>: Sendable {
  private var known: (question: [String], records: [Record])?

  /// The records for a question, made where another was asked last.
  mutating func records(
    for question: [String], _ make: () throws(APIFault) -> [Record]
  ) throws(APIFault) -> [Record] {
    if let known, known.question == question { return known.records }
    let records = try make()
    known = (question, records)
    return records
  }
}
