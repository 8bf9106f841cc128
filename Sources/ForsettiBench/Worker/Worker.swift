import CBench
import ForsettiBenchSet
import ForsettiCore
import ForsettiRuntime
import Glibc

/// A supervisor that measures when a line on its input says so: `MEASURE SECONDS`, answered by one line.
@ReactorActor
struct Worker {
  /// What it prints once its modules are active.
  nonisolated static let readyLine = "ready"

  let bench: BenchRuntime
  private let crew: Crew

  /// Boots, serves lines until the input ends, and stops everything.
  nonisolated static func run(_ crew: Crew) async throws(BenchFailure) {
    cbench_end_with_parent()
    let worker = try await Worker(crew)
    try await Placement.settle(modules: worker.processes())
    say(readyLine, to: 1)
    while let line = readLine() {
      do throws(BenchFailure) {
        say(try await worker.answer(line).line, to: 1)
      } catch {
        say(Figure.line(of: error), to: 1)
      }
    }
    await worker.end()
  }

  /// Stops everything.
  func end() async { await bench.end() }

  private func processes() -> [Int32] {
    bench.runtime.status().modules.compactMap(\.process?.pid)
  }

  /// Boots.
  init(_ crew: Crew) async throws(BenchFailure) {
    self.crew = crew
    bench = try await BenchRuntime(crew)
  }

  /// Does one measurement.
  func answer(_ line: String) async throws(BenchFailure) -> Figure {
    let words = line.split(separator: " ")
    guard words.count == 2, let seconds = Double(words[1]) else { throw BenchFailure("what is \(line)?") }
    switch words[0] {
    case "call", "calls", "provider", "pipelined", "bulk_64k", "bulk_1m":
      return try await bench.stage.ask(.caller, line)
    case "spoil": return try await bench.stage.ask(.publisher, line)
    case "spawn": return try await spawn(seconds)
    case "events": return try await events(line)
    case "event_allocations": return try await eventAllocations()
    case "call_allocations": return try await callAllocations()
    case "quiet_supervisor": return try await quiet(supervisor: true)
    case "quiet_module": return try await quiet(supervisor: false)
    case "activation": return try await activation(of: .resting, seconds)
    case "activation_answering": return try await activation(of: .idle(0), seconds)
    case "crash_calls": return try await crashToFailedCall(seconds)
    case "crash_active": return try await crashToActive(seconds)
    case "crash_report": return try await crashToReport(seconds)
    case "slow_call": return try await slowCall(seconds)
    case "storm": return try await slowCallInStorm(seconds)
    case "crash_restart": return try await crashToAnswer(seconds)
    case "restarts": return try await restarts(Int(seconds))
    case "pss": return try pss()
    case "memory": return Figure(try SupervisorUsage.privateKiB())
    case "cpu": return try await cpu(max(seconds, 2))
    default: throw BenchFailure("no such measure: \(words[0])")
    }
  }

  /// Milliseconds from before the spawn until `started` was read, of one module again and again.
  private func activation(
    of module: BenchModule, _ seconds: Double
  ) async throws(BenchFailure) -> Figure {
    let manager = try bench.manager()
    let end = ContinuousClock.now + .seconds(seconds)
    var samples: [Double] = []
    while ContinuousClock.now < end || samples.count < 3 {
      do {
        try await manager.deactivateModule(moduleID: module.moduleID)
        try await manager.activateModule(moduleID: module.moduleID)
      } catch { throw BenchFailure("\(error)") }
      guard let time = try bench.process(module).activationNanoseconds else {
        throw BenchFailure("\(module.moduleID) has no activation time")
      }
      samples.append(Double(time) / 1e6)
    }
    return try figure(samples, highIsBad: true)
  }

  // MARK: Calls and events

  /// Deliveries a second, all subscribers together.
  private func events(_ line: String) async throws(BenchFailure) -> Figure {
    var figure = try await bench.stage.ask(.publisher, line)
    figure.median *= Double(crew.subscribers)
    figure.worst *= Double(crew.subscribers)
    return figure
  }

