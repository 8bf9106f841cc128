internal import ForsettiModuleKit

/// How changes are kept: as pages of JSON, each change in one write. A reset begins a new generation of pages, so that it
/// too is one write, and what is left of the old ones counts for nothing.
struct DeploymentJournal: Sendable, Hashable {
  /// A value of the store.
  struct Entry: Sendable, Hashable {
    var key: String
    var text: String
  }

  /// Counts up with every reset.
  private(set) var generation: Int
  /// Of the page that is written, from 1.
  private(set) var page = 1
  /// The changes of that page, each as JSON.
  private var texts: [String] = []
  private var bytes = 0

  /// Bytes after which a page is full; one more change may stand on it.
  static let pageBytes = 64 << 10
  /// Pages of a generation: some thousands of changes, all of which a start must read before its deadline.
  static let pageLimit = 50
  /// Where the generation is kept.
  static let headKey = "head"
  /// What the keys of all pages begin with.
  static let pagePrefix = "page/"
  private static let limits = JSONLimits(bytes: 1 << 20, depth: 12, stringBytes: 8_192, arrayElements: 4_096)

  /// A journal without any change.
  init(generation: Int = 1) { self.generation = generation }

  /// The journal with this change at its end, and what is to be written for it.
  func adding(_ change: DeploymentChange) throws(DeploymentRefusal) -> (journal: DeploymentJournal, Entry) {
    var journal = self
    if bytes >= Self.pageBytes {
      guard page < Self.pageLimit else { throw .journalFull }
      (journal.page, journal.texts, journal.bytes) = (page + 1, [], 0)
    }
    journal.take(JSONWriter.text(change.json))
    let text = "[" + journal.texts.joined(separator: ",") + "]"
    return (journal, Entry(key: journal.key(of: journal.page), text: text))
  }

  /// The key of a page.
  func key(of page: Int) -> String { "\(Self.pagePrefix)\(generation)/\(page)" }

  /// Whether a key is one of a page of this generation.
  func owns(_ key: String) -> Bool { key.hasPrefix("\(Self.pagePrefix)\(generation)/") }

  /// The generation that a head names.
  static func generation(of head: String) -> Int? {
    guard let number = Int(head), (1...Int(Int32.max)).contains(number) else { return nil }
    return number
  }

  /// The generation of a page's key.
  static func generation(ofKey key: String) -> Int? {
    key.dropFirst(pagePrefix.count).split(separator: "/").first.flatMap { generation(of: String($0)) }
  }

  /// Takes up the next page as it was kept, and answers its changes.
  mutating func read(page number: Int, _ text: String) throws(JSONFault) -> [DeploymentChange] {
    let root = JSONCursor(try JSONParser.parse(Array(text.utf8), limits: Self.limits).root)
    var changes: [DeploymentChange] = []
    for element in try root.array() { changes.append(try DeploymentChange(element)) }
    (page, texts, bytes) = (number, [], 0)
    for change in changes { take(JSONWriter.text(change.json)) }
    return changes
  }

  private mutating func take(_ text: String) {
    texts.append(text)
    bytes += text.utf8.count + 1
  }
}
