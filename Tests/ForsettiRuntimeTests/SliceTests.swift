import CLinux
import ForsettiBlocking
import Glibc
import Testing

@testable import ForsettiRuntime

/// How long the turns of a task are, in nanoseconds, as the kernel tells; `nil` where it doesn't.
func slice(of task: String) -> Int? {
  let lines = KernelFile.read("/proc/\(task)/sched")?.split(separator: "\n")
  return lines?.first { $0.hasPrefix("se.slice ") }?.split(separator: " ").last.flatMap { Int($0) }
}

/// Whether the kernel lets a task choose (Linux 6.12), and tells.
let hasSlices: Bool = {
  _ = cl_set_slice(300_000)
  defer { _ = cl_set_slice(0) }
  return slice(of: "thread-self") == 300_000
}()

/// Whoever is waited for takes the processor from whoever is not.
@ReactorActor @Suite("Turns on a processor", .timeLimit(.minutes(1)), .enabled(if: hasSlices))
struct SliceTests {
  @Test(
    "the reactor's are the shortest, those of a thread that calls wait for short, and no other's are, though the reactor starts it"
  )
  func threads() async throws {
    #expect(slice(of: "thread-self") == Int(CL_SHORTEST_SLICE))
    #expect(try await turns(of: .normal) == Int(CL_SHORT_SLICE))
    for urgency in [BlockingExecutor.Urgency.upkeep, .background] {
      #expect(try #require(await turns(of: urgency)) > Int(CL_SHORT_SLICE))
    }
  }

  private func turns(of urgency: BlockingExecutor.Urgency) async throws -> Int? {
    let worker = BlockingWorker(on: try BlockingExecutor(name: "blocking", urgency: urgency))
    return await worker.run { slice(of: "thread-self") }
  }
}

/// What nobody waits for takes little of a processor that others want.
@Suite("Niceness", .timeLimit(.minutes(1))) struct NicenessTests {
  @Test("a thread in the background is nicer than its process, and the process is as it was")
  func background() async throws {
    let usual = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
    let worker = BlockingWorker(on: try BlockingExecutor(name: "background", urgency: .background))
    let niceness = await worker.run { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }
    #expect(niceness == min(19, usual + 10))
    #expect(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), UInt32(getpid())) == usual)
  }
}
