import ForsettiCore
import ForsettiIPC
import Testing

@testable import ForsettiRuntime

@Suite("The supervisor's open calls with one module")
struct OutgoingCallsTests {
  private func answer(_ calls: inout OutgoingCalls<String>, _ id: UInt64) -> String {
    switch calls.answer(id) {
    case .ends(let caller): caller
    case .late: "late"
    case .unknown: "unknown"
    }
  }

  private func open(
    _ calls: inout OutgoingCalls<String>, _ caller: String, _ deadline: UInt64 = 10
  ) throws -> UInt64 {
    let id = calls.open(caller, deadline: deadline)
    return try #require(id)
  }

  private func abandon(_ calls: inout OutgoingCalls<String>, _ id: UInt64) -> String? { calls.abandon(id) }

  private func expire(_ calls: inout OutgoingCalls<String>, now: UInt64) -> (due: [String], next: UInt64?) {
    var due: [String] = []
    let next = calls.expire(now: now) { due.append($1) }
    return (due, next)
  }

  @Test("end once, each by its own id")
  func once() throws {
    var calls = OutgoingCalls<String>(limit: 8)
    let a = try open(&calls, "a", 10)
    let b = try open(&calls, "b", 10)
    #expect(a != 0 && b != 0 && a != b)
    #expect(answer(&calls, b) == "b")
    #expect(answer(&calls, b) == "unknown")
    #expect(answer(&calls, a) == "a")
    #expect(answer(&calls, a) == "unknown")
    #expect(calls.count == 0)
  }

  @Test("do not take an answer to an earlier call in the same place")
  func reuse() throws {
    var calls = OutgoingCalls<String>(limit: 1)
    let first = try open(&calls, "first", 10)
    _ = calls.answer(first)
    let second = try open(&calls, "second", 10)
    #expect(answer(&calls, first) == "unknown")
    #expect(answer(&calls, second) == "second")
  }

  @Test("tell an answer that nobody waits for from one to no call")
  func late() throws {
    var calls = OutgoingCalls<String>(limit: 8)
    let id = try open(&calls, "a", 10)
    #expect(abandon(&calls, id) == "a")
    #expect(abandon(&calls, id) == nil)
    #expect(answer(&calls, id) == "late")
    #expect(answer(&calls, id) == "unknown")
    #expect(answer(&calls, 0) == "unknown")
    #expect(answer(&calls, .max) == "unknown")
  }

  @Test("are bounded, given up ones too")
  func bounded() throws {
    var calls = OutgoingCalls<String>(limit: 4)
    var ids: [UInt64] = []
    for round in 0..<100 {
      let id = try open(&calls, "\(round)", 10)
      ids.append(id)
      _ = calls.abandon(id)
    }
    for id in ids { #expect(answer(&calls, id) == "late") }
    ids = []
    for number in 0..<4 { ids.append(try self.open(&calls, "o\(number)", 10)) }
    let more = calls.open("more", deadline: 10)
    #expect(more == nil)
    for (number, id) in ids.enumerated() { #expect(answer(&calls, id) == "o\(number)") }
  }

  @Test("stay right through any mixture of what can happen to them")
  func mixture() {
    var calls = OutgoingCalls<Int>(limit: 16)
    var open: [UInt64: Int] = [:]
    var random = SystemRandomNumberGenerator()
    for step in 0..<50_000 {
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        let id = calls.open(step, deadline: 10)
        #expect((id == nil) == (open.count == 16))
        if let id { open[id] = step }
      case 1:
        guard let (id, caller) = open.randomElement(using: &random) else { continue }
        guard case .ends(caller) = calls.answer(id) else {
          Issue.record("call \(id) is not open")
          return
        }
        open[id] = nil
      default:
        guard let (id, caller) = open.randomElement(using: &random) else { continue }
        let abandoned = calls.abandon(id)
        #expect(abandoned == caller)
        open[id] = nil
        if Bool.random(using: &random) { _ = calls.answer(id) }
      }
      #expect(calls.count == open.count)
    }
  }

  @Test("expire when they are due, and say when the next one is")
  func expire() throws {
    var calls = OutgoingCalls<String>(limit: 8)
    let soon = try open(&calls, "soon", 10)
    _ = calls.open("later", deadline: 30)
    _ = calls.open("last", deadline: 40)
    #expect(expire(&calls, now: 9) == ([], 10))
    #expect(expire(&calls, now: 10) == (["soon"], 30))
    #expect(answer(&calls, soon) == "late")
    let left = calls.takeAll()
    #expect(left.sorted() == ["last", "later"])
    #expect(expire(&calls, now: 100) == ([], nil))
  }
}

@Suite("Frames that wait for room")
struct FrameRingTests {
  private func frame(_ body: [UInt8]) -> [UInt8] {
    var queue = OutboundQueue()
    try? queue.append(
      FrameHeader(kind: .deliver, length: 0, headLength: 0), head: Span(), payload: body.span)
    return queue.withPendingBytes { Array($0) }
  }

