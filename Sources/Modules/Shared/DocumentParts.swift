/// Long lists over several documents, each of which fits into one export.
enum DocumentParts {
  /// Bytes of one document at most: an export has to fit into one call.
  static let documentLimit = 960 << 10

  /// The elements in their order, over as few parts as hold them; one part, without any, where there are none.
  /// - Parameters:
  ///   - limit: bytes of a part at most, unless a single element is larger.
  ///   - size: the bytes of an element as it is written.
  static func split<Element>(_ elements: [Element], limit: Int, size: (Element) -> Int) -> [[Element]] {
    var parts: [[Element]] = [[]]
    var bytes = 0
    for element in elements {
      let own = size(element)
      if bytes + own > limit, bytes > 0 {
        parts.append([])
        bytes = 0
      }
      parts[parts.count - 1].append(element)
      bytes += own
    }
    return parts
  }
}
