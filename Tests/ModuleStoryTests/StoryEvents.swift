import Dispatch
import ForsettiControlClient
import Synchronization

@testable import ForsettiSupervisor

/// Hears every event of a supervisor from a connection of its own, and wakes those who wait for the next.
final class StoryEvents: Sendable {
  private struct State {
    var count = 0
    var types: Set<String> = []
    var hasEnded = false
    var waiters: [(after: Int, continuation: CheckedContinuation<Bool, Never>)] = []
  }

  private let state = Mutex(State())

  /// Listens from about now on; `heard` says from when.
  init(folder: String) {
    DispatchQueue(label: "events").async { [self] in
      do {
        var client = ControlClient(try ControlChannel(folder: folder))
        // Without a bound on silence: a story may be still for long.
        let endless = ControlWatch(polled: [], isEndedBySupervisor: true) { false }
        _ = try client.call(
          ControlOperations.events, EventsRequest("*"), until: endless, dropped: { _ in take(nil) },
          item: { take($0.type) })
      } catch {}
      end()
    }
  }

  /// Events so far, the lost ones too.
  var count: Int { state.withLock { $0.count } }

  /// Whether an event of this type came.
  func heard(_ type: String) -> Bool { state.withLock { $0.types.contains(type) } }

  /// Returns once more than so many events came; false when none will come any more, or the test's time is over.
  func wait(after count: Int) async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let known: Bool? = state.withLock { state in
          if state.count > count { return true }
          if state.hasEnded { return false }
          state.waiters.append((count, continuation))
          return nil
        }
        if let known { continuation.resume(returning: known) }
      }
    } onCancel: {
      end()
    }
  }

  private func take(_ type: String?) {
    let ready = state.withLock { state in
      state.count += 1
      if let type { state.types.insert(type) }
      defer { state.waiters = state.waiters.filter { $0.after >= state.count } }
      return state.waiters.filter { $0.after < state.count }
    }
    for waiter in ready { waiter.continuation.resume(returning: true) }
  }

  private func end() {
    let all = state.withLock { state in
      state.hasEnded = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in all { waiter.continuation.resume(returning: false) }
  }
}
