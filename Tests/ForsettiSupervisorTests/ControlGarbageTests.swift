import ForsettiCore
import ForsettiIPC
import Foundation
import Glibc
import Testing

@testable import ForsettiSupervisor

/// The control socket of the real program under clients that mean no good. What they may cost in time is bounded: they are
/// let go at once, or their requests are answered.
@Suite(.timeLimit(.minutes(2))) struct ControlGarbageTests {
  private static let count = 10_000

  private static func status(_ scratch: Scratch) async throws -> ReportedBoot {
    let end = try await SupervisorProcess.run(["status", "--json", "--state", scratch("state")])
    #expect(end.status == 0, "\(end.errors)")
    return try ReportedBoot(end.output)
  }

  private static func descriptors(of process: Int32) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count
  }

  private static func residentKiB(of process: Int32) throws -> Int {
    let text = try #require(Proc.status(process, "VmRSS"))
    return try #require(Int(text.prefix { $0.isNumber }))
  }

  @Test("garbage, half frames, silence and a client of a newer version end themselves alone")
  func garbage() async throws {
    let scratch = try Scratch()
    let supervisor = try await SupervisorProcess.booted(in: scratch)
    let folder = scratch("state/run")
    let descriptors = try Self.descriptors(of: supervisor.processID)
    var random = SystemRandomNumberGenerator()
    for _ in 0..<Self.count {
      let client = try RawClient(folder)
      client.send((0..<Int.random(in: 1...256)).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
    // Half a frame that is never finished, and a header that promises more than is taken.
    let half = try RawClient(folder)
    half.send([8, 0, 0, 0])
    let large = try RawClient(folder)
    large.send(
      [0, 0, 8, 0, FrameKind.call.rawValue] + [UInt8](repeating: 0, count: 3) + [1]
        + [UInt8](repeating: 0, count: 15))
    #expect(try large.failure()?.code == .malformed)
    let newer = try RawClient(folder)
    try newer.call(
      "hello", .map([CBORMember(.text("lowest"), .unsigned(2)), CBORMember(.text("highest"), .unsigned(9))]))
    #expect(try newer.failure()?.code == .version)
    let hasty = try RawClient(folder)
    try hasty.call("shutdown", .map([]))
    #expect(try hasty.failure()?.code == .malformed)

    #expect(try await Self.status(scratch).modules.allSatisfy { $0.state == "active" })
    half.close()
    // Whoever is answered finds those before it gone.
    #expect(try await Self.status(scratch).state == "ready")
    #expect(try Self.descriptors(of: supervisor.processID) <= descriptors + 1)
    supervisor.send(SIGTERM)
    #expect(await supervisor.end().status == 0)
  }

  @Test(
    "requests that were valid before bytes of them were changed stop nothing, change nothing and leak nothing"
  )
  func spoiledRequests() async throws {
    let scratch = try Scratch()
    let supervisor = try await SupervisorProcess.booted(in: scratch)
    let folder = scratch("state/run")
    let before = try await Self.status(scratch)
    // What the first ones make the supervisor hold on to for good, such as code that it had not used, is no leak.
    try Self.sendSpoiled(Self.count / 10, to: folder)
    let descriptors = try Self.descriptors(of: supervisor.processID)
    let resident = try Self.residentKiB(of: supervisor.processID)
    try Self.sendSpoiled(Self.count, to: folder)
    let after = try await Self.status(scratch)
    #expect(after.state == "ready")
    #expect(after.modules.map(\.pid) == before.modules.map(\.pid))
    // The last client is gone before the supervisor has closed its end; one that leaks is never done.
    while try Self.descriptors(of: supervisor.processID) > descriptors { await Task.yield() }
    #expect(try Self.residentKiB(of: supervisor.processID) <= resident + 8192)
    supervisor.send(SIGTERM)
    #expect(await supervisor.end().status == 0)
  }

  /// Calls of every operation that changes nothing, one after another on connections that have said hello; the supervisor
  /// ends the connection at a frame that is none.
  private static func sendSpoiled(_ count: Int, to folder: String) throws {
    var random = SystemRandomNumberGenerator()
    let requests = try Self.requests()
    var sent = 0
    while sent < count {
      let client = try RawClient(folder)
      try client.greet()
      for _ in 0..<16 {
        var bytes = requests[Int.random(in: 0..<requests.count, using: &random)]
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
        }
        client.send(bytes)
        sent += 1
      }
      // It is heard to its end, and then let go: the next connection is not taken before.
      client.finish()
      try client.drain()
    }
  }

  /// A frame of each operation that takes no more than the right to read, and two that fail in this deployment; of call IDs
  /// of their own, so that several may be open at once.
  private static func requests() throws -> [[UInt8]] {
    let member = CBORMember(.text("module"), .text("scanner"))
    let calls: [(String, CBORValue)] =
      ControlOperations.all.filter { $0.right == .read }.map { ($0.name, .map([])) }
      + ["status", "logs", "explain"].map { ($0, .map([member])) } + [
        ("events", EventsRequest("*").control),
        (
          "call",
          .map([CBORMember(.text("role"), .text("api")), CBORMember(.text("method"), .text("request"))])
        ),
        ("accept", AcceptRequest().control),
      ]
    return try calls.enumerated().map { index, call in
      var queue = OutboundQueue()
      try ControlMessage.call(operation: call.0, call.1, timeoutMilliseconds: 0)
        .encode(into: &queue, callID: UInt64(index + 2))
      return queue.withPendingBytes { Array($0) }
    }
  }
}
