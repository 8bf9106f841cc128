import ForsettiCore
import ForsettiHTTP

extension Call {
  /// A page of the records that the query filters and sorts, and how many there are in all.
  /// - Parameter known: what is known of these records; whoever changes them forgets it.
  func list<Record: Sendable>(
    _ records: [Record], _ known: inout KnownList<Record>, fields: FieldTable<Record>, order usual: String,
    _ json: (Record) -> JSONValue
  ) throws(APIFault) -> ServerResponse {
    let question = ["sort", "filter"].flatMap { [$0] + values($0) }
    return try answer(
      known.records(for: question) { () throws(APIFault) in
        try order(usual, fields).sorted(filtered(records, fields))
      }, json)
  }

  /// The same of records that are made for this call.
  func list<Record: Sendable>(
    _ records: [Record], fields: FieldTable<Record>, order usual: String, _ json: (Record) -> JSONValue
  ) throws(APIFault) -> ServerResponse {
    var none = KnownList<Record>()
    return try list(records, &none, fields: fields, order: usual, json)
  }

  /// A page of records that are neither filtered nor sorted.
  func list<Record: Sendable>(_ records: [Record], _ json: (Record) -> JSONValue) throws(APIFault)
    -> ServerResponse
  {
    try answer(records, json)
  }

  private func order<Record>(
    _ usual: String, _ fields: FieldTable<Record>
  ) throws(APIFault) -> SortOrder<Record> {
    let orders = values("sort")
    do throws(SortFault) {
      return try SortOrder(orders.isEmpty ? [usual] : orders, fields: fields)
    } catch {
      throw .invalid("sort", "\(error.part.quoted()) is no field to sort by")
    }
  }

  private func filtered<Record>(_ records: [Record], _ fields: FieldTable<Record>) throws(APIFault)
    -> [Record]
  {
    guard let filter = values("filter").first, !filter.isBlank else { return records }
    do throws(RSQLFault) {
      let predicate = try RSQLPredicate(RSQLParser.parse(filter), fields: fields)
      return records.filter { predicate.matches($0) }
    } catch {
      throw .invalid("filter", error.description)
    }
  }

  private func answer<Record>(_ records: [Record], _ json: (Record) -> JSONValue) throws(APIFault)
    -> ServerResponse
  {
    var page = try page()
    var total = records.count
    switch distortion {
    case .duplicatePage: page.index = max(0, page.index - 1)
    case .changingTotal(let more): total = max(0, total + more)
    default: break
    }
    return .json(
      .object([("totalCount", .integer(total)), ("results", .array(page.slice(records).map(json)))]))
  }
}
