/// Finds the valid name that a misspelt one was probably meant to be.
public enum NearestName {
  /// Longest name that is compared, in Unicode scalars; a longer one has no near neighbour worth the work.
  private static let longestName = 64

  /// The candidate nearest to `name`: the same but for case, `-` and `_`, or within a third of its length
  /// (at most 3) of single-character edits and swaps of neighbours. `nil` when nothing is near.
  public static func suggest(for name: String, among candidates: some Sequence<String>) -> String? {
    let wanted = folded(name)
    guard !wanted.isEmpty, wanted.count <= longestName else { return nil }
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      let offered = folded(candidate)
      let most = min(3, max(1, max(wanted.count, offered.count) / 3))
      guard offered.count <= longestName, abs(offered.count - wanted.count) <= most else { continue }
      let distance = editDistance(wanted, offered)
      if distance <= most, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// `; did you mean "NAME"?` or an empty text, to be put behind a reason.
  public static func hint(for name: String, among candidates: some Sequence<String>) -> String {
    suggest(for: name, among: candidates).map { "; did you mean \($0.quoted())?" } ?? ""
  }

  private static func folded(_ name: String) -> [Unicode.Scalar] {
    name.unicodeScalars.prefix(longestName + 1).map { scalar in
      switch scalar {
      case "A"..."Z": Unicode.Scalar(UInt8(truncatingIfNeeded: scalar.value) | 0x20)
      case "-": "_"
      default: scalar
      }
    }
  }

  /// Optimal string alignment distance: insertions, deletions, substitutions, swaps of neighbours.
  private static func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var beforePrevious = [Int](repeating: 0, count: right.count + 1)
    var previous = Array(0...right.count)
    var current = previous
    for (row, scalar) in left.enumerated() {
      current[0] = row + 1
      for (column, other) in right.enumerated() {
        let substituted = previous[column] + (scalar == other ? 0 : 1)
        current[column + 1] = min(substituted, previous[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, scalar == right[column - 1], left[row - 1] == other {
          current[column + 1] = min(current[column + 1], beforePrevious[column - 1] + 1)
        }
      }
      (beforePrevious, previous, current) = (previous, current, beforePrevious)
    }
    return previous[right.count]
  }
}
