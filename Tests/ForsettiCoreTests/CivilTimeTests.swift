import Foundation
import Testing

@testable import ForsettiCore

@Suite("Civil time") struct CivilTimeTests {
  private static let texts: [(String, Int64?)] = [
    ("1970-01-01", 0), ("1970-01-01T00:00:00Z", 0), ("1969-12-31", -86_400_000),
    ("1969-12-31T23:59:59.999Z", -1), ("2000-02-29", 951_782_400_000), ("0001-01-01", -62_135_596_800_000),
    ("9999-12-31T23:59:59.999Z", 253_402_300_799_999), ("2026-11-30T01:28:39.123Z", 1_796_002_119_123),
    ("2026-11-30T01:28:39.1Z", 1_796_002_119_100), ("2026-11-30T01:28:39.123456789Z", 1_796_002_119_123),
    ("2026-02-29", nil), ("1900-02-29", nil), ("2026-13-01", nil), ("2026-00-01", nil), ("2026-04-31", nil),
    ("0000-01-01", nil), ("2026-11-30T24:00:00Z", nil), ("2026-11-30T23:59:60Z", nil),
    ("2026-11-30T01:28:39", nil), ("2026-11-30T01:28:39.Z", nil), ("2026-11-30T01:28:39.1x3Z", nil),
    ("2026-11-30T01:28:39.1234567890Z", nil), ("2026-11-30T01:28", nil), ("30.11.2026", nil),
    ("2026/11/30", nil), ("", nil), ("٢٠٢٦-11-30", nil),
  ]

  @Test("is read from ISO 8601 and nothing else", arguments: texts)
  func parse(text: String, milliseconds: Int64?) {
    #expect(CivilTime(iso8601: text)?.milliseconds == milliseconds)
  }

  @Test("is the same as another implementation's, and leads back, over all years it knows")
  func agreement() throws {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    var random = SplitMix64(seed: 7)
    for _ in 0..<2_000 {
      // From 1600 on: Foundation's calendar is Julian before 1582.
      let time = Int64.random(in: -11_676_096_000_000...CivilTime.bounds.upperBound, using: &random)
      let civil = CivilTime(milliseconds: time)
      let parts = calendar.dateComponents(
        [.year, .month, .day, .hour, .minute, .second],
        from: Date(timeIntervalSince1970: (Double(time) / 1_000).rounded(.down)))
      #expect([civil.year, civil.month, civil.day] == [parts.year, parts.month, parts.day])
      #expect([civil.hour, civil.minute, civil.second] == [parts.hour, parts.minute, parts.second])
      #expect(civil.milliseconds == time)
      #expect(CivilTime(iso8601: civil.iso8601Text) == civil)
    }
  }

  @Test("counts every day of four centuries, and the first and last of all")
  func everyDay() {
    let day: Int64 = 86_400_000
    var before = CivilTime(milliseconds: CivilTime.bounds.lowerBound)
    #expect(before.iso8601Text == "0001-01-01T00:00:00.000Z")
    for number in 1...146_097 as ClosedRange<Int64> {
      let civil = CivilTime(milliseconds: CivilTime.bounds.lowerBound + number * day)
      let isNext =
        civil.day == before.day + 1 || civil.month == before.month + 1 || civil.year == before.year + 1
      #expect(isNext && civil.milliseconds == CivilTime.bounds.lowerBound + number * day)
      before = civil
    }
  }

  @Test("is clamped to the years it knows")
  func clamped() {
    #expect(CivilTime(milliseconds: .max).iso8601Text == "9999-12-31T23:59:59.999Z")
    #expect(CivilTime(milliseconds: .min).iso8601Text == "0001-01-01T00:00:00.000Z")
  }

  @Test("is written without marks for names of files")
  func compact() {
    #expect(CivilTime(milliseconds: 1_796_002_119_123).compactText == "20261130-012839")
    #expect(CivilTime(milliseconds: 1_796_002_119_123).dateText == "2026-11-30")
  }
}
