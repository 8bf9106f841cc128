import ForsettiRuntime
import ForsettiTestKit
import Glibc
import Testing

@testable import ForsettiSupervisor

/// A run that is told to stop when its boot is done and it has not said so yet.
@ReactorActor @Suite(.timeLimit(.minutes(1))) struct LiveRunTests {
  private static func run(
    _ options: RunOptions, environment: [String: String] = [:]
  ) async throws -> ForsettiSupervisor.ExitStatus {
    let bootstrap = try await LiveRuntime.bootstrap(
      LiveRuntime.policy(Product.strictPolicy), Product.manifests, try Scratch(), SilentLogger())
    let reloader = Reloader(
      policyPath: Product.strictPolicy, bootstrap: bootstrap, logger: SilentLogger())
    let live = try LiveRun(
      options, in: .product(environment: environment), kernel: .current(userID: geteuid()), bootstrap,
      reloader, audited: nil)
    defer { live.close() }
    let states = bootstrap.states()
    // Its turn comes first: a run looks at its modules' processes before it goes on, which takes another thread.
    let stop = Task { for await state in states where state == .ready { return live.end() } }
    let status = try await live.run()
    await stop.value
    return status
  }

  @Test("it is never called ready, and ends in good order")
  func neverReady() async throws {
    let scratch = try Scratch()
    let socket = try NoticeSocket(scratch("notify"))
    let status = try await Self.run(RunOptions(quiet: true), environment: ["NOTIFY_SOCKET": socket.path])
    #expect(status == .success)
    #expect(socket.say("END=1"))
    #expect(socket.upTo("END=1") == ["STOPPING=1", "END=1"])
  }

  @Test("one that was to boot once is no success")
  func once() async throws {
    let failure = await #expect(throws: CommandFailure.self) {
      try await Self.run(RunOptions(once: true, quiet: true))
    }
    #expect(failure?.status == .temporaryFailure)
  }
}
