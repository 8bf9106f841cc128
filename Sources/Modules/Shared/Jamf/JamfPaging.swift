/// Where the reading of a list stands: which page is next, and whether there is one.
struct JamfPaging: Sendable {
  /// Records of a page that are asked for now.
  private(set) var size: Int
  /// Records that came.
  private(set) var count = 0
  /// Pages that came.
  private(set) var pages = 0
  private var total: Int?
  private var seen: Set<JamfPageFingerprint> = []

  /// Records of a page at most: Jamf Pro gives no more.
  static let sizes = 1...2_000
  /// Records of a list at most; what is longer wants a filter.
  static let recordLimit = 100_000

  init(size: Int) { self.size = min(max(size, Self.sizes.lowerBound), Self.sizes.upperBound) }

  /// The page to ask for, counted from 0 in pages of `size`.
  var index: Int { count / size }

  /// Takes the page that came.
  /// - Returns: whether there is another. A list ends with an empty page, when all of its total is there, and, where no
  ///   total was said, with a page that isn't full.
  mutating func take(_ page: JamfPage) throws(JamfFailure) -> Bool {
    if let known = total, let said = page.total, said != known {
      throw .listChanged("it had \(known) records, then \(said).")
    }
    total = total ?? page.total
    if let fingerprint = page.fingerprint, !seen.insert(fingerprint).inserted {
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
    if page.items.count < size || !count.isMultiple(of: size) { align(to: min(page.items.count, size)) }
    guard count < Self.recordLimit else {
      throw .invalidRequest("the list has more than \(Self.recordLimit) records; narrow it by a filter.")
    }
    return true
  }

  /// Asks for half as many, for one answer was too large. False where a page has one record already.
  mutating func shrink() -> Bool {
    guard size > 1 else { return false }
    align(to: size / 2)
    return true
  }

  /// The largest size up to this one of which whole pages have come.
  private mutating func align(to wanted: Int) {
    size = max(1, wanted)
    while !count.isMultiple(of: size) { size -= 1 }
  }
}
