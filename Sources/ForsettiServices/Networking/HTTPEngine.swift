import CCurl
import ForsettiBlocking
import ForsettiCore
import Synchronization

/// All HTTP of the services, on one thread: libcurl's multi interface, which holds many requests at once. The
/// thread sleeps while there are none.
// @unchecked: the multi handle belongs to the engine's thread, but for curl_multi_wakeup(3), which is for others.
final class HTTPEngine: @unchecked Sendable {
  private struct Inbox {
    var new: [HTTPTransfer] = []
    var cancelled: [UInt64] = []
    var isRunning = false
    var number: UInt64 = 0
  }

  /// How long the thread sleeps at most; libcurl's own timers wake it earlier.
  private static let sleepMilliseconds: Int32 = 60_000
  /// Connections at once; further requests wait for their turn.
  private static let mostConnections = 256

  private let multi: UnsafeMutableRawPointer
  private let worker: BlockingWorker
  private let inbox = Mutex(Inbox())

  /// Makes an engine on a thread of its own; `nil` where libcurl can't start.
  init?(on executor: BlockingExecutor) {
    // Idempotent, and safe from any thread since 7.84.
    guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK, let multi = curl_multi_init() else {
      return nil
    }
    ccurl_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, Self.mostConnections)
    self.multi = multi
    worker = BlockingWorker(on: executor)
  }

  // Nothing is under way: who runs the engine holds it.
  deinit { curl_multi_cleanup(multi) }

  /// Performs a request; cancelling the task ends it.
  func perform(_ exchange: HTTPExchange) async -> Result<HTTPReply, HTTPFault> {
    let number = inbox.withLock { inbox in
      inbox.number += 1
      return inbox.number
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { waiting in
        submit(HTTPTransfer(number, exchange, waiting))
        // A cancellation that came before found nothing to cancel.
        if Task.isCancelled { cancel(number) }
      }
    } onCancel: {
      cancel(number)
    }
  }

  private func submit(_ transfer: HTTPTransfer) {
    let isStart = inbox.withLock { inbox in
      inbox.new.append(transfer)
      defer { inbox.isRunning = true }
      return !inbox.isRunning
    }
    if isStart {
      Task { await worker.run { self.run() } }
    } else {
      curl_multi_wakeup(multi)
    }
  }

  private func cancel(_ number: UInt64) {
    let isRunning = inbox.withLock { inbox in
      if inbox.isRunning { inbox.cancelled.append(number) }
      return inbox.isRunning
    }
    if isRunning { curl_multi_wakeup(multi) }
  }

  /// Runs until nothing is under way.
  private func run() {
    var active: [UnsafeMutableRawPointer: HTTPTransfer] = [:]
    while let (new, cancelled) = next(isIdle: active.isEmpty) {
      for transfer in new {
        guard let easy = transfer.prepare(), curl_multi_add_handle(multi, easy) == CURLM_OK else {
          transfer.finish(.failure(.failed("libcurl cannot prepare the request")))
          continue
        }
        active[easy] = transfer
      }
      for transfer in active.values where cancelled.contains(transfer.number) {
        end(transfer, .failure(.cancelled), &active)
      }
      var running: Int32 = 0
      curl_multi_perform(multi, &running)
      var code = CURLE_OK
      while let easy = ccurl_multi_ended(multi, &code) {
        if let transfer = active[easy] { end(transfer, transfer.outcome(code), &active) }
      }
      if !active.isEmpty { curl_multi_poll(multi, nil, 0, Self.sleepMilliseconds, nil) }
    }
  }

  private func end(
    _ transfer: HTTPTransfer, _ outcome: HTTPTransfer.Outcome,
    _ active: inout [UnsafeMutableRawPointer: HTTPTransfer]
  ) {
    guard let easy = transfer.easy else { return }
    curl_multi_remove_handle(multi, easy)
    active[easy] = nil
    transfer.finish(outcome)
  }

  /// What came in; `nil` ends the run, as nothing did and nothing is under way.
  private func next(isIdle: Bool) -> (new: [HTTPTransfer], cancelled: [UInt64])? {
    inbox.withLock { inbox in
      if isIdle, inbox.new.isEmpty {
        inbox.isRunning = false
        inbox.cancelled = []
        return nil
      }
      defer {
        inbox.new = []
        inbox.cancelled = []
      }
      return (inbox.new, inbox.cancelled)
    }
  }
}
