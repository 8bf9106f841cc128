import Synchronization

/// Sizes of the reports in a folder, by file name, so that a storm of crashes doesn't look at each of some hundred files for
/// every report. What lies under a name changes only when the store writes it.
final class ReportSizes: Sendable {
  private let known = Mutex<[String: Int]>([:])

  /// Keeps the size of what was written.
  func note(_ name: String, bytes: Int) { known.withLock { $0[name] = bytes } }

  /// The sizes of the files that are there now; others are forgotten.
  /// - Parameter look: says the size of one that isn't known yet, or `nil` where it is gone.
  func of(_ names: [String], look: (String) -> Int?) -> [String: Int] {
    known.withLock { known in
      var present: [String: Int] = [:]
      present.reserveCapacity(names.count)
      for name in names {
        if let bytes = known[name] ?? look(name) { present[name] = bytes }
      }
      known = present
      return present
    }
  }
}
