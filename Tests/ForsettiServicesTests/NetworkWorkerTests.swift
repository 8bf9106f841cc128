import CLinux
import ForsettiCore
import ForsettiTestKit
import Foundation
import Glibc
import Testing

@testable import ForsettiIPC
@testable import ForsettiRuntime
@testable import ForsettiServices

/// The network worker as a process: what holds it, what its end costs, and who waits for whom.
@Suite("A network worker", .timeLimit(.minutes(3))) struct NetworkWorkerTests {
  private let server: TestServer

  init() throws { server = try TestServer.shared() }

  private func exchange(
    _ path: String, milliseconds: Int = 120_000, bytes: Int = 983_040
  ) -> HTTPExchange {
    HTTPExchange(
      url: server.url(path, host: "127.0.0.1"), method: "GET", responseBytes: bytes,
      timeoutMilliseconds: milliseconds, reach: .any)
  }

  private func ask(
    _ worker: NetworkWorker, _ path: String, milliseconds: Int = 120_000, for owner: String = "a.module"
  ) async -> Result<Int, HTTPFault> {
    await worker.perform(exchange(path, milliseconds: milliseconds), for: owner).map(\.status)
  }

  /// The worker's process, which its keeper alone is the parent of.
  private func process(of worker: NetworkWorker) throws -> pid_t {
    let keeper = worker.keeper.process.pid
    let children = try String(contentsOfFile: "/proc/\(keeper)/task/\(keeper)/children", encoding: .utf8)
    return try #require(pid_t(children.trimmingCharacters(in: .whitespaces)))
  }

  private func isLost(_ result: Result<Int, HTTPFault>) -> Bool {
    if case .failure(.workerLost) = result { true } else { false }
  }

  /// Requests that a server of their own has and will not answer, by the time this returns.
  private func hanging(
    _ worker: NetworkWorker, _ count: Int = 1
  ) async throws -> [Task<Result<Int, HTTPFault>, Never>] {
    let server = try TestServer()
    let exchange = HTTPExchange(
      url: server.url("/announced", host: "127.0.0.1"), method: "GET", responseBytes: 1,
      timeoutMilliseconds: 120_000, reach: .any)
    let tasks = (0..<count).map { _ in
      Task {
        // The server lasts as long as it is waited for.
        defer { withExtendedLifetime(server) {} }
        return await worker.perform(exchange, for: "a.module").map(\.status)
      }
    }
    for _ in tasks { #expect(try await server.line() == "announced") }
    return tasks
  }

  // MARK: What holds it

  @Test("is nobody, has no capabilities and a filter, and so is its keeper but for the filter")
  func held() async throws {
    let worker = try networkWorker()
    #expect(await ask(worker, "/echo") == .success(200))
    let process = try process(of: worker)
    for (pid, filter) in [(process, 2), (worker.keeper.process.pid, 0)] {
      let status = try #require(StatusFile(of: pid))
      #expect(status.integer("Seccomp") == filter)
      #expect(status.integer("NoNewPrivs") == 1)
      for capabilities in ["CapEff", "CapPrm", "CapInh", "CapAmb"] {
        #expect(status.integer(capabilities) == 0)
      }
      #expect(status.integer("Uid") == (geteuid() == 0 ? 1_879_048_192 : Int(geteuid())))
      // Undumpable, it can be looked into by root alone.
      #expect((access("/proc/\(pid)/fd", R_OK) == 0) == (geteuid() == 0))
    }
    guard geteuid() == 0 else { return }
    let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
    #expect(limits.contains(#/Max file size\s+0\s+0/#))
    // Of the test's own files it has none: the null device, its two pipes and what libcurl made.
    for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd") {
      let target = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\(name)")
      let isOwn = ["pipe:", "socket:", "anon_inode:"].contains { target.hasPrefix($0) }
      #expect(isOwn || target == "/dev/null", "\(name): \(target)")
    }
  }

  @Test("its keeper tells why it can't hold itself, and nothing is performed", .enabled(if: geteuid() == 0))
  func unlocked() async throws {
    // Root alone has a user to give up, and must.
    let worker = try networkWorker { $0.userID = nil }
    #expect(
      await ask(worker, "/echo")
        == .failure(
          .workerLost(
            "its keeper cannot hold itself: user_id: \(ErrnoName.text(ENOTRECOVERABLE))")))
  }

  @Test("a program that is not there has no keeper") func absent() {
    #expect(throws: SystemError.self) { try networkWorker { $0.path = "/nonexistent/worker" } }
  }

  @Test("authorities that can't be read leave none to trust") func noAuthorities() async throws {
    let worker = try networkWorker { $0.authorities = "/nonexistent/certificates" }
    #expect(isLost(await ask(worker, "/echo")))
  }

  /// Names of hosts(5) that libcurl does not know by itself.
  private static let knownNames: [String] = {
    let lines = (try? String(contentsOfFile: "/etc/hosts", encoding: .utf8))?.split(separator: "\n") ?? []
    return lines.flatMap { $0.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).dropFirst() }
      .map { $0.lowercased() }.filter { !$0.contains("localhost") }
  }()

  @Test("finds names by the system's own resolver, in threads that its filter lets it make")
  func resolver() async throws {
    let worker = try networkWorker()
    func ask(_ name: String) async -> Result<Int, HTTPFault> {
      await worker.perform(
        HTTPExchange(
          url: "http://\(name)/", method: "GET", responseBytes: 1, timeoutMilliseconds: 500,
          reach: .publicInternet(and: [])), for: "a.module"
      ).map(\.status)
    }
    // Each leads to an address of this machine or its network, to which nobody may connect.
    for name in Self.knownNames {
      guard case .failure(.refusedAddress) = await ask(name) else {
        Issue.record("\(name) is not found")
        continue
      }
    }
    // Whether there is somebody to ask or not (RFC 6761 §6.4).
    let nobody = await ask("name.invalid")
    #expect([.failure(.unresolved), .failure(.timedOut)].contains(nobody))
  }

  // MARK: What its end costs

  @Test("killed, it fails what was under way at once, and the next request has another") func killed()
    async throws
  {
    let worker = try networkWorker()
    let tasks = try await hanging(worker, 3)
    let first = try process(of: worker)
    #expect(kill(first, SIGKILL) == 0)
    for task in tasks { #expect(isLost(await task.value)) }
    #expect(await ask(worker, "/echo") == .success(200))
    #expect(try process(of: worker) != first)
  }

  @Test("hung, it is ended when an answer is overdue, and the next request has another") func hung()
    async throws
  {
    let worker = try networkWorker { $0.grace = .milliseconds(50) }
    #expect(await ask(worker, "/echo") == .success(200))
    let first = try process(of: worker)
    #expect(kill(first, SIGSTOP) == 0)
    #expect(isLost(await ask(worker, "/echo", milliseconds: 50)))
    #expect(await ask(worker, "/echo") == .success(200))
    #expect(try process(of: worker) != first)
  }

  @Test("when its keeper is gone, so is it, and that is told") func keeperGone() async throws {
    let worker = try networkWorker()
    #expect(await ask(worker, "/echo") == .success(200))
    let watch = Descriptor(owning: cl_pidfd_open(try process(of: worker)))
    #expect(kill(worker.keeper.process.pid, SIGKILL) == 0)
    var polled = pollfd(fd: watch.number, events: Int16(POLLIN), revents: 0)
    #expect(poll(&polled, 1, 60_000) == 1)
    #expect(isLost(await ask(worker, "/echo")))
  }

  // MARK: Who waits for whom

  @Test("a module that fills its share with requests that hang holds up no other") func neighbours()
    async throws
  {
    let worker = try networkWorker()
    let share = TransferQueue.Limits().perOwner
    let tasks =
      try await hanging(worker, share) + (0..<100).map { _ in Task { await ask(worker, "/silent") } }
    for _ in 0..<10 { #expect(await ask(worker, "/echo", for: "b.module") == .success(200)) }
    for task in tasks { task.cancel() }
    for task in tasks { #expect(await task.value == .failure(.cancelled)) }
    #expect(await ask(worker, "/echo") == .success(200))
  }

  @Test("a request that waits for its turn longer than it may is over") func turn() async throws {
    let worker = try networkWorker()
    let tasks = try await hanging(worker, TransferQueue.Limits().perOwner)
    #expect(await ask(worker, "/echo", milliseconds: 50) == .failure(.timedOut))
    for task in tasks { task.cancel() }
    for task in tasks { #expect(await task.value == .failure(.cancelled)) }
    #expect(await ask(worker, "/echo") == .success(200))
  }

  @Test("no more of an answer comes than was asked for, until more is") func window() async throws {
    let worker = try networkWorker()
    let conversation = try await RawConversation(worker.keeper)
    let size = 900_000
    try await conversation.say(.perform(exchange("/size?n=\(size)")), 1)
    // What is answered in full meanwhile shows that the worker had the time to send more.
    for number in UInt64(2)...6 {
      try await conversation.say(.perform(exchange("/echo")), number)
      await conversation.wait { $0[number]?.last == .ended }
    }
    await conversation.wait { NetworkWindow.bytes - Self.cost($0[1]) < 17_000 }
    #expect(await Self.cost(conversation.answers.items.last?[1]) <= NetworkWindow.bytes)
    #expect(await conversation.answers.items.last?[1]?.last != .ended)
    while await conversation.answers.items.last?[1]?.last != .ended {
      let before = await Self.cost(conversation.answers.items.last?[1])
      try await conversation.say(.credit(NetworkWindow.bytes), 1)
      await conversation.wait { $0[1]?.last == .ended || Self.cost($0[1]) > before }
    }
    #expect(await Self.body(conversation.answers.items.last?[1]) == size)
    await conversation.close()
  }

  private static func body(_ answers: [NetworkAnswer]?) -> Int {
    (answers ?? []).reduce(0) { if case .body(let bytes) = $1 { $0 + bytes.count } else { $0 } }
  }

  private static func cost(_ answers: [NetworkAnswer]?) -> Int {
    (answers ?? []).reduce(0) {
      if case .body(let bytes) = $1 { $0 + NetworkWindow.cost(of: bytes.count) } else { $0 }
    }
  }
}

/// What a supervisor that grants nothing by itself hears of a worker.
@ReactorActor private final class RawConversation {
  /// After each answer, all of them by exchange.
  let answers = Log<[UInt64: [NetworkAnswer]]>()
  private var conversation: NetworkConversation?

  init(_ keeper: NetworkKeeper) throws {
    conversation = try NetworkConversation.begin(with: keeper) { [answers] report in
      guard case .answer(let answer, let exchange) = report else { return }
      var all = answers.items.last ?? [:]
      all[exchange, default: []].append(answer)
      answers.add(all)
    }
  }

  func say(_ request: NetworkRequest, _ exchange: UInt64) throws {
    try conversation?.say(request, exchange)
  }

  func wait(until isEnough: @escaping @Sendable ([UInt64: [NetworkAnswer]]) -> Bool) async {
    await answers.wait { isEnough($0.last ?? [:]) }
  }

  func close() {
    conversation?.close()
    conversation = nil
  }
}
