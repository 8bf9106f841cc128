import ForsettiTestKit
import Glibc
import Testing

@testable import ForsettiRuntime
@testable import ForsettiSupervisor

@Suite struct ServiceManagerTests {
  @Test("a service manager hears of a boot that is done, of life, of modules that end, and of the shutdown")
  func notices() async throws {
    let scratch = try Scratch()
    let socket = try NoticeSocket(scratch("notify"))
    let supervisor = try SupervisorProcess(
      ["run", "--policy", Product.strictPolicy, "--state", scratch("state")],
      environment: ["NOTIFY_SOCKET": socket.path, "WATCHDOG_USEC": "100000"])
    let boot = socket.upTo("READY=1")
    #expect(boot.suffix(2) == ["STATUS=11 of 11 modules active", "READY=1"])
    #expect(boot.contains("WATCHDOG=1"))
    #expect(socket.upTo("WATCHDOG=1") == ["WATCHDOG=1"])
    let stopped = try await SupervisorProcess.run(["deactivate", "scanner", "--state", scratch("state")])
    #expect(stopped.status == 0)
    #expect(socket.upTo("STATUS=").last == "STATUS=10 of 10 modules active")
    supervisor.send(SIGTERM)
    #expect(socket.upTo("STOPPING=1").last == "STOPPING=1")
    #expect(await supervisor.end().status == 0)
  }

