internal import ForsettiModuleKit

/// What an entry of a journal is kept under: times sort, the rest tells those of one moment apart.
enum EntryID {
  /// Digits of the time: enough for 30,000 years.
  private static let digits = 15

  /// - Parameter time: milliseconds since 1970.
  static func make(at time: Int64) -> String {
    "\(time.zeroPadded(to: digits))-\(RandomToken.make().prefix(8))"
  }
}
