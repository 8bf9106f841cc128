internal import ForsettiModuleKit

// Devices that a PreStage waits for.
extension InventorySearch {
  /// Serial numbers that are looked for in one request.
  private static let batch = 100

  /// Rows of devices that a PreStage has in its scope and that meet the search, by their serial numbers. Of such a device
  /// nothing but serial number and PreStage is known, so free text is looked for in the number alone.
  /// - Parameter known: serial numbers that were found already.
  func assigned(_ request: SearchRequest, besides known: Set<String>) -> [InventoryRecord] {
    guard let map = request.prestages else { return [] }
    let isWanted = wanted(request)
    return map.serials.compactMap { serial in
      guard !known.contains(serial), let prestage = map[serial] else { return nil }
      let row = InventoryRecord(
        id: .assigned(serial: serial, prestage: prestage.id),
        values: [
          subject.serialKey: serial, subject.prestageKey: PrestageText.make(.notEnrolled, prestage),
        ])
      return isWanted(row) ? row : nil
    }
  }

  private func wanted(_ request: SearchRequest) -> (InventoryRecord) -> Bool {
    switch request.wanted {
    case .text(let text):
      let text = text.trimmedScalars.lowercased()
      return { [subject] row in
        text.isEmpty || (row[subject.serialKey]?.lowercased().contains(text) ?? false)
      }
    case .query(let query):
      let condition = request.plan(query).condition
      return { row in condition?.holds { row[$0] } ?? false }
    }
  }

  /// Which of these serial numbers the inventory has: a search may have passed a device over that is enrolled.
  func enrolled(_ serials: [String], _ attempt: SearchAttempt) async throws(JamfFailure) -> Set<String> {
    guard let field = subject.catalogue[subject.serialKey], let name = field.query.serverName else {
      return Set(serials)
    }
    var found: Set<String> = []
    for start in stride(from: 0, to: serials.count, by: Self.batch) {
      let some = serials[start..<min(start + Self.batch, serials.count)]
      let literals = some.map { RSQL.quoted($0) }.joined(separator: ",")
      let items = sections([field.query.section], attempt) + [("filter", "\(name)=in=(\(literals))")]
      try await client.pages(subject.route.versions[attempt.version], items, pageSize: some.count) {
        (page) throws(JamfFailure) in
        found.formUnion(page.items.compactMap { SerialNumbers.normalised(field.text($0)) })
        return true
      }
    }
    return found
  }
}
