public import ForsettiCore
import ForsettiIPC

/// Exchanges of all modules and of telemetry, performed by one locked process that reads what hosts answer. It is
/// started by the first of them. When it ends or hangs, those under way fail, and the next start waits a little.
@ReactorActor public final class NetworkWorker: HTTPTransport {
  /// One exchange, from the call to its answer.
  private final class Transfer {
    let exchange: HTTPExchange
    let waiter: CheckedContinuation<Result<HTTPReply, HTTPFault>, Never>
    /// When it must be over, nanoseconds of the clock.
    let end: UInt64
    var timer: ScheduledTimer?
    var reply: HTTPReply?
    /// What was taken of the body and not granted again yet.
    var owed = 0

    init(
      _ exchange: HTTPExchange, _ waiter: CheckedContinuation<Result<HTTPReply, HTTPFault>, Never>,
      end: UInt64
    ) {
      self.exchange = exchange
      self.waiter = waiter
      self.end = end
    }
  }

  private enum State {
    case absent
    case running(NetworkConversation)
    /// The keeper was asked to end it, because of this, and will tell of its end.
    case ending(String)
    /// It has ended, and is not started before a timer says so.
    case resting
    /// There is no keeper any more.
    case lost(String)
  }

  nonisolated let keeper: NetworkKeeper
  private let options: NetworkWorkerOptions
  private let logger: any ForsettiLogger
  private var state = State.absent
  private var news: EventSource?
  private var transfers: [UInt64: Transfer] = [:]
  private var queue = TransferQueue()
  private var lastNumber: UInt64 = 0
  /// Ends of the worker since an exchange last succeeded.
  private var ends = 0

  /// Makes a worker of which no process runs yet.
  /// - Parameter options: those of the keeper.
  public nonisolated init(
    _ keeper: NetworkKeeper, _ options: NetworkWorkerOptions, logger: any ForsettiLogger
  ) {
    self.keeper = keeper
    self.options = options
    self.logger = logger
  }

  isolated deinit {
    news?.cancel()
    if case .running(let conversation) = state { conversation.close() }
  }

  private var clock: ReactorClock { .shared }

