import CLinux
import ForsettiTestKit
import Glibc
import Testing

@testable import ForsettiRuntime

@ReactorActor @Suite("The reactor", .timeLimit(.minutes(1)))
struct ReactorTests {
  @Test("all isolated code runs on one thread, whichever thread asked")
  func oneThread() async {
    let here = UInt(pthread_self())
    let others = await threadsOfTasks(200)
    #expect(others == [here])
  }

  @Test("what takes long leaves the thread, even in a task that prefers it, and brings its error back")
  func away() async {
    let here = UInt(pthread_self())
    let there = await Reactor.task { await Reactor.away { UInt(pthread_self()) } }.value
    #expect(there != here)
    await #expect(throws: SystemError.self) {
      try await Reactor.away { () throws(SystemError) in throw SystemError("read", EIO) }
    }
  }

  @Test("jobs of one caller run in the order they came, from inside and outside")
  func order() async {
    let log = Log<Int>()
    for number in 0..<50 { Task { log.add(number) } }
    await log.wait(count: 50)
    #expect(log.items == Array(0..<50))
  }

  @Test("a task that prefers the reactor stays on its thread, isolated or not, and across continuations")
  func preference() async {
    let here = currentThread()
    let seen = await Task(executorPreference: Reactor.shared) {
      var threads = [await anyThread()]
      threads.append(await currentThread())
      await withCheckedContinuation { done in pthread { done.resume() } }
      threads.append(await anyThread())
      return threads
    }.value
    #expect(seen == [here, here, here])
  }

  @Test("timers fire at their time, earliest first, and not before")
  func timers() async {
    let log = Log<Int>()
    let start = ReactorClock.shared.now
    for milliseconds in [30, 5, 20, 1] {
      ReactorClock.shared.schedule(after: .milliseconds(milliseconds)) { log.add(milliseconds) }
    }
    await log.wait(count: 4)
    #expect(log.items == [1, 5, 20, 30])
    #expect(ReactorClock.shared.now - start >= 30_000_000)
  }

  @Test("a cancelled timer never fires and leaves nothing in the heap")
  func cancelledTimer() {
    let clock = FakeClock()
    let log = Log<Int>()
    let timers = (0..<100).map { number in
      clock.schedule(after: .milliseconds((number * 37) % 100 + 1)) { log.add((number * 37) % 100) }
    }
    for (number, timer) in timers.enumerated() where number % 3 == 0 { timer.cancel() }
    timers[0].cancel()
    #expect(clock.pending == 66)
    clock.advance(by: .milliseconds(200))
    #expect(clock.pending == 0)
    #expect(log.items == (0..<100).filter { number in (number * 73) % 100 % 3 != 0 })
  }

  @Test("a timer that schedules another sees it fire in the same advance")
  func chainedTimer() {
    let clock = FakeClock()
    let log = Log<UInt64>()
    clock.schedule(after: .seconds(1)) {
      log.add(clock.now)
      clock.schedule(after: .seconds(1)) { log.add(clock.now) }
    }
    clock.advance(by: .seconds(5))
    #expect(log.items == [2_000_000_000, 3_000_000_000])
  }

  @Test("a readable descriptor calls its handler until it is read, then no more")
  func levelTriggered() async throws {
    let pipe = try Pipe.open(nonBlocking: true)
    let log = Log<UInt8>()
    let source = try Reactor.shared.watch(pipe.reader.number, for: .readable) { ready in
      var byte: UInt8 = 0
      #expect(ready.contains(.readable))
      if read(pipe.reader.number, &byte, 1) == 1 { log.add(byte) }
    }
    write(pipe.writer.number, [1, 2, 3] as [UInt8], 3)
    await log.wait(count: 3)
    #expect(log.items == [1, 2, 3])
    source.cancel()
    write(pipe.writer.number, [4] as [UInt8], 1)
    await settle()
    #expect(log.items == [1, 2, 3])
  }

  @Test("who lets others go first finds that descriptors have gone, and is on the same thread still")
  func nextTurn() async throws {
    let here = currentThread()
    let pipe = try Pipe.open(nonBlocking: true)
    let log = Log<UInt8>()
    let source = try Reactor.shared.watch(pipe.reader.number, for: .readable) { _ in
      var byte: UInt8 = 0
      if read(pipe.reader.number, &byte, 1) == 1 { log.add(byte) }
    }
    write(pipe.writer.number, [7] as [UInt8], 1)
    #expect(log.items.isEmpty)
    await Reactor.nextTurn()
    #expect(log.items == [7] && currentThread() == here)
    source.cancel()
  }

  @Test("a handler that cancels another in the same turn keeps it from running")
  func cancelInTurn() async throws {
    let first = try Pipe.open(nonBlocking: true)
    let second = try Pipe.open(nonBlocking: true)
    let log = Log<Int32>()
    let sources = Sources()
    for reader in [first.reader.number, second.reader.number] {
      sources.all.append(
        try Reactor.shared.watch(reader, for: .readable) { _ in
          log.add(reader)
          for source in sources.all { source.cancel() }
        })
    }
    write(first.writer.number, [1] as [UInt8], 1)
    write(second.writer.number, [1] as [UInt8], 1)
    await settle()
    #expect(log.items.count == 1)
  }

  @Test("a descriptor that never runs dry does not keep timers or jobs from their turn")
  func fairness() async throws {
    let null = try Pipe.open(nonBlocking: true)
    write(null.writer.number, [1] as [UInt8], 1)
    let log = Log<Int>()
    let source = try Reactor.shared.watch(null.reader.number, for: .readable) { _ in }
    ReactorClock.shared.schedule(after: .milliseconds(2)) { log.add(2) }
    Task { log.add(1) }
    await log.wait(count: 2)
    #expect(log.items == [1, 2])
    source.cancel()
  }

  @Test("a job that queues itself again and again does not keep descriptors from their turn")
  func fairToDescriptors() async throws {
    let pipe = try Pipe.open(nonBlocking: true)
    let log = Log<Int>()
    let source = try Reactor.shared.watch(pipe.reader.number, for: .readable) { _ in log.add(1) }
    write(pipe.writer.number, [1] as [UInt8], 1)
    while log.items.isEmpty { await Task.yield() }
    source.cancel()
    #expect(log.items.first == 1)
  }

  @Test("jobs that take long, each in its turn, keep descriptors waiting for two of them at most")
  func longJobs() async throws {
    let scene = try LongJobs()
    let work = Reactor.task {
      // The first of a turn: what is written now comes to be seen when this one's turn is over.
      await Task.yield()
      scene.write()
      for job in 0..<64 where scene.seen.items.isEmpty {
        scene.run(job)
        await Task.yield()
      }
    }
    await scene.seen.wait(count: 1)
    await work.value
    scene.end()
    #expect(try #require(scene.seen.items.first) <= 3)
  }

  @Test("nor do jobs that take long and come together, and they run in the order they came")
  func longJobsTogether() async throws {
    let scene = try LongJobs()
    scene.write()
    for job in 0..<32 { Reactor.task { scene.run(job) } }
    await scene.done.wait(count: 32)
    scene.end()
    #expect(try #require(scene.seen.items.first) <= 3)
    #expect(scene.done.items == Array(0..<32))
  }

  @Test("a regular file and a second watch of one descriptor are refused by name")
  func refusedWatch() throws {
    let file = try Descriptor.open("/etc/passwd", O_RDONLY)
    #expect(throws: SystemError("epoll_ctl", EPERM)) {
      _ = try Reactor.shared.watch(file.number, for: .readable) { _ in }
    }
    let pipe = try Pipe.open(nonBlocking: true)
    let source = try Reactor.shared.watch(pipe.reader.number, for: .readable) { _ in }
    #expect(throws: SystemError("epoll_ctl", EEXIST)) {
      _ = try Reactor.shared.watch(pipe.reader.number, for: .readable) { _ in }
    }
    source.cancel()
  }

  @Test("end-of-turn work runs once, before the reactor waits again")
  func endOfTurn() async {
    final class Flush: EndOfTurn {
      let log: Log<Int>
      init(_ log: Log<Int>) { self.log = log }
      func endOfTurn() { log.add(1) }
    }
    let log = Log<Int>()
    let flush = Flush(log)
    Reactor.shared.atEndOfTurn(flush)
    #expect(log.items.isEmpty)
    await settle()
    #expect(log.items == [1])
  }

  @Test("a blocked signal is an event, and SIGPIPE ends nothing")
  func signals() async throws {
    SignalSource.block([SIGUSR2])
    let log = Log<Int32>()
    let source = try SignalSource([SIGUSR2]) { log.add($0) }
    // To the reactor thread itself, where signals are always blocked: other threads of the test runner take none.
    pthread_kill(pthread_self(), SIGUSR2)
    await log.wait(count: 1)
    #expect(log.items == [SIGUSR2])
    source.cancel()
    let pipe = try Pipe.open(nonBlocking: true)
    let writer = fcntl(pipe.writer.number, F_DUPFD_CLOEXEC, 5)
    _ = consume pipe
    #expect(write(writer, [1] as [UInt8], 1) == -1 && errno == EPIPE)
    close(writer)
  }

  @Test("durations too long or negative are clamped, never trapped")
  func clampedDurations() {
    #expect(Duration.seconds(-1).clampedNanoseconds == 0)
    #expect(Duration.seconds(Int64.max).clampedNanoseconds == .max)
    #expect(Duration.milliseconds(1_500).clampedNanoseconds == 1_500_000_000)
  }
}

