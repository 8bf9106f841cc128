/// The user and group IDs that modules are given, one each, when the supervisor runs as root.
public struct UserIDRange: Sendable, Hashable {
  /// First ID; never 0, and above the accounts of the system.
  public var first: UInt32
  /// How many there are.
  public var count: UInt32

  /// Where a range may begin: below 1,000 live the system's own accounts.
  public static let firstRange: ClosedRange<Int64> = 1_000...2_147_483_646
  /// How many IDs a range may hold.
  static let countRange: ClosedRange<Int64> = 1...1_000_000
  /// `nobody`, which NFS and containers give to others, and the old 16-bit "no ID".
  public static let reserved: ClosedRange<UInt32> = 65_534...65_535

  /// Makes a range; the default lies above what systemd and container tools hand out (1,879,048,191).
  public init(first: UInt32 = 1_879_048_192, count: UInt32 = 65_536) {
    self.first = first
    self.count = count
  }

  /// Last ID, inclusive; `nil` if the range is empty or runs past the greatest ID.
  public var last: UInt32? {
    guard count > 0 else { return nil }
    let (last, overflow) = first.addingReportingOverflow(count - 1)
    return overflow || last > 2_147_483_646 ? nil : last
  }
}
