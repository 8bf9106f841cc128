/// A moment as RFC 3339 text in UTC, with milliseconds: `2026-11-30T01:28:39.123Z`.
///
/// - Parameter milliseconds: since 1970; clamped to the years 1970 to 9999.
public func timestampText(_ milliseconds: Int64) -> String {
  let clamped = max(0, min(milliseconds, 253_402_300_799_999))
  let (days, ofDay) = clamped.quotientAndRemainder(dividingBy: 86_400_000)
  // Days to civil date in the proleptic Gregorian calendar, in eras of 400 years that begin on 1 March,
  // so that the leap day is the last of its year.
  let shifted = days + 719_468
  let (era, dayOfEra) = shifted.quotientAndRemainder(dividingBy: 146_097)
  let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let marchMonth = (5 * dayOfYear + 2) / 153
  let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
  let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
  let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  func padded(_ value: Int64, _ width: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
  }
  let (seconds, thousandths) = ofDay.quotientAndRemainder(dividingBy: 1_000)
  return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2) + "T"
    + padded(seconds / 3_600, 2) + ":" + padded(seconds / 60 % 60, 2) + ":" + padded(seconds % 60, 2) + "."
    + padded(thousandths, 3) + "Z"
}