/// A descriptor that has something to read, among jobs that take long.
@ReactorActor private final class LongJobs {
  let done = Log<Int>()
  /// How many jobs were done when it was read.
  let seen = Log<Int>()
  private let pipe: Pipe
  private var source: EventSource?

  init() throws {
    pipe = try Pipe.open(nonBlocking: true)
    source = try Reactor.shared.watch(pipe.reader.number, for: .readable) { [unowned self] _ in
      var byte: UInt8 = 0
      if read(pipe.reader.number, &byte, 1) == 1 { seen.add(done.items.count) }
    }
  }

  func write() { Glibc.write(pipe.writer.number, [1] as [UInt8], 1) }

  /// A job of a millisecond, in which nothing else runs.
  func run(_ job: Int) {
    let end = monotonicNanoseconds() + 1_000_000
    while monotonicNanoseconds() < end {}
    done.add(job)
  }

  func end() {
    source?.cancel()
    source = nil
  }
}

@ReactorActor private final class Sources { var all: [EventSource] = [] }

@ReactorActor private func currentThread() -> UInt { UInt(pthread_self()) }

@concurrent private func anyThread() async -> UInt { UInt(pthread_self()) }

/// Runs `body` on a thread of its own.
private func pthread(_ body: @escaping @Sendable () -> Void) {
  let context = Unmanaged.passRetained(Body(body)).toOpaque()
  var thread = pthread_t()
  let failure = pthread_create(
    &thread, nil,
    { context in
      if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
      return nil
    }, context)
  precondition(failure == 0)
  pthread_detach(thread)
}

private final class Body: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

@concurrent private func threadsOfTasks(_ count: Int) async -> Set<UInt> {
  await withTaskGroup(of: UInt.self) { group in
    for _ in 0..<count { group.addTask { await currentThread() } }
    var seen: Set<UInt> = []
    for await thread in group { seen.insert(thread) }
    return seen
  }
}

/// Two turns of the reactor: whatever was ready before has been handled.
@ReactorActor func settle() async {
  for _ in 0..<2 {
    await withCheckedContinuation { done in
      ReactorClock.shared.schedule(after: .milliseconds(1)) { done.resume() }
    }
  }
}
