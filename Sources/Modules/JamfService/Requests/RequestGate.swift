/// Lets so many requests through at once. Those who wait take turns by caller, and stop waiting when they are cancelled.
@MainActor
final class RequestGate {
  /// Requests at once.
  private let capacity: Int
  /// Requests of one caller that may wait.
  private let waitingLimit: Int
  private var inside = 0
  private var lastTicket = 0
  private var queue = FairQueue<Int>()
  private var waiters: [Int: CheckedContinuation<Bool, Never>] = [:]

  init(capacity: Int, waitingLimit: Int) {
    self.capacity = capacity
    self.waitingLimit = waitingLimit
  }

  /// Does something while holding a place, which is given back however it ends.
  func pass<Result>(
    for caller: String, _ body: () async throws(JamfFailure) -> Result
  ) async throws(JamfFailure) -> Result {
    try await enter(caller)
    defer { leave() }
    return try await body()
  }

  private func enter(_ caller: String) async throws(JamfFailure) {
    guard !Task.isCancelled else { throw .cancelled }
    if inside < capacity {
      inside += 1
      return
    }
    guard queue.count(of: caller) < waitingLimit else {
      throw .unavailable("\(waitingLimit) requests of this module wait already.")
    }
    lastTicket += 1
    let ticket = lastTicket
    let hasPlace = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard !Task.isCancelled else { return continuation.resume(returning: false) }
        queue.append(ticket, of: caller)
        waiters[ticket] = continuation
      }
    } onCancel: {
      Task { @MainActor in self.giveUp(ticket, of: caller) }
    }
    guard hasPlace else { throw .cancelled }
  }

  /// The place goes to whoever's turn it is, without being free in between.
  private func leave() {
    guard let next = queue.popFirst(), let waiter = waiters.removeValue(forKey: next) else {
      inside -= 1
      return
    }
    waiter.resume(returning: true)
  }

  /// A waiter that has been let in meanwhile keeps its place, and finds itself that it was cancelled.
  private func giveUp(_ ticket: Int, of caller: String) {
    guard queue.remove(ticket, of: caller) else { return }
    waiters.removeValue(forKey: ticket)?.resume(returning: false)
  }
}
