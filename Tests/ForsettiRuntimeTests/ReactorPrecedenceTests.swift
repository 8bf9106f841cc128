import ForsettiTestKit
import Glibc
import Testing

@testable import ForsettiRuntime

@ReactorActor @Suite("What the reactor handles first", .timeLimit(.minutes(1)), .serialized)
struct ReactorPrecedenceTests {
  @Test("traffic that comes while much upkeep is ready waits for the piece that is at work, and for no other")
  func trafficFirst() async throws {
    let course = Course()
    let traffic = try Ready(as: .traffic) { $0.note("traffic", in: course) }
    var all = [traffic]
    for _ in 0..<32 {
      all.append(
        try Ready {
          // What it lets in is there before its piece is over.
          if course.events.isEmpty { traffic.fill() }
          $0.note("upkeep", in: course, lasting: 200_000)
        })
    }
    for one in all.dropFirst() { one.fill() }
    await course.log.wait(count: 33)
    #expect(course.events.firstIndex(of: "traffic") == 1)
    for one in all { one.end() }
  }

  @Test("what traffic has to send leaves before any upkeep is handled that was ready with it")
  func answersFirst() async throws {
    let course = Course()
    let answer = Answer(course)
    let upkeep = try Ready { $0.note("upkeep", in: course) }
    let traffic = try Ready(as: .traffic) {
      $0.note("traffic", in: course)
      Reactor.shared.atEndOfTurn(answer)
    }
    upkeep.fill()
    traffic.fill()
    await course.log.wait(count: 3)
    #expect(course.events == ["traffic", "answer", "upkeep"])
    upkeep.end()
    traffic.end()
  }

  @Test("upkeep that never ends gets its turn by turns, and keeps no job from its own")
  func turns() async throws {
    let course = Course()
    let names = ["a", "b", "c"]
    // None of them is ever read.
    let all = try names.map { name in try Ready { _ in busy(50_000, then: { course.add(name) }) } }
    for one in all { one.fill() }
    let jobs = await Reactor.task {
      var jobs = 0
      while course.events.count < 60 {
        jobs += 1
        await Reactor.nextTurn()
      }
      return jobs
    }.value
    for one in all { one.end() }
    for name in names {
      #expect(abs(course.events.count { $0 == name } * names.count - course.events.count) <= 2 * names.count)
    }
    #expect(jobs >= 20, "\(jobs) jobs beside \(course.events.count) pieces of upkeep")
  }
}

@ReactorActor @Suite("The queue of upkeep")
struct UpkeepQueueTests {
  @Test("takes each in the order in which it was first seen, once, however often it is seen meanwhile")
  func order() throws {
    var queue = UpkeepQueue()
    var handled: [String] = []
    let pipes = try (0..<3).map { _ in try Shared(Pipe.open(nonBlocking: true)) }
    let sources = try pipes.enumerated().map { number, pipe in
      try Reactor.shared.watch(pipe.value.reader.number, for: []) {
        handled.append("\(number) \($0.rawValue)")
      }
    }
    func handle() { queue.takeFirst()?.handlePending() }
    queue.add(sources[1], .readable)
    queue.add(sources[0], .readable)
    queue.add(sources[1], [.readable, .hangUp])
    handle()
    // Ready again at once: behind the other.
    queue.add(sources[1], .readable)
    queue.add(sources[2], .readable)
    sources[2].cancel()
    for _ in 0..<3 { handle() }
    #expect(queue.isEmpty)
    handle()
    #expect(handled == ["1 \(Readiness([.readable, .hangUp]).rawValue)", "0 1", "1 1"])
    for _ in 0..<200 {
      queue.add(sources[0], .readable)
      queue.add(sources[1], .readable)
      handle()
      queue.add(sources[0], .writable)
      handle()
      handle()
    }
    #expect(queue.isEmpty)
    #expect(handled.count == 603)
    for source in sources { source.cancel() }
  }

  /// A pipe in an array.
  private final class Shared {
    let value: Pipe
    init(_ value: consuming Pipe) { self.value = value }
  }
}

/// What happened, in order.
@ReactorActor private final class Course {
  let log = Log<String>()
  var events: [String] { log.items }
  func add(_ event: String) { log.add(event) }
}

/// Holds the reactor for so many nanoseconds.
@ReactorActor private func busy(_ nanoseconds: UInt64, then: () -> Void) {
  let end = monotonicNanoseconds() + nanoseconds
  while monotonicNanoseconds() < end {}
  then()
}

/// A descriptor that has something to read once it is filled.
@ReactorActor private final class Ready {
  private let pipe: Pipe
  private var source: EventSource?

  init(as precedence: Precedence = .upkeep, _ handler: @escaping @ReactorActor (Ready) -> Void) throws {
    pipe = try Pipe.open(nonBlocking: true)
    source = try Reactor.shared.watch(pipe.reader.number, for: .readable) { [unowned self] _ in handler(self)
    }
    source?.precedence = precedence
  }

  func fill() { write(pipe.writer.number, [1] as [UInt8], 1) }

  /// Reads what is there, takes so long, and says so.
  func note(_ event: String, in course: Course, lasting nanoseconds: UInt64 = 0) {
    var byte: UInt8 = 0
    _ = read(pipe.reader.number, &byte, 1)
    busy(nanoseconds) { course.add(event) }
  }

  func end() {
    source?.cancel()
    source = nil
  }
}

@ReactorActor private final class Answer: EndOfTurn {
  private let course: Course
  init(_ course: Course) { self.course = course }
  func endOfTurn() { course.add("answer") }
}