  @Test("signs of life come by the reactor's timers alone: where those stand still, there are none")
  @ReactorActor func beats() async throws {
    let scratch = try Scratch()
    let socket = try NoticeSocket(scratch("notify"))
    let settings = try #require(
      ServiceManagerSettings(
        environment: ["NOTIFY_SOCKET": socket.path, "WATCHDOG_USEC": "2000000"], processID: 7))
    let clock = FakeClock()
    let manager = try ServiceManager(settings, clock: clock)
    #expect(socket.next() == "WATCHDOG=1")
    clock.advance(by: .milliseconds(999))
    manager.tell(status: "a")
    #expect(socket.next() == "STATUS=a")
    clock.advance(by: .milliseconds(1))
    #expect(socket.next() == "WATCHDOG=1")
    manager.close()
    clock.advance(by: .seconds(10))
    #expect(socket.say("END=1"))
    #expect(socket.next() == "END=1")
  }

  @Test("a boot that fails is never called ready")
  func failure() async throws {
    let scratch = try Scratch()
    let socket = try NoticeSocket(scratch("notify"))
    let end = try await SupervisorProcess.run(
      ["run", "--policy", Product.strictPolicy, "--state", scratch("state"), "--manifests", scratch.path],
      environment: ["NOTIFY_SOCKET": socket.path])
    #expect(end.status != 0)
    #expect(socket.say("END=1"))
    #expect(socket.upTo("END=1") == ["END=1"])
  }

  @Test(
    "only an address of unix(7) is one, and a watchdog is for the process that it names",
    arguments: [
      ([:], nil), (["NOTIFY_SOCKET": ""], nil), (["NOTIFY_SOCKET": "@"], nil),
      (["NOTIFY_SOCKET": "vsock:2:1234"], nil), (["NOTIFY_SOCKET": "relative"], nil),
      (["NOTIFY_SOCKET": "/run/n"], .some(nil)), (["NOTIFY_SOCKET": "@n"], .some(nil)),
      (["NOTIFY_SOCKET": "/n", "WATCHDOG_USEC": "30000000"], 15_000_000),
      (["NOTIFY_SOCKET": "/n", "WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "7"], 1_500_000),
      (["NOTIFY_SOCKET": "/n", "WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "8"], .some(nil)),
      (["NOTIFY_SOCKET": "/n", "WATCHDOG_USEC": "-1"], .some(nil)),
      (["NOTIFY_SOCKET": "/n", "WATCHDOG_USEC": "0"], .some(nil)),
      (["NOTIFY_SOCKET": "/n", "WATCHDOG_USEC": "18446744073709551615"], Int.max),
    ] as [([String: String], Int??)])
  func settings(environment: [String: String], beat: Int??) {
    let settings = ServiceManagerSettings(environment: environment, processID: 7)
    #expect((settings != nil) == (beat != nil))
    guard let settings, let beat else { return }
    let expected = beat.map { Duration.microseconds($0 == Int.max ? Int64.max : Int64($0)) }
    #expect(settings.beat == expected)
  }

  @Test("a status is one line, whatever it says")
  func oneLine() {
    #expect(ServiceNotice.status("a\nREADY=1").text == "STATUS=a\\u{A}READY=1")
    #expect(ServiceNotice.reloading(monotonicMicroseconds: 12).text == "RELOADING=1\nMONOTONIC_USEC=12")
  }

  @Test(
    "what a full socket has no room for is said when it has, in order; of statuses that wait the last one")
  @ReactorActor func retries() async throws {
    let scratch = try Scratch()
    let socket = try NoticeSocket(scratch("notify"))
    var settings = try #require(
      ServiceManagerSettings(environment: ["NOTIFY_SOCKET": socket.path], processID: 7))
    settings.watchdogMicroseconds = nil
    let clock = FakeClock()
    let manager = try ServiceManager(settings, clock: clock)
    // More than a socket takes (net.unix.max_dgram_qlen), so that the last ones have to wait.
    let total = 2_000
    for number in 0..<total { manager.tell(status: "\(number)") }
    manager.ready("done")
    var heard: [String] = []
    while heard.last != "READY=1", let notice = socket.next() {
      heard.append(notice)
      clock.advance(by: .milliseconds(100))
    }
    #expect(heard.suffix(2) == ["STATUS=done", "READY=1"])
    let before = heard.dropLast(2)
    #expect(before.elementsEqual((0..<before.count).map { "STATUS=\($0)" }) && before.count < total)
  }

  @Test("before the boot is done no reload calls anything ready, however early it is asked for")
  @ReactorActor func tooEarly() async throws {
    let scratch = try Scratch()
    let socket = try NoticeSocket(scratch("notify"))
    let settings = try #require(
      ServiceManagerSettings(environment: ["NOTIFY_SOCKET": socket.path], processID: 7))
    let bootstrap = try await LiveRuntime.bootstrap(
      LiveRuntime.policy(Product.strictPolicy), Product.manifests, scratch, SilentLogger())
    let status = ServiceStatus(try ServiceManager(settings), of: bootstrap.runtime)
    let reloader = Reloader(
      policyPath: Product.strictPolicy, bootstrap: bootstrap, logger: SilentLogger())
    reloader.service = status
    await #expect(throws: CommandFailure.self) { try await reloader.reload() }
    #expect(socket.say("END=1"))
    #expect(socket.upTo("END=1") == ["END=1"])
    status.close()
  }

  @Test("once the shutdown has begun nothing is called ready, whatever ends meanwhile")
  @ReactorActor func stopping() async throws {
    let scratch = try Scratch()
    let socket = try NoticeSocket(scratch("notify"))
    let settings = try #require(
      ServiceManagerSettings(environment: ["NOTIFY_SOCKET": socket.path], processID: 7))
    let live = try await LiveRuntime(
      policy: LiveRuntime.policy(Product.strictPolicy), manifests: Product.manifests)
    let status = ServiceStatus(try ServiceManager(settings), of: live.runtime)
    status.ready()
    #expect(socket.upTo("READY=1").last == "READY=1")
    status.reloading()
    #expect(socket.next()?.hasPrefix("RELOADING=1") == true)
    status.stopping()
    status.reloaded()
    status.reloading()
    status.ready()
    #expect(socket.say("END=1"))
    #expect(socket.upTo("END=1") == ["STOPPING=1", "END=1"])
    status.close()
    await live.shutDown()
  }

  @Test("reloads that are asked for at once come one after the other")
  func reloads() async throws {
    let scratch = try Scratch()
    let socket = try NoticeSocket(scratch("notify"))
    let supervisor = try SupervisorProcess(
      ["run", "--policy", Product.strictPolicy, "--state", scratch("state")],
      environment: ["NOTIFY_SOCKET": socket.path])
    _ = socket.upTo("READY=1")
    // Read meanwhile: a socket holds a few only.
    let hearing = Task.detached { socket.upTo("STOPPING=1") }
    let clients = try (0..<4).map { _ in
      try SupervisorProcess(["reload", "--state", scratch("state")])
    }
    supervisor.send(SIGHUP)
    for client in clients { #expect(await client.end().status == 0) }
    supervisor.send(SIGTERM)
    let heard = await hearing.value.filter { !$0.hasPrefix("STATUS=") }
    let words = heard.dropLast().map { $0.hasPrefix("RELOADING=1") ? "reloading" : $0 }
    #expect(words.count { $0 == "reloading" } >= 4)
    for (index, word) in words.enumerated() {
      #expect(word == (index.isMultiple(of: 2) ? "reloading" : "READY=1"), "\(words)")
    }
    #expect(await supervisor.end().status == 0)
  }
}
