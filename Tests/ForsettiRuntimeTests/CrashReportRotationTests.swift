import ForsettiCore
import Testing

@testable import ForsettiRuntime

@Suite("Which crash reports go") struct CrashReportRotationTests {
  private func kept(_ time: Int64, _ owner: String, bytes: Int = 10) -> CrashReportRotation.Kept {
    .init(id: CrashReportID(endedAt: time, random: 0), owner: owner, bytes: bytes)
  }

  private func dropped(
    _ reports: [CrashReportRotation.Kept], count: Int = 100, bytes: Int = 1_000, newest: Int64
  ) -> [Int64] {
    let ids = CrashReportRotation.dropped(
      of: reports, limits: .init(count: count, bytes: bytes),
      keeping: CrashReportID(endedAt: newest, random: 0))
    return ids.compactMap { id in
      (1...20).first { CrashReportID(endedAt: $0, random: 0) == id }
    }
  }

  @Test("none within the limits") func within() {
    #expect(dropped([kept(1, "a"), kept(2, "b")], count: 2, bytes: 20, newest: 2) == [])
  }

  @Test("the oldest of whoever has the most, by number") func number() {
    let reports = [kept(1, "a"), kept(2, "b"), kept(3, "b"), kept(4, "b")]
    #expect(dropped(reports, count: 2, newest: 4) == [2, 3])
  }

  @Test("the oldest of whoever has the most, by bytes") func bytes() {
    let reports = [kept(1, "a"), kept(2, "a"), kept(3, "b", bytes: 900), kept(4, "a", bytes: 100)]
    #expect(dropped(reports, newest: 4) == [3])
  }

  @Test("the oldest of all where all have the same") func equal() {
    #expect(dropped([kept(3, "a"), kept(1, "b"), kept(2, "c")], count: 2, newest: 3) == [1])
  }

  @Test("never the newest, however large, and even where nothing else is left") func newest() {
    #expect(dropped([kept(1, "a", bytes: 5_000)], newest: 1) == [])
    #expect(dropped([kept(1, "b"), kept(2, "a", bytes: 5_000)], newest: 2) == [1])
  }
}
