import ForsettiIPC
import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@MainActor @Suite struct SearchViewTests {
  private func view(_ state: SearchState, _ subject: SearchSubject = .computers) -> ViewNode {
    SearchView(subject: subject, moduleID: "com.example.search", state: state).tree
  }

  /// A tree that breaks a rule of views can't be written.
  private func isValid(_ tree: ViewNode) -> Bool {
    var writer = CBORWriter()
    do {
      try tree.encode(into: &writer)
      return true
    } catch { return false }
  }

  private var long: String { String(repeating: "x", count: 1_024) }

  /// As much as a search can show at once.
  private func full() -> SearchState {
    var state = SearchState(catalogue: SearchSubject.computers.catalogue)
    state.catalogue.add(
      (0..<500).map { number in
        InventoryField("cea_\(number)", "Attribute \(number % 7)", .string, at: "x", serverName: nil)
      })
    let columns = Array(state.catalogue.fields.map(\.key).prefix(SavedNames.fieldLimit))
    var results = SearchResults(title: "everything", columns: columns)
    results.records = (0..<500).map { number in
      InventoryRecord(
        id: .inventory("\(number)"), values: Dictionary(columns.map { ($0, "\(number)") }) { $1 })
    }
    results.state = .running
    state.results = results
    return state
  }

  @Test("the fullest of views are within the bounds of views")
  func bounds() throws {
    var state = full()
    #expect(isValid(view(state)))
    let values = Dictionary(state.catalogue.fields.map { ($0.key, long) }) { $1 }
    state.detail = SearchDetail(
      record: InventoryRecord(id: .inventory("1"), values: values), isLoading: false,
      failure: .serverError(500))
    state.shared = String(repeating: "x", count: 64 << 10)
    #expect(isValid(view(state)))
    state.panel = .saved
    let criterion = RSQLCriterion(field: "general.name", comparison: .contains, value: .string("x"))
    let query = RSQLQuery(
      groups: Array(
        repeating: RSQLGroup(criteria: Array(repeating: criterion, count: RSQLQuery.limit)),
        count: RSQLQuery.limit))
    for number in 0..<SavedNames.limit {
      try state.filters.save(SmartFilter(name: "\(number)", query: query, fields: []), at: 0)
      try state.profiles.save(SearchProfile(name: "\(number)", fields: []), at: 0)
    }
    #expect(isValid(view(state)))
    state.panel = .query
    state.draft = QueryDraft(query)
    #expect(isValid(view(state)))
  }

  private nonisolated static let failures: [JamfFailure] = [
    .notConfigured, .credentialsRejected, .forbidden("/p"), .notFound("/p"), .invalidRequest("x"),
    .rateLimited(retryAfterSeconds: 3), .serverError(500), .unreachable("x"), .unreadable("x"),
    .listChanged("x"), .tooLarge, .beyondLimit(.records("/p")), .unavailable("x"), .denied("x"),
  ]

  @Test("a failure says what happened and what to do", arguments: failures)
  func failure(failure: JamfFailure) {
    var state = full()
    state.results?.state = .failed(failure)
    let texts = Self.texts(view(state))
    #expect(texts.contains(failure.what))
    #expect(texts.contains(failure.advice))
    state = full()
    state.attributes = .failed(failure)
    state.panel = .query
    #expect(Self.texts(view(state)).contains(failure.advice), "why there are no extension attributes")
  }

  @Test("long work can be cancelled, and what was found is shown meanwhile")
  func running() {
    let tree = view(full())
    #expect(Self.eventTypes(tree).contains("com.example.search.cancel"))
    #expect(Self.texts(tree).contains("Page 1 of 10"))
  }

  @Test("every button asks for something that the desk does")
  func verbs() {
    var state = full()
    state.selection = [.inventory("1")]
    var types: Set<String> = []
    for panel in SearchState.Panel.allCases {
      state.panel = panel
      types.formUnion(Self.eventTypes(view(state)))
    }
    let known = Set(SearchVerb.allCases.map { "com.example.search.\($0.rawValue)" })
    #expect(types.isSubset(of: known))
    #expect(types.count > 8)
  }

  private static func texts(_ node: ViewNode) -> [String] {
    switch node {
    case .text(let text, _), .badge(let text, _): [text]
    case .list(let nodes, _): nodes.flatMap(texts)
    case .table(_, let rows): rows.joined().flatMap(texts)
    case .keyValues(let pairs): pairs.flatMap { texts($0.value) }
    case .form, .chart, .progress, .button: []
    }
  }

  private static func eventTypes(_ node: ViewNode) -> Set<String> {
    switch node {
    case .list(let nodes, _): nodes.reduce(into: []) { $0.formUnion(eventTypes($1)) }
    case .table(_, let rows): rows.joined().reduce(into: []) { $0.formUnion(eventTypes($1)) }
    case .form(let form): [form.eventType]
    case .button(_, .publishEvent(let type, _)): [type]
    default: []
    }
  }

  @Test("a query shows what Jamf Pro is asked for, what is decided here, and what is left out")
  func query() {
    var state = SearchState(catalogue: SearchSubject.computers.catalogue)
    state.panel = .query
    state.draft = QueryDraft(
      RSQLQuery(groups: [
        RSQLGroup(criteria: [
          RSQLCriterion(field: "general.name", comparison: .contains, value: .string("lab")),
          RSQLCriterion(field: "security.sipStatus", comparison: .equals, value: .string("DISABLED")),
          RSQLCriterion(field: "cea_99", comparison: .equals, value: .string("gone")),
        ])
      ]))
    let texts = Self.texts(view(state))
    #expect(texts.contains("(general.name=='*lab*')"))
    #expect(texts.contains("Decided here: System Integrity Protection."))
    #expect(texts.contains { $0.hasPrefix("Group 1, line 3 is left out") })
  }
}