  /// Performs one exchange.
  public func perform(
    _ exchange: HTTPExchange, for owner: String
  ) async -> Result<HTTPReply, HTTPFault> {
    lastNumber += 1
    let number = lastNumber
    return await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        let limit = Duration.milliseconds(exchange.timeoutMilliseconds)
        let transfer = Transfer(exchange, waiter, end: clock.now &+ limit.clampedNanoseconds)
        transfers[number] = transfer
        transfer.timer = clock.schedule(after: limit) { [weak self] in
          self?.finish(number, .failure(.timedOut))
        }
        queue.add(number, owner: owner, bytes: exchange.body.count &+ exchange.responseBytes)
        // A cancellation that came before found nothing to cancel.
        if Task.isCancelled { finish(number, .failure(.cancelled)) }
        goOn()
      }
    } onCancel: {
      Reactor.task { self.cancel(number) }
    }
  }

  private func cancel(_ number: UInt64) {
    guard transfers[number] != nil else { return }
    tellWorker(.cancel, number)
    finish(number, .failure(.cancelled))
    goOn()
  }

  private func finish(_ number: UInt64, _ result: Result<HTTPReply, HTTPFault>) {
    guard let transfer = transfers.removeValue(forKey: number) else { return }
    transfer.timer?.cancel()
    queue.remove(number)
    transfer.waiter.resume(returning: result)
  }

  // MARK: To the worker

  /// Starts what may go, and the worker itself where there is none.
  private func goOn() {
    guard !queue.isEmpty else { return }
    switch state {
    case .absent: start()
    case .running(let conversation):
      while let number = queue.next() { send(number, conversation) }
    case .ending, .resting: break
    case .lost(let why): failAll(why)
    }
  }

  private func start() {
    do throws(SystemError) {
      if news == nil {
        // Weak, here and below: between the last reference and the end on the reactor there are turns.
        news = try Reactor.shared.watch(keeper.descriptor, for: .readable) { [weak self] _ in
          self?.hearKeeper()
        }
      }
      state = .running(try NetworkConversation.begin(with: keeper) { [weak self] in self?.hear($0) })
      goOn()
    } catch {
      rest(because: "it cannot be started: \(error)")
    }
  }

  private func send(_ number: UInt64, _ conversation: NetworkConversation) {
    guard let transfer = transfers[number] else { return }
    var exchange = transfer.exchange
    let left = Int((transfer.end &- min(clock.now, transfer.end)) / 1_000_000)
    exchange.timeoutMilliseconds = max(left, 1)
    do throws(MessageEncodingError) { try conversation.say(.perform(exchange), number) } catch {
      return finish(number, .failure(.failed("the request cannot be passed on: \(error)")))
    }
    transfer.timer?.cancel()
    transfer.timer = clock.schedule(after: .milliseconds(exchange.timeoutMilliseconds) + options.grace) {
      [weak self] in
      self?.end(because: "it did not answer in time")
    }
  }

  private func tellWorker(_ request: NetworkRequest, _ number: UInt64) {
    // What is so small is refused by no queue but a full one, and then the deadline of the exchange holds.
    if case .running(let conversation) = state { try? conversation.say(request, number) }
  }

  // MARK: From the worker

  private func hear(_ report: NetworkConversation.Report) {
    switch report {
    case .over(let reason):
      // What the keeper knows of it already says more.
      hearKeeper()
      end(because: reason)
    case .answer(.notLocked(let step, let errno), _):
      end(because: "it cannot lock itself: \(step.rawValue): \(ErrnoName.text(errno))")
    case .answer(let answer, let number):
      // Of an exchange that is over on this side, nothing is news.
      guard let transfer = transfers[number] else { return }
      if !take(answer, number, transfer) { end(because: "it answered what was not asked") }
    }
  }

  /// Takes a part of an answer; false for what no honest worker says.
  private func take(_ answer: NetworkAnswer, _ number: UInt64, _ transfer: Transfer) -> Bool {
    switch answer {
    case .head(let reply):
      guard transfer.reply == nil else { return false }
      transfer.reply = reply
    case .body(let bytes):
      guard let held = transfer.reply?.body.count,
        bytes.count <= transfer.exchange.responseBytes - held
      else { return false }
      transfer.reply?.body += bytes
      transfer.owed += NetworkWindow.cost(of: bytes.count)
      // Half a window at once: small parts cost no frame each.
      if transfer.owed >= NetworkWindow.bytes / 2 {
        tellWorker(.credit(min(transfer.owed, NetworkWindow.bytes)), number)
        transfer.owed = 0
      }
    case .ended:
      guard let reply = transfer.reply else { return false }
      ends = 0
      finish(number, .success(reply))
      goOn()
    case .failed(let fault):
      finish(number, .failure(fault))
      goOn()
    case .notLocked: return false
    }
    return true
  }

  // MARK: Its end

  private func end(because reason: String) {
    guard case .running(let conversation) = state else { return }
    conversation.close()
    state = .ending(reason)
    // Nothing comes of these any more, however long the end takes.
    failUnderWay()
    keeper.end()
  }

  private func hearKeeper() {
    switch keeper.news() {
    case nil: break
    case .report(.ended(let status)):
      if case .running(let conversation) = state { conversation.close() }
      let reason = if case .ending(let reason) = state { "\(reason); " } else { "" }
      rest(because: reason + status.text)
    case .report(.refused(let step, let errno)):
      lose("its keeper cannot hold itself: \(step.rawValue): \(ErrnoName.text(errno))")
    case .report(.failed(let words)): lose("its keeper cannot work: \(words)")
    case .gone: lose("its keeper is gone; restart the supervisor")
    }
  }

  private func rest(because reason: String) {
    logger.error("the network worker is lost: \(reason)", moduleID: nil)
    failUnderWay()
    ends += 1
    state = .resting
    let wait = RestartHistory.backoff(
      attempt: ends, policy: options.backoff, draw: Double.random(in: 0..<1))
    clock.schedule(after: .milliseconds(wait)) { [weak self] in
      guard let self, case .resting = state else { return }
      state = .absent
      goOn()
    }
  }

  private func lose(_ why: String) {
    // The first word is the cause of the others.
    if case .lost = state { return }
    if case .running(let conversation) = state { conversation.close() }
    news?.cancel()
    news = nil
    logger.error("there is no network worker any more: \(why)", moduleID: nil)
    state = .lost(why)
    failAll(why)
  }

  private func failUnderWay() {
    for number in queue.removeUnderWay() {
      finish(number, .failure(.workerLost("the network worker is lost; try again")))
    }
  }

  private func failAll(_ why: String) {
    for number in transfers.keys.sorted() { finish(number, .failure(.workerLost(why))) }
  }
}

extension ProcessStatus {
  fileprivate var text: String {
    switch self {
    case .exited(let code): "it ended with status \(code)"
    case .signalled(let signal): "it was ended by \(SignalName.text(signal))"
    }
  }
}
