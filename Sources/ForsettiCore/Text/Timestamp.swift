/// A moment as RFC 3339 text in UTC, with milliseconds: `2026-11-30T01:28:39.123Z`.
///
/// - Parameter milliseconds: since 1970; clamped to the years 1970 to 9999.
public func timestampText(_ milliseconds: Int64) -> String {
  CivilTime(milliseconds: max(0, milliseconds)).iso8601Text
}