  /// Blocks that the reactor's thread takes from the heap for one event that a module publishes, all deliveries of it
  /// included, and its share of an acknowledgement of each subscriber for each batch.
  private func eventAllocations() async throws(BenchFailure) -> Figure {
    _ = try await bench.stage.ask(.publisher, "batch 1")
    let before = cbench_allocations()
    _ = try await bench.stage.ask(.publisher, "batch 1")
    return Figure(Double(cbench_allocations() - before) / Double(BenchModule.eventBatch))
  }

  /// The same for one call of a service that is answered at once.
  private func callAllocations() async throws(BenchFailure) -> Figure {
    _ = try await bench.stage.ask(.caller, "calls 1000")
    let before = cbench_allocations()
    _ = try await bench.stage.ask(.caller, "calls 10000")
    return Figure(Double(cbench_allocations() - before) / 10_000)
  }

  /// Microseconds that the reactor, or the calling module, is on a CPU in a tenth of a second, from 1 ms after the last
  /// call of a burst on.
  private func quiet(supervisor: Bool) async throws(BenchFailure) -> Figure {
    _ = try await bench.stage.ask(.caller, "call 0.1")
    let pid = try bench.process(.caller).pid
    // Not on the reactor: looking must not be what is seen.
    let nanoseconds = try await Self.nanosecondsAfterBurst(of: supervisor ? nil : pid)
    return Figure(Double(nanoseconds) / 1e3)
  }

  @concurrent private nonisolated static func nanosecondsAfterBurst(
    of pid: Int32?
  ) async throws(BenchFailure) -> UInt64 {
    usleep(1000)
    let before = try SupervisorUsage.nanoseconds(of: pid)
    usleep(100_000)
    return try SupervisorUsage.nanoseconds(of: pid) - before
  }

  // MARK: Processes

  /// Milliseconds from the wish for a module until it has answered what nobody could know before.
  private func spawn(_ seconds: Double) async throws(BenchFailure) -> Figure {
    let manager = try bench.manager()
    let id = BenchModule.idle(0).moduleID
    let end = ContinuousClock.now + .seconds(seconds)
    var samples: [Double] = []
    while ContinuousClock.now < end || samples.count < 8 {
      let begin: ContinuousClock.Instant
      do {
        try await manager.deactivateModule(moduleID: id)
        bench.stage.forget(id)
        begin = .now
        try await manager.activateModule(moduleID: id)
      } catch { throw BenchFailure("\(error)") }
      samples.append(try begin.milliseconds(to: bench.stage.answer(of: id)))
    }
    return try figure(samples, highIsBad: true)
  }

  /// Mean and largest, as the kit of peers has it.
  private func pss() throws(BenchFailure) -> Figure {
    var samples: [Double] = []
    for index in 0..<crew.idle {
      _ = try bench.stage.answer(of: BenchModule.idle(index).moduleID)
      samples.append(try SupervisorUsage.pssKiB(of: bench.process(.idle(index)).pid))
    }
    var figure = try figure(samples, highIsBad: true)
    figure.median = samples.reduce(0, +) / Double(samples.count)
    figure.worst = samples.max() ?? 0
    return figure
  }

  /// The share of a core that the reactor takes while nothing happens, %.
  private func cpu(_ seconds: Double) async throws(BenchFailure) -> Figure {
    let before = try SupervisorUsage.reactorNanoseconds()
    do { try await Task.sleep(for: .seconds(seconds)) } catch { throw BenchFailure("cancelled") }
    let after = try SupervisorUsage.reactorNanoseconds()
    return Figure(Double(after - before) / (seconds * 1e9) * 100)
  }

  func figure(_ samples: [Double], highIsBad: Bool) throws(BenchFailure) -> Figure {
    guard let figure = Figure(samples: samples, highIsBad: highIsBad) else {
      throw BenchFailure("nothing was measured in the time given")
    }
    return figure
  }
}

extension ContinuousClock.Instant {
  fileprivate func milliseconds(to end: Self) -> Double { (end - self) / .milliseconds(1) }
}
