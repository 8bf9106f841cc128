internal import ForsettiModuleKit

/// What is searched for.
struct SearchRequest: Sendable {
  enum Wanted: Sendable {
    case text(String)
    case query(RSQLQuery)
  }

  var wanted: Wanted
  /// Keys of the fields that are shown.
  var columns: [String]
  var catalogue: InventoryCatalogue
  /// Which PreStage has which device, once that is known.
  var prestages: PrestageMap?

  /// Whether a field is shown or compared.
  func asksFor(_ key: String) -> Bool { columns.contains(key) || wanted.fields.contains(key) }

  /// Comparisons of the query that can't be made.
  var dropped: [RSQLPlan.Dropped] {
    guard case .query(let query) = wanted else { return [] }
    return plan(query).dropped
  }

  /// The query, split between Jamf Pro and this module.
  func plan(_ query: RSQLQuery) -> RSQLPlan {
    RSQLComposer { [catalogue] in catalogue[$0]?.query }.compose(query)
  }
}

extension SearchRequest.Wanted {
  /// Keys of the fields that are compared, one for each comparison.
  var fields: [String] {
    guard case .query(let query) = self else { return [] }
    return query.groups.flatMap { $0.criteria.map(\.field) }
  }
}

/// What a page of a search comes to.
struct SearchPage: Sendable {
  /// Records that meet all of what is searched for.
  var records: [InventoryRecord]
  /// Records that came.
  var looked: Int
  /// Records that Jamf Pro has for the filter, where it says so.
  var total: Int?
}

/// Searches one kind of record, page by page.
@MainActor
struct InventorySearch {
  let subject: SearchSubject
  let client: JamfClient

  /// What an attempt asks for.
  private struct Question {
    var path: String
    var items: [(String, String)]
    var residual: RSQLCondition?
  }

  /// Searches, and hands on each page as it comes, until `each` says no: what it does with one comes before the next is
  /// asked for. The first page has what a view shows at once.
  /// - Returns: how the list was asked for in the end.
  func run(
    _ request: SearchRequest, each: @MainActor (SearchPage) async -> Bool
  ) async throws(JamfFailure) -> SearchAttempt {
    var attempt = SearchAttempt()
    if case .text(let text) = request.wanted, !text.isBlank { attempt.text = .anywhere }
    let serial = request.asksFor(subject.prestageKey) ? [subject.serialKey] : []
    let fields = request.catalogue.ordered([subject.nameKey] + serial + request.columns)
      .compactMap { request.catalogue[$0] }
    while true {
      let question = question(attempt, request)
      var looked = 0
      do throws(JamfFailure) {
        try await client.pages(question.path, question.items, firstPage: SearchResults.pageSize) {
          (page) async throws(JamfFailure) in
          let records = try records(page.items, from: looked, fields, request, question.residual)
          looked += page.items.count
          return await each(SearchPage(records: records, looked: page.items.count, total: page.total))
        }
        return attempt
      } catch {
        // What was shown already stays as it was asked for.
        guard looked == 0, let next = attempt.next(after: error, on: subject.route) else { throw error }
        attempt = next
      }
    }
  }

  /// One record whole; nothing where it is gone.
  func detail(_ number: Int64, _ catalogue: InventoryCatalogue) async throws(JamfFailure) -> InventoryRecord?
  {
    let filter =
      "\(catalogue[subject.idKey]?.query.serverName ?? subject.idKey)==\(RSQL.quoted(String(number)))"
    var attempt = SearchAttempt()
    while true {
      var items = sections(subject.detailSections, attempt)
      items += [("filter", filter), ("page", "0"), ("page-size", "1")]
      do throws(JamfFailure) {
        let json = try await client.get(subject.route.versions[attempt.version], items)
        let request = SearchRequest(wanted: .text(""), columns: [], catalogue: catalogue)
        return try records(try JamfPage(json, index: 0).items, from: 0, catalogue.fields, request, nil)
          .first
      } catch {
        guard let next = attempt.next(after: error, on: subject.route) else { throw error }
        attempt = next
      }
    }
  }

