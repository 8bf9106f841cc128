import ForsettiBenchSet
import ForsettiRuntime

// What the calls of a module cost while others crash and come back, all the time.
extension Worker {
  /// Modules that crash, each so often: two hundred crashes a second, as in the floor.
  nonisolated static let crashing = 4
  private static let pause: Duration = .milliseconds(20)
  private var clock: ReactorClock { .shared }

  /// Microseconds that one call in a hundred takes longer than, a millisecond apart: whoever calls on and on makes a
  /// thousand calls for one that meets a crash.
  func slowCall(_ seconds: Double) async throws(BenchFailure) -> Figure {
    Figure(try await bench.stage.ask(.caller, "paced \(max(1, seconds))").worst)
  }

  /// The same in the storm.
  func slowCallInStorm(_ seconds: Double) async throws(BenchFailure) -> Figure {
    let lanes = (0..<Self.crashing).map { lane in
      // On the reactor alone, as the supervisor's own tasks are: no other thread is to be part of the storm.
      Task(executorPreference: Reactor.shared) { try await crashAgainAndAgain(.idle(lane)) }
    }
    let figure: Result<Figure, BenchFailure>
    do throws(BenchFailure) { figure = .success(try await slowCall(seconds)) } catch {
      figure = .failure(error)
    }
    for lane in lanes { lane.cancel() }
    for lane in lanes {
      do { try await lane.value } catch { throw error as? BenchFailure ?? BenchFailure("\(error)") }
    }
    return try figure.get()
  }

  /// Until it is cancelled; the module is back by then.
  private func crashAgainAndAgain(_ module: BenchModule) async throws(BenchFailure) {
    while !Task.isCancelled {
      let next = clock.now &+ Self.pause.clampedNanoseconds
      let back = bench.nextActivation(of: module)
      _ = try kill(module)
      _ = await back.value
      await withCheckedContinuation { continuation in
        let left = next &- min(next, clock.now)
        clock.schedule(after: .nanoseconds(Int64(clamping: left))) { continuation.resume() }
      }
    }
  }
}
