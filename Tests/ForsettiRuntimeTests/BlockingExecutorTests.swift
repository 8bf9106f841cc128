import Glibc
import Synchronization
import Testing

@testable import ForsettiRuntime

@Suite("A thread for work that may block", .timeLimit(.minutes(1)))
struct BlockingExecutorTests {
  /// What happened, in order, on whatever thread.
  private final class Course: Sendable {
    private let events = Mutex<[String]>([])
    var all: [String] { events.withLock { $0 } }
    func note(_ event: String) { events.withLock { $0.append(event) } }
  }

  /// Something that an errand holds.
  private final class Held: Sendable {
    private let course: Course
    init(_ course: Course) { self.course = course }
    deinit { course.note("let go") }
  }

  @Test("runs errands and jobs in the order they come, and lets go of what one holds before the next")
  func order() async throws {
    let executor = try BlockingExecutor(name: "test")
    let course = Course()
    let gate = try Pipe.open(nonBlocking: false)
    let entrance = gate.reader.number
    // All are there before the first of them runs.
    executor.perform {
      var byte: UInt8 = 0
      _ = read(entrance, &byte, 1)
    }
    executor.perform(errand(holding: Held(course), course))
    executor.perform { course.note("next") }
    let worker = BlockingWorker(on: executor)
    async let job: Void = worker.run { course.note("job") }
    #expect(write(gate.writer.number, "x", 1) == 1)
    await job
    #expect(course.all == ["errand", "let go", "next", "job"])
  }

  private func errand(holding held: Held, _ course: Course) -> @Sendable () -> Void {
    { withExtendedLifetime(held) { course.note("errand") } }
  }
}
