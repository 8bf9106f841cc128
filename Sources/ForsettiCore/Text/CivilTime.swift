/// A date and a time of day in UTC, in the proleptic Gregorian calendar, of the years 1 to 9999.
public struct CivilTime: Sendable, Hashable {
  /// 1 to 9999.
  public let year: Int
  /// 1 to 12.
  public let month: Int
  /// 1 to the length of the month.
  public let day: Int
  /// 0 to 23.
  public let hour: Int
  /// 0 to 59: like POSIX time, it knows no leap seconds.
  public let minute: Int
  /// 0 to 59.
  public let second: Int
  /// 0 to 999.
  public let millisecond: Int

  /// Milliseconds since 1970 of the first and the last moment.
  public static let bounds: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

  private static let dayMilliseconds: Int64 = 86_400_000
  private static let eraDays: Int64 = 146_097
  /// From 1 March of year 0, where the first era begins, to 1970.
  private static let daysBefore1970: Int64 = 719_468

  /// The moment so many milliseconds after 1970, clamped to `bounds`.
  public init(milliseconds: Int64) {
    let clamped = max(Self.bounds.lowerBound, min(milliseconds, Self.bounds.upperBound))
    // From 1 March of year 0 on, so nothing below is negative. In eras of 400 years that begin on 1 March, the leap day is
    // the last of its year.
    let shifted = clamped + Self.daysBefore1970 * Self.dayMilliseconds
    let (days, ofDay) = shifted.quotientAndRemainder(dividingBy: Self.dayMilliseconds)
    let (era, dayOfEra) = days.quotientAndRemainder(dividingBy: Self.eraDays)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let (seconds, thousandths) = ofDay.quotientAndRemainder(dividingBy: 1_000)
    day = Int(dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    month = Int(marchMonth < 10 ? marchMonth + 3 : marchMonth - 9)
    year = Int(yearOfEra + era * 400 + (marchMonth < 10 ? 0 : 1))
    (hour, minute, second) = (Int(seconds / 3_600), Int(seconds / 60 % 60), Int(seconds % 60))
    millisecond = Int(thousandths)
  }

  /// A date and time by its parts; nothing for one that no calendar has.
  public init?(
    year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, millisecond: Int = 0
  ) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.length(ofMonth: month, year: year), (0...23).contains(hour), (0...59).contains(minute),
      (0...59).contains(second), (0...999).contains(millisecond)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
    (self.hour, self.minute, self.second, self.millisecond) = (hour, minute, second, millisecond)
  }

  /// Milliseconds since 1970, within `bounds`.
  public var milliseconds: Int64 {
    // Years that begin on 1 March have their leap day last.
    let marchYear = Int64(month > 2 ? year : year - 1)
    let dayOfYear = (153 * Int64(month > 2 ? month - 3 : month + 9) + 2) / 5 + Int64(day) - 1
    let (era, yearOfEra) = marchYear.quotientAndRemainder(dividingBy: 400)
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * Self.eraDays + dayOfEra - Self.daysBefore1970
    let seconds = Int64(hour) * 3_600 + Int64(minute) * 60 + Int64(second)
    return days * Self.dayMilliseconds + seconds * 1_000 + Int64(millisecond)
  }

  private static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
