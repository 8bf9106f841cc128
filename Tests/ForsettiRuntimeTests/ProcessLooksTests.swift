import Testing

@testable import ForsettiRuntime

@Suite("Looks at processes")
struct ProcessLooksTests {
  private static let second: UInt64 = 1_000_000_000

  @Test("of few modules every process is looked at each time, in the order of the modules' activation")
  func few() {
    var looks = ProcessLooks()
    #expect(looks.due(of: [2, 3, 7], now: 0) == [2, 3, 7])
    #expect(looks.due(of: [2, 3, 7, 9], now: Self.second) == [9, 2, 3, 7])
    #expect(looks.due(of: [], now: 2 * Self.second).isEmpty)
  }

  @Test("of many each look takes some, and all have their turn, those too that start meanwhile")
  func many() {
    var looks = ProcessLooks()
    var seen: [Int] = []
    for time in 0..<UInt64(16) {
      let due = looks.due(of: Array(0..<(time < 8 ? 1000 : 1001)), now: time * Self.second)
      #expect(due.count == ProcessLooks.processesAtOnce)
      seen += due
    }
    #expect(seen.prefix(1001) == ArraySlice(0..<1001))
    #expect(seen.suffix(from: 1001) == ArraySlice(0..<(seen.count - 1001)))
  }

  @Test("however many pages ask, no process is looked at twice within half a second")
  func often() {
    var looks = ProcessLooks()
    #expect(looks.due(of: [1], now: 5) == [1])
    #expect(looks.due(of: [1], now: 5 + ProcessLooks.pause - 1).isEmpty)
    #expect(looks.due(of: [1], now: 5 + ProcessLooks.pause) == [1])
  }

  @Test("what was seen of a process is told until it is gone, and of no other")
  func remembered() {
    var looks = ProcessLooks()
    let figures = ProcessFigures(pid: 1, stat: nil, memory: nil, ticks: 100)
    (looks[1], looks[2]) = (figures, figures)
    _ = looks.due(of: [2], now: 0)
    #expect(looks[1] == nil)
    #expect(looks[2] == figures)
  }
}
