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
    let look = MemoryLook(residentPages: 1, proportionalBytes: 2, age: 0)
    (looks[1], looks[2]) = (look, look)
    _ = looks.due(of: [2], now: 0)
    #expect(looks[1] == nil)
    #expect(looks[2] == look)
  }

  @Test("a share is asked for where the pages are no longer as many, and at every eighth look")
  func shares() {
    var look: MemoryLook? = MemoryLook(residentPages: 100, proportionalBytes: 7, age: 0)
    #expect(look?.next(residentPages: 101) == nil)
    var looks = 1
    while let next = look?.next(residentPages: 100) {
      #expect(next.proportionalBytes == 7)
      look = next
      looks += 1
    }
    #expect(looks == MemoryLook.looksOfShare)
  }

  @Test("the pages of a process are those that the kernel counts, whatever its name")
  func pages() {
    let fields = (3...52).map(String.init).joined(separator: " ")
    func pages(_ text: String) -> Int? { ProcessFigures.residentPages(of: Array(text.utf8).span) }
    #expect(pages("7 (a) 1 (b) \(fields)") == 24)
    #expect(pages("7 (a)") == nil && pages("7 (a) S 1") == nil && pages("") == nil)
    #expect(pages("7 (a) " + String(repeating: "1 ", count: 21)) == nil)
    #expect(pages("7 (a) " + String(repeating: "1 ", count: 21) + "9") == 9)
  }

  @Test("this process's memory is about what its share is told of")
  func own() async throws {
    let figures = await ProcessFigures.ofSelf()
    #expect(try #require(figures.residentBytes) > 1 << 20)
    #expect(figures.cpuSeconds != nil && figures.proportionalBytes == nil)
  }
}
