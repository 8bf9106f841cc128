internal import ForsettiModuleKit

/// What a search works with. Each service is absent where it is not granted.
@MainActor struct SearchTools {
  /// Writes documents of Markdown into files of a name, and returns their paths.
  typealias Export =
    @MainActor (_ documents: [[UInt8]], _ name: String) async throws(ServiceError) -> [String]

  var client: JamfClient
  var storage: (any StorageService)?
  var export: Export?
  var diagnostics: (any DiagnosticsService)?
  var logger: ForsettiModuleLogger
  /// Milliseconds since 1970.
  var now: () -> Int64
}

extension SearchTools {
  /// What a module was granted. Its grants are asked first: a search does without any service, which is worth no warning.
  init(_ context: ForsettiContext) {
    let grants = context.grantedCapabilities
    client = grants.contains(.api) ? JamfClient(context: context) : JamfClient(api: nil)
    storage = grants.contains(.storage) ? context.services.storage : nil
    diagnostics = grants.contains(.diagnostics) ? context.services.diagnostics : nil
    logger = context.logger
    now = WallClock.now
    guard grants.contains(.fileExport) else { return }
    export = { (documents, name) throws(ServiceError) in
      try await DocumentExport(context: context)
        .write(documents, prefix: name, at: WallClock.now(), fileExtension: "md")
    }
  }
}

/// What an operator may ask of a search.
enum SearchVerb: String, Sendable, CaseIterable {
  case show
  case search, cancel, page
  case open, close
  case select, selectNone = "select-none"
  case share, unshare, export
  case chooseField = "choose-field"
  case addCriterion = "add-criterion"
  case removeCriterion = "remove-criterion"
  case toggle
  case clearQuery = "clear-query"
  case runQuery = "run-query"
  case saveFilter = "save-filter"
  case runFilter = "run-filter"
  case editFilter = "edit-filter"
  case deleteFilter = "delete-filter"
  case saveProfile = "save-profile"
  case deleteProfile = "delete-profile"
  case readAttributes = "read-attributes"
}

/// The search of one kind of device: what it shows, and what operators do with it.
@MainActor final class SearchDesk {
  let subject: SearchSubject
  let tools: SearchTools
  let search: InventorySearch
  /// Called after every change.
  private let changed: () -> Void
  /// Returns once all changes so far have been told of.
  let told: () async -> Void
  private(set) var state: SearchState

  /// The search that runs, and the record that is read.
  var searching: Task<Void, Never>?
  var reading: Task<Void, Never>?
  /// The fields of the organisation's own, while they are read.
  var readingAttributes: Task<Void, Never>?
  /// Count searches, and records that were opened: what an older one finds is nobody's any more.
  var searchNumber = 0
  var readNumber = 0

  init(
    _ subject: SearchSubject, _ tools: SearchTools, changed: @escaping () -> Void,
    told: @escaping () async -> Void
  ) {
    self.subject = subject
    self.tools = tools
    self.changed = changed
    self.told = told
    search = InventorySearch(subject: subject, client: tools.client)
    state = SearchState(catalogue: subject.catalogue)
  }

  /// Changes what is shown, and says so.
  func update(_ change: (inout SearchState) -> Void) {
    change(&state)
    changed()
  }

  func notify(_ text: String, _ tone: ViewTone) {
    update { $0.notice = SearchState.Notice(text: text, tone: tone) }
  }

  /// Ends what is under way.
  func stop() {
    searching?.cancel()
    reading?.cancel()
    readingAttributes?.cancel()
  }

  /// Does what a button or form asks.
  func handle(_ verb: SearchVerb, _ payload: [String: String]) async {
    if state.notice != nil { update { $0.notice = nil } }
    switch verb {
    case .show: await show(payload["panel"].flatMap { SearchState.Panel(rawValue: $0) } ?? .search)
    case .search: searchText(payload["text"] ?? "", profile: payload["profile"])
    case .cancel: stop()
    case .page: update { $0.results?.page = Int(payload["page"] ?? "") ?? 0 }
    case .open: open(payload["id"] ?? "")
    case .close: close()
    case .select: select(payload["id"] ?? "")
    case .selectNone: update { $0.selection = [] }
    case .share: share()
    case .unshare: update { $0.shared = nil }
    case .export: await export()
    case .chooseField: chooseField(payload)
    case .addCriterion: addCriterion(payload)
    case .removeCriterion:
      guard let group = payload.number("group"), let criterion = payload.number("criterion") else { return }
      update { $0.draft.remove(group: group, criterion: criterion) }
    case .toggle: update { $0.draft.toggle(group: payload.number("group")) }
    case .clearQuery: update { $0.draft = QueryDraft() }
    case .runQuery: runQuery(state.draft.query, title: "the query", fields: fields)
    case .saveFilter: await saveFilter(payload["name"] ?? "")
    case .runFilter: runFilter(payload.number("id") ?? 0)
    case .editFilter: editFilter(payload.number("id") ?? 0)
    case .deleteFilter: await deleteFilter(payload.number("id") ?? 0)
    case .saveProfile: await saveProfile(payload)
    case .deleteProfile: await deleteProfile(payload.number("id") ?? 0)
    case .readAttributes: await readAttributes()
    }
  }

  /// Keys of the fields that the profile wants to be shown, or the usual ones.
  var fields: [String] { state.profile.flatMap { state.profiles[$0] }?.fields ?? subject.columns }

  /// What of these keys can be shown: a field that the organisation had once may be gone.
  func columns(of fields: [String]) -> [String] {
    guard fields != subject.columns else { return fields }
    let known = state.catalogue.ordered(fields)
    return known.isEmpty ? subject.columns : known
  }

  private func show(_ panel: SearchState.Panel) async {
    update { $0.panel = panel }
    if panel != .search, state.attributes == .unread { await readAttributes() }
  }
}

extension [String: String] {
  /// A number that a button carries.
  func number(_ key: String) -> Int? { self[key].flatMap { Int($0) } }
}
