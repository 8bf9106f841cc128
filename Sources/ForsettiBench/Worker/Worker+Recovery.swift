import ForsettiBenchSet
import ForsettiRuntime
import Glibc

// What becomes of a module that crashes, and of those beside it.
extension Worker {
  /// So long a module runs before it is killed: its neighbours, and itself, have come to rest.
  private static let settling: Duration = .milliseconds(50)
  private static let fewest = 20

  /// Milliseconds from SIGSEGV until a call of another module that was open to it has failed, seen in that module.
  func crashToFailedCall(_ seconds: Double) async throws(BenchFailure) -> Figure {
    try await crashes(seconds) { () async throws(BenchFailure) in
      async let failed = bench.stage.ask(.caller, "hang 0")
      try await bench.stage.hangingCall()
      let back = bench.nextActivation(of: .provider)
      let begin = try kill(.provider)
      let end: Result<Figure, BenchFailure>
      do { end = .success(try await failed) } catch {
        end = .failure(error as? BenchFailure ?? BenchFailure("\(error)"))
      }
      _ = await back.value
      return (try end.get().median - Double(begin)) / 1e6
    }
  }

  /// Milliseconds from SIGSEGV until the module is active again; the backoff is none.
  func crashToActive(_ seconds: Double) async throws(BenchFailure) -> Figure {
    try await crashes(seconds) { () async throws(BenchFailure) in
      let back = bench.nextActivation(of: .idle(0))
      let begin = try kill(.idle(0))
      return Double(await back.value - begin) / 1e6
    }
  }

  /// Milliseconds from SIGSEGV until the report on it is whole on the disk, under its name.
  func crashToReport(_ seconds: Double) async throws(BenchFailure) -> Figure {
    try await crashes(seconds) { () async throws(BenchFailure) in
      let back = bench.nextActivation(of: .idle(0))
      let begin = try kill(.idle(0))
      let end = await bench.nextReport(after: begin)
      _ = await back.value
      return Double(end &- begin) / 1e6
    }
  }

  /// Milliseconds from SIGSEGV until the replacement has answered what nobody could know before.
  func crashToAnswer(_ seconds: Double) async throws(BenchFailure) -> Figure {
    let id = BenchModule.idle(0).moduleID
    return try await crashes(seconds) { () async throws(BenchFailure) in
      bench.stage.forget(id)
      let back = bench.nextActivation(of: .idle(0))
      let begin = ContinuousClock.now
      _ = try kill(.idle(0))
      let end = try await bench.stage.nextAnswer(of: id)
      _ = await back.value
      return (end - begin) / .milliseconds(1)
    }
  }

  /// Descriptors and KiB that the supervisor has more of after so many restarts of one module, with ten calls of its
  /// neighbour to each: descriptors as the median, KiB as the worst.
  func restarts(_ count: Int) async throws(BenchFailure) -> Figure {
    // What is taken once and kept is taken before it counts.
    try await restartBesideCalls(times: 20)
    await ModuleProcess.whenLetGo()
    let before = (descriptors: try SupervisorUsage.descriptors(), memory: try SupervisorUsage.privateKiB())
    try await restartBesideCalls(times: count)
    await ModuleProcess.whenLetGo()
    var figure = Figure(Double(try SupervisorUsage.descriptors() - before.descriptors))
    figure.worst = try SupervisorUsage.privateKiB() - before.memory
    return figure
  }

  private func restartBesideCalls(times count: Int) async throws(BenchFailure) {
    for _ in 0..<count {
      let back = bench.nextActivation(of: .idle(0))
      _ = try kill(.idle(0))
      _ = try await bench.stage.ask(.caller, "calls 10")
      _ = await back.value
    }
  }

  private func crashes(
    _ seconds: Double, _ crash: () async throws(BenchFailure) -> Double
  ) async throws(BenchFailure) -> Figure {
    let end = ContinuousClock.now + .seconds(seconds)
    var samples: [Double] = []
    while ContinuousClock.now < end || samples.count < Self.fewest {
      do { try await Task.sleep(for: Self.settling) } catch { throw BenchFailure("cancelled") }
      samples.append(try await crash())
    }
    return try figure(samples, highIsBad: true)
  }

  /// Ends a module's process as a fault of its own would. When, in nanoseconds of CLOCK_MONOTONIC.
  func kill(_ module: BenchModule) throws(BenchFailure) -> UInt64 {
    guard let pid = try bench.manager().processID(of: module.moduleID) else {
      throw BenchFailure("\(module.moduleID) has no process")
    }
    let now = BenchRuntime.monotonicNanoseconds()
    guard Glibc.kill(pid, SIGSEGV) == 0 else { throw BenchFailure("kill: errno \(errno)") }
    return now
  }
}

extension BenchRuntime {
  /// Nanoseconds of CLOCK_MONOTONIC, which modules read too.
  nonisolated static func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  /// When the next crash report was on disk, nanoseconds of CLOCK_MONOTONIC; 0 if none will be.
  func nextReport(after begin: UInt64) async -> UInt64 {
    for await time in reports where time > begin { return time }
    return 0
  }

  /// When a module becomes active next, nanoseconds of CLOCK_MONOTONIC. It is listened for from here on.
  func nextActivation(of module: BenchModule) -> Task<UInt64, Never> {
    let (stream, continuation) = AsyncStream<UInt64>.makeStream()
    let subscription = runtime.bus.subscribe(to: "forsetti.lifecycle.activated") { event in
      guard event.payload["moduleID"] == module.moduleID else { return }
      continuation.yield(Self.monotonicNanoseconds())
    }
    // On the reactor alone, as the supervisor's own tasks are.
    return Task(executorPreference: Reactor.shared) {
      let time = await Self.first(of: stream)
      await subscription.cancel()
      return time
    }
  }

  private static func first(of times: AsyncStream<UInt64>) async -> UInt64 {
    for await time in times { return time }
    return 0
  }
}