  private func first(_ ring: borrowing FrameRing) -> [UInt8]? {
    ring.withFirst { $0.withUnsafeBufferPointer { Array($0.dropFirst(FrameHeader.size)) } }
  }

  @Test("come out as they went in")
  func order() {
    var ring = FrameRing(byteLimit: 10_000, countLimit: 100)
    var expected: [UInt8] = []
    var next: UInt8 = 0
    for _ in 0..<50 {
      for _ in 0..<3 {
        let bytes = frame([next, 1, 2])
        let isKept = ring.append(bytes.span)
        #expect(isKept)
        expected.append(next)
        next &+= 1
      }
      for _ in 0..<(ring.count > 60 ? 5 : 2) {
        #expect(first(ring)?.first == expected.removeFirst())
        ring.removeFirst()
      }
    }
    while let body = first(ring) {
      #expect(body.first == expected.removeFirst())
      ring.removeFirst()
    }
    #expect(expected.isEmpty && ring.isEmpty && ring.byteCount == 0)
  }

  private func append(_ ring: inout FrameRing, _ bytes: [UInt8]) -> Bool { ring.append(bytes.span) }

  private func push(_ ring: inout FrameRing, _ bytes: [UInt8]) -> Int {
    ring.appendDroppingOldest(bytes.span)
  }

  @Test("are refused, or drop the oldest, at either bound")
  func bounds() {
    let small = frame([1])
    var byCount = FrameRing(byteLimit: 10_000, countLimit: 2)
    #expect(append(&byCount, small))
    #expect(append(&byCount, small))
    #expect(!append(&byCount, small))
    #expect(push(&byCount, frame([2])) == 1)
    #expect(byCount.count == 2)
    var byBytes = FrameRing(byteLimit: 60, countLimit: 100)
    #expect(append(&byBytes, small))
    #expect(append(&byBytes, small))
    #expect(push(&byBytes, frame(Array(repeating: 3, count: 30))) == 2)
    #expect(first(byBytes)?.count == 30)
    #expect(push(&byBytes, frame(Array(repeating: 4, count: 100))) == 1)
    #expect(byBytes.count == 1)
  }
}

@Suite("The index of subscriptions")
struct SubscriptionIndexTests {
  private final class Subscriber {}

  @Test(
    "finds exact types and prefixes",
    arguments: [
      ("a.b.c", "a.b.c", true), ("a.b.*", "a.b.c", true), ("a.*", "a.b.c", true), ("*", "a.b.c", true),
      ("a.b", "a.b.c", false), ("a.b.*", "a.b", false), ("a.b.c.*", "a.b.c", false), ("ab.*", "a.b.c", false),
      ("A.b.c", "a.b.c", false),
    ])
  func match(pattern: String, type: String, isFound: Bool) {
    var index = SubscriptionIndex<Subscriber>()
    index.add(pattern, Subscriber())
    #expect(index.subscribers(of: type).count == (isFound ? 1 : 0))
  }

  @Test("names a subscriber once, and until its last subscription ends")
  func once() {
    var index = SubscriptionIndex<Subscriber>()
    let (one, other) = (Subscriber(), Subscriber())
    for pattern in ["a.b", "a.*", "*", "a.b"] { index.add(pattern, one) }
    index.add("a.*", other)
    #expect(index.subscribers(of: "a.b").count == 2)
    for pattern in ["a.b", "a.*", "*"] { index.remove(pattern, one) }
    #expect(index.subscribers(of: "a.b").contains { $0 === one })
    let generation = index.generation
    index.remove("a.b", one)
    #expect(index.generation != generation)
    #expect(index.subscribers(of: "a.b").map(ObjectIdentifier.init) == [ObjectIdentifier(other)])
    index.remove("a.b", one)
    index.remove("never", other)
    #expect(index.subscribers(of: "a.b").count == 1)
  }
}
