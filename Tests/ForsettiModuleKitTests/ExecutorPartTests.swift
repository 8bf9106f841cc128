import Testing

@testable import ForsettiModuleKit

/// The parts of the executor that need no process.
@Suite struct ExecutorPartTests {
  @Test("a ring gives back in order what it got, through growth and wrapping") func ring() {
    var ring = Ring<Int>()
    var (next, expected) = (0, 0)
    var generator = SplitMix(state: 1)
    for _ in 0..<50_000 {
      if generator.next() % 5 < 3 {
        ring.append(next)
        next += 1
      } else if let element = ring.popFirst() {
        #expect(element == expected)
        expected += 1
      }
      #expect(ring.count == next - expected)
    }
    while let element = ring.popFirst() {
      #expect(element == expected)
      expected += 1
    }
    #expect(expected == next)
    #expect(ring.isEmpty)
    ring.append(7)
    #expect(ring.popFirst() == 7)
  }

  @Test("a ring keeps nothing of what it gave back") func ringLetsGo() {
    final class Kept {}
    var ring = Ring<Kept>()
    weak var last: Kept?
    for _ in 0..<40 {
      let element = Kept()
      last = element
      ring.append(element)
    }
    while ring.popFirst() != nil {}
    #expect(last == nil)
  }

  @Test("timers come by deadline, and those of one deadline in the order they came") func heap() {
    var heap = TimerHeap<Int>()
    var generator = SplitMix(state: 2)
    let deadlines = (0..<5000).map { _ in Int64(generator.next() % 500) }
    for (number, deadline) in deadlines.enumerated() { heap.insert(number, deadline: deadline) }
    let wanted = deadlines.enumerated().sorted { ($0.element, $0.offset) < ($1.element, $1.offset) }
    #expect(heap.popDue(at: -1) == nil)
    #expect(heap.earliest == wanted.first?.element)
    var order: [Int] = []
    for now in Int64(0)..<500 {
      while let number = heap.popDue(at: now) {
        #expect(deadlines[number] == now)
        order.append(number)
      }
    }
    #expect(order == wanted.map(\.offset))
    #expect(heap.isEmpty)
  }

  @Test(
    "a duration becomes nanoseconds, rounded up and held between 0 and the most there are",
    arguments: [
      (.zero, 0), (.nanoseconds(-1), 0), (.seconds(Int64.min) * 18, 0), (.nanoseconds(1), 1),
      (Duration(secondsComponent: 0, attosecondsComponent: 1), 1),
      (Duration(secondsComponent: 1, attosecondsComponent: 999_999_999_999_999_999), 2_000_000_000),
      (.seconds(9_223_372_035), 9_223_372_035_000_000_000), (.seconds(9_223_372_036), .max),
      (.seconds(Int64.max), .max), (.seconds(Int64.max) * 18, .max),
    ] as [(Duration, Int64)])
  func nanoseconds(duration: Duration, nanoseconds: Int64) {
    #expect(duration.saturatedNanoseconds == nanoseconds)
  }

  @Test("a deadline beyond the end of time is the end of time") func saturation() {
    #expect(Int64(5).saturatingAdd(.max) == .max)
    #expect(Int64(5).saturatingAdd(7) == 12)
  }
}

/// Sebastiano Vigna's generator: the same numbers in every run.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
