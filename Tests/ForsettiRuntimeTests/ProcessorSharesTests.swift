import ForsettiBlocking
import ForsettiCore
import ForsettiTestKit
import Foundation
import Glibc
import Testing

@testable import ForsettiRuntime

/// The processors that a task may run on, as the kernel tells.
private func processors(of task: String) -> [UInt32] {
  let lines = KernelFile.read("/proc/\(task)/status")?.split(separator: "\n") ?? []
  let list = lines.first { $0.hasPrefix("Cpus_allowed_list:") }?.split(separator: "\t").last ?? ""
  return list.split(separator: ",").flatMap { part -> [UInt32] in
    let ends = part.split(separator: "-").compactMap { UInt32($0) }
    return ends.isEmpty ? [] : Array(ends[0]...ends[ends.count - 1])
  }
}

/// Whether there is anything to set aside here.
private let isDivided = !ProcessorShares.current.aside.isEmpty

@Suite("Shares of the processors") struct ProcessorSharesTests {
  @Test(
    "a quarter is set aside, at least one, and none of one alone",
    arguments: [
      ([], 0), ([3], 0), ([0, 1], 1), ([2, 5, 9], 1), (Array(0..<4), 1), (Array(0..<8), 2),
      (Array(0..<64), 16),
    ] as [([UInt32], Int)])
  func division(all: [UInt32], aside: Int) {
    let shares = ProcessorShares(of: all)
    #expect(shares.aside.count == aside)
    #expect(shares.calls + shares.aside == all)
    #expect(all.isEmpty || !shares.calls.isEmpty)
  }

  @Test(
    "a thread for upkeep keeps to those that are set aside, one that calls wait for does not",
    .enabled(if: isDivided))
  func threads() async throws {
    for (urgency, share) in [
      (.normal, .all), (.upkeep, .aside), (.background, .aside),
    ] as [(BlockingExecutor.Urgency, ProcessorShares.Share)] {
      let worker = BlockingWorker(on: try BlockingExecutor(name: "share", urgency: urgency))
      #expect(await worker.run { processors(of: "thread-self") } == ProcessorShares.current[share])
    }
  }
}

/// A thread of a process that has several, of which each keeps its processors for itself.
@Suite("Shares of a process with threads", .timeLimit(.minutes(1)), .enabled(if: isDivided))
struct ThreadSharesTests {
  @Test("all threads of a process are moved, not its first alone")
  func moved() throws {
    let shares = ProcessorShares.current
    let program = """
      import sys, threading
      for _ in range(3): threading.Thread(target=sys.stdin.read).start()
      print("up", flush=True)
      """
    let child = try ChildProgram("/usr/bin/python3", "-c", program)
    #expect(child.line() == "up")
    shares.keep(process: child.processID, to: .aside)
    let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(child.processID)/task")
    #expect(threads.count == 4)
    for thread in threads { #expect(processors(of: "\(child.processID)/task/\(thread)") == shares.aside) }
  }
}

/// Where a module runs that crashed, and where the reactor does meanwhile.
@ReactorActor @Suite("Convalescence", .serialized, .timeLimit(.minutes(1)), .enabled(if: isDivided))
struct ConvalescenceTests {
  private static let active = ScriptedChild.describing(description) + [.awaitFrame, .send(.started), .hang]
  private let shares = ProcessorShares.current

  @Test("a module that crashed lately keeps aside until it is stable, and the reactor out of its way")
  func recovers() async throws {
    let clock = FakeClock()
    let subject = try Subject(Self.active, clock: clock) { $0.convalescence = .seconds(60) }
    #expect(await subject.startError() == nil)
    let pid = try #require(subject.process.process?.pid)
    #expect(processors(of: "\(pid)") == shares.aside)
    #expect(processors(of: "thread-self") == shares.calls)
    clock.advance(by: .seconds(59))
    #expect(processors(of: "\(pid)") == shares.aside)
    clock.advance(by: .seconds(1))
    #expect(processors(of: "\(pid)") == shares.all)
    subject.process.kill()
    _ = await subject.process.exit()
  }

  @Test("a module that did not crash runs wherever there is room")
  func healthy() async throws {
    let subject = try Subject(Self.active)
    #expect(await subject.startError() == nil)
    let pid = try #require(subject.process.process?.pid)
    #expect(processors(of: "\(pid)") == shares.all)
    subject.process.kill()
    _ = await subject.process.exit()
  }

  @Test("after the last of them the reactor stays where it is for ten seconds")
  func afterglow() {
    let clock = FakeClock()
    let ward = Ward(clock: clock)
    let (first, second) = (Convalescence(in: ward), Convalescence(in: ward))
    first.end()
    first.end()
    #expect(processors(of: "thread-self") == shares.calls)
    second.end()
    clock.advance(by: .seconds(9))
    #expect(processors(of: "thread-self") == shares.calls)
    // One that crashes again meanwhile.
    let third = Convalescence(in: ward)
    clock.advance(by: .seconds(9))
    #expect(processors(of: "thread-self") == shares.calls)
    third.end()
    clock.advance(by: .seconds(10))
    #expect(processors(of: "thread-self") == shares.all)
  }
}
