internal import ForsettiModuleKit

/// All that a search shows. Every operator sees the same.
struct SearchState: Sendable {
  enum Panel: String, Sendable, CaseIterable {
    case search, query, saved
  }

  /// One line about what an operator has just done.
  struct Notice: Sendable, Hashable {
    var text: String
    var tone: ViewTone
  }

  var panel = Panel.search
  /// What was last searched for.
  var text = ""
  /// The profile whose columns are shown; nothing for the usual ones.
  var profile: Int?
  var results: SearchResults?
  var detail: SearchDetail?
  var draft = QueryDraft()
  var profiles = SavedList<SearchProfile>()
  var filters = SavedList<SmartFilter>()
  /// With the fields that the organisation has, once they were read.
  var catalogue: InventoryCatalogue
  var attributes = Attributes.unread
  /// Records to share, in the order in which they were chosen.
  var selection: [RecordID] = []
  /// Markdown that is shown to be copied.
  var shared: String?
  var notice: Notice?

  enum Attributes: Sendable, Hashable {
    case unread, reading, read
    case failed(JamfFailure)
  }

  /// Records that may be chosen at once.
  static let selectionLimit = 100

  /// The records that are chosen; those that are gone are left out.
  var selected: [InventoryRecord] {
    guard let results else { return [] }
    let chosen = Set(selection)
    return results.records.filter { chosen.contains($0.id) }
  }
}

/// What a search has found so far.
struct SearchResults: Sendable {
  enum State: Sendable, Hashable {
    case running, complete, cancelled
    /// Nothing of the query makes sense, so nothing was asked.
    case refused(RSQLDropReason)
    /// There are more than are kept.
    case full
    case failed(JamfFailure)
  }

  /// What was searched for, in words.
  var title: String
  /// Keys of fields.
  var columns: [String]
  var records: [InventoryRecord] = []
  /// Records that Jamf Pro has for the filter, where it says so.
  var total: Int?
  /// Records that came, whether they met the rest of the query or not.
  var looked = 0
  var state = State.running
  /// What is done while no page is waited for.
  var step: String?
  /// Records at the end that the inventory doesn't have, for their devices are not enrolled.
  private(set) var assigned = 0
  /// What may be missing.
  var note: String?
  /// The page that is shown, from 0.
  var page = 0

  /// Records that are kept at most; their memory stays below 64 MiB.
  static let limit = 20_000
  /// Records of a page.
  static let pageSize = 50

  var pageCount: Int { max(1, (records.count + Self.pageSize - 1) / Self.pageSize) }
  /// The records that are shown.
  var shown: ArraySlice<InventoryRecord> {
    let start = min(max(0, page), pageCount - 1) * Self.pageSize
    return records[min(start, records.count)..<min(start + Self.pageSize, records.count)]
  }

  /// Takes the records of a page, as far as there is room.
  mutating func take(_ found: SearchPage) {
    step = nil
    let room = Self.limit - records.count
    records += found.records.prefix(room)
    looked += found.looked
    total = found.total
    if found.records.count > room { state = .full }
  }

  /// Tells in the records which PreStage has each device, where that is shown.
  mutating func tell(_ map: PrestageMap, _ subject: SearchSubject) {
    guard columns.contains(subject.prestageKey) else { return }
    for place in records.indices { subject.tell(map, in: &records[place]) }
  }

  /// Adds devices that a PreStage has and the inventory hasn't, as far as there is room.
  mutating func add(assigned found: [InventoryRecord]) {
    let added = found.prefix(Self.limit - records.count)
    records += added
    assigned += added.count
  }

  /// Says what may be missing.
  mutating func add(note: String) { self.note = self.note.map { "\($0); \(note)" } ?? note }

  /// How far the search has come, 0 to 1; nothing while nobody knows.
  var progress: Double? {
    guard let total, total > 0 else { return nil }
    return min(1, Double(looked) / Double(total))
  }
}

/// A record that is shown whole.
struct SearchDetail: Sendable {
  var record: InventoryRecord
  var isLoading: Bool
  var failure: JamfFailure?
  /// The server has it no more.
  var isGone = false
}
