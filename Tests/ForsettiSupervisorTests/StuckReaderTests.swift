import Glibc
import Testing

@testable import ForsettiSupervisor

/// A pipe that a program writes into and nobody reads.
final class UnreadPipe {
  /// Bytes that it takes: the least there is.
  static let size: Int32 = 4_096
  /// F_SETPIPE_SZ of fcntl(2), which Swift's Glibc lacks.
  private static let setSize: Int32 = 1031

  private let end: Int32

  /// Makes it.
  init(at path: String) throws {
    try #require(mkfifo(path, 0o600) == 0)
    // For both: whoever opens it to write need not wait for a reader.
    end = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    try #require(end >= 0 && fcntl(end, Self.setSize, Self.size) >= 0)
  }

  deinit { close(end) }

  /// Leaves no room in it.
  func fill() {
    let page = [UInt8](repeating: 0, count: Int(Self.size))
    while write(end, page, page.count) > 0 {}
  }

  /// Waits until something is in it.
  func isWritten() -> Bool {
    var poller = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
    return poll(&poller, 1, 60_000) == 1
  }
}

@Suite("Whoever reads nothing of what a run writes keeps no signal from being heard", .timeLimit(.minutes(2)))
struct StuckReaderTests {
  private let scratch: Scratch
  private let pipe: UnreadPipe

  init() throws {
    scratch = try Scratch()
    pipe = try UnreadPipe(at: scratch("output"))
  }

  /// Runs the program once, its output into the pipe, and tells it to end when it has written what the pipe takes.
  private func endOfRun(_ arguments: [String]) async throws -> SupervisorProcess.End {
    let supervisor = try SupervisorProcess(
      [
        "-c", "exec \"$@\" > \"$0\"", scratch("output"), Product.supervisor, "run", "--once", "--json",
        "--state", scratch("state"),
      ] + arguments, executable: "/bin/sh")
    #expect(pipe.isWritten())
    supervisor.send(SIGTERM)
    return await supervisor.end()
  }

  @Test("a report that is longer than the pipe")
  func report() async throws {
    let end = try await endOfRun(["--policy", Product.strictPolicy])
    #expect(end.status == ForsettiSupervisor.ExitStatus.temporaryFailure.rawValue)
    #expect(end.errors.contains("interrupted before anybody had read"), "\(end.errors)")
  }

  @Test("why a boot failed, which is longer than the pipe too")
  func failure() async throws {
    // Each is a fault, and has its line.
    for number in 1...100 { try scratch.write("manifests/com.example.module\(number).json", "{}") }
    let policy = try scratch.write(
      "policy.json", #"{"policyVersion": 1, "entitlements": {"provider": "allowAll"}}"#)
    let end = try await endOfRun(["--policy", policy, "--manifests", scratch("manifests")])
    #expect(end.status == ForsettiSupervisor.ExitStatus.dataError.rawValue, "\(end.errors)")
    #expect(end.errors.contains("100 manifest faults"), "\(end.errors)")
  }
}