  /// The organisation's own fields, of the newest version that answers.
  func extensionAttributes() async throws(JamfFailure) -> [ExtensionAttribute] {
    var first: JamfFailure?
    for path in subject.attributePaths {
      do throws(JamfFailure) { return try await extensionAttributes(path) } catch {
        // Why the newest version said no is of more use than that its elders did too.
        first = first ?? error
        guard error.isOfVersion else { throw error == .cancelled ? error : first ?? error }
      }
    }
    throw first ?? .notFound(subject.noun)
  }

  private func extensionAttributes(_ path: String) async throws(JamfFailure) -> [ExtensionAttribute] {
    if path.hasPrefix("/JSSResource/") {
      let list = try await client.get(path)[subject.classicAttributes]?.elements ?? []
      return list.prefix(ExtensionAttribute.limit).compactMap { ExtensionAttribute($0) }
    }
    var found: [ExtensionAttribute] = []
    try await client.pages(path) { (page) throws(JamfFailure) in
      found += page.items.compactMap { ExtensionAttribute($0) }
      return found.count < ExtensionAttribute.limit
    }
    return Array(found.prefix(ExtensionAttribute.limit))
  }

  private func question(_ attempt: SearchAttempt, _ request: SearchRequest) -> Question {
    let catalogue = request.catalogue
    var wanted = Set(catalogue.sections(of: request.columns) + subject.listSections)
    var (filter, residual): (String?, RSQLCondition?)
    switch request.wanted {
    case .text(let text):
      let keys =
        attempt.text == .basic
        ? subject.basicKeys
        : FreeText.keys(
          identity: subject.identityKeys,
          more: attempt.sections == .none
            ? [] : request.columns.filter { catalogue[$0]?.query.serverName != nil },
          fallback: subject.basicKeys)
      let fields = keys.compactMap { catalogue[$0]?.query }
      wanted.formUnion(catalogue.sections(of: keys))
      filter = FreeText.filter(text, in: fields, wildcard: attempt.text == .anywhere)
    case .query(let query):
      let plan = request.plan(query)
      (filter, residual) = (plan.filter, plan.residual)
      wanted.formUnion(plan.sections)
    }
    var items = sections(wanted.sorted(), attempt)
    items.append(("sort", subject.route.sort))
    if let filter { items.append(("filter", filter)) }
    return Question(path: subject.route.versions[attempt.version], items: items, residual: residual)
  }

  func sections(_ names: [String], _ attempt: SearchAttempt) -> [(String, String)] {
    let isOldest = attempt.version == subject.route.versions.count - 1
    let names = names.filter { isOldest || !subject.route.oldestSections.contains($0) }
    return switch attempt.sections {
    case .named: names.map { ("section", $0) }
    case .older: names.map { ("section", subject.route.olderSections[$0] ?? $0) }
    case .none: []
    }
  }

  /// The records that meet what the server could not decide, with no more of each than is asked for. A page on which not one
  /// says anything that is known here is an answer to another question.
  private func records(
    _ items: [JSONValue], from start: Int, _ fields: [InventoryField], _ request: SearchRequest,
    _ residual: RSQLCondition?
  ) throws(JamfFailure) -> [InventoryRecord] {
    let idText = subject.catalogue[subject.idKey]?.text
    let isKnown = items.contains { item in
      idText?(item) != nil || fields.contains { $0.text(item) != nil }
    }
    guard isKnown || items.isEmpty else { throw .unreadable("records of a \(subject.noun) were expected.") }
    return items.enumerated().compactMap { place, item in
      guard residual?.holds({ value($0, of: item, request) }) ?? true else { return nil }
      let id = idText?(item).map { RecordID.inventory($0) } ?? .place(start + place)
      return InventoryRecord(item, id: id, fields: fields)
    }
  }

  /// A field of a record that a query compares. A record need not say itself which PreStage has its device.
  private func value(_ key: String, of item: JSONValue, _ request: SearchRequest) -> String? {
    let text = request.catalogue[key]?.text(item)
    guard key == subject.prestageKey, let prestages = request.prestages else { return text }
    return prestages.text(serial: request.catalogue[subject.serialKey]?.text(item), recorded: text)
  }
}
