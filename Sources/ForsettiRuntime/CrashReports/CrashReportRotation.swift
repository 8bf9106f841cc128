import ForsettiCore

/// Which crash reports go when there are too many. A module that crashes without end drops its own: whoever has the most
/// loses its oldest, so that what is kept of the others stays.
enum CrashReportRotation {
  /// A report that is kept.
  struct Kept: Sendable, Hashable {
    var id: CrashReportID
    /// Whose it is.
    var owner: String
    var bytes: Int
  }

  /// What one owner has.
  private struct Share {
    var count = 0
    var bytes = 0
    /// Those that may go, newest first.
    var reports: [Kept] = []
  }

  /// What has to go.
  /// - Parameter newest: stays, whatever its size.
  static func dropped(
    of reports: [Kept], limits: CrashReportStore.Limits, keeping newest: CrashReportID
  ) -> [CrashReportID] {
    var count = reports.count
    var bytes = reports.reduce(0) { $0 + $1.bytes }
    guard count > limits.count || bytes > limits.bytes else { return [] }
    var shares = shares(of: reports, keeping: newest)
    var dropped: [CrashReportID] = []
    while count > limits.count || bytes > limits.bytes {
      let size = count > limits.count ? \Share.count : \Share.bytes
      let largest = shares.filter { !$0.value.reports.isEmpty }.max { left, right in
        let (one, other) = (left.value[keyPath: size], right.value[keyPath: size])
        // Of those with the same share the one whose last report is the oldest.
        return one != other ? one < other : oldest(left.value) > oldest(right.value)
      }
      guard let owner = largest?.key, let report = shares[owner]?.reports.popLast() else { break }
      shares[owner]?.count -= 1
      shares[owner]?.bytes -= report.bytes
      count -= 1
      bytes -= report.bytes
      dropped.append(report.id)
    }
    return dropped
  }

  private static func shares(of reports: [Kept], keeping newest: CrashReportID) -> [String: Share] {
    reports.sorted { $0.id > $1.id }.reduce(into: [:]) { shares, report in
      shares[report.owner, default: Share()].count += 1
      shares[report.owner, default: Share()].bytes += report.bytes
      if report.id != newest { shares[report.owner, default: Share()].reports.append(report) }
    }
  }

  private static func oldest(_ share: Share) -> String { share.reports.last?.id.text ?? "" }
}
