/// Where the reading of a list stands: which page is next, and whether there is one.
struct JamfPaging: Sendable {
  private let path: String
  /// Records of a page that are asked for now.
  private(set) var size: Int
  /// What pages grow to, as long as they come whole.
  private var goal: Int
  /// The largest that came whole.
  private var whole: Int
  /// Records that came.
  private(set) var count = 0
  /// Pages that came.
  private(set) var pages = 0
  private var total: Int?
  /// Marks of the pages that came.
  private var seen: Set<Int> = []

  /// Records of a page at most: Jamf Pro gives no more.
  static let sizes = 1...2_000
  /// Records of a list at most; what is longer wants a filter.
  static let recordLimit = 100_000

  /// - Parameters:
  ///   - path: where the list is, for whoever is told of its length.
  ///   - size: records of a page.
  ///   - first: records of the first page, where somebody waits for it: those that follow grow up to `size`.
  init(of path: String, size: Int, first: Int? = nil) {
    self.path = path
    goal = Self.sizes.clamping(size)
    self.size = min(goal, first.map { Self.sizes.clamping($0) } ?? goal)
    whole = self.size
  }

  /// The page to ask for, counted from 0 in pages of `size`.
  var index: Int { count / size }

  /// Whether a page is the one that was asked for. Of a server that gives no more than it likes, a grown page is not: its
  /// number counted larger pages than the server's. Then the next is asked for in the size that came whole before.
  mutating func fits(_ page: JamfPage) -> Bool {
    guard size > whole, let total, page.items.count < min(size, total - count) else { return true }
    align(to: whole)
    return false
  }

  /// Takes the page that came.
  /// - Returns: whether there is another. A list ends with an empty page, when all of its total is there, and, where no
  ///   total was said, with a page that isn't full.
  mutating func take(_ page: JamfPage) throws(JamfFailure) -> Bool {
    if let known = total, let said = page.total, said != known {
      throw .listChanged("it had \(known) records, then \(said).")
    }
    total = total ?? page.total
    if let mark = page.mark, !seen.insert(mark).inserted {
      throw .listChanged("the same page came twice.")
    }
    pages += 1
    count += page.items.count
    if let total, count >= total { return false }
    if page.items.isEmpty {
      guard let total else { return false }
      throw .listChanged("it should have \(total) records, and ended after \(count).")
    }
    if page.items.count < size, total == nil { return false }
    // A server may give less than was asked for: from here on that is the size.
    if page.items.count < size || !count.isMultiple(of: size) {
      align(to: min(page.items.count, size))
    } else {
      grow()
    }
    guard count < Self.recordLimit else {
      throw .beyondLimit(.records(path))
    }
    return true
  }

  /// Asks for half as many, for one answer was too large. False where a page has one record already.
  mutating func shrink() -> Bool {
    guard size > 1 else { return false }
    align(to: size / 2)
    return true
  }

  /// Twice as many from here on, where whole pages of that size have come: a page's number counts pages of its own size.
  private mutating func grow() {
    whole = size
    let next = min(goal, 2 * size)
    // Without a total nothing would tell a page that is cut short from the last one.
    if total != nil, count.isMultiple(of: next) { size = next }
  }

  /// The largest size up to this one of which whole pages have come; it stays at that.
  private mutating func align(to wanted: Int) {
    size = max(1, wanted)
    while !count.isMultiple(of: size) { size -= 1 }
    (goal, whole) = (size, size)
  }
}

extension ClosedRange<Int> {
  fileprivate func clamping(_ value: Int) -> Int { Swift.min(Swift.max(value, lowerBound), upperBound) }
}
