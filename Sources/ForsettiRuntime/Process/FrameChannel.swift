import ForsettiIPC
import Glibc

/// The supervisor's ends of one module's frame pipes. Each turn reads once and handles a bounded number of frames, so
/// that a module that floods waits for its next turn like everyone; all that is sent in a turn leaves in one write.
@ReactorActor final class FrameChannel: EndOfTurn {
  /// Frames handled in one turn.
  private static let framesPerTurn = 256
  /// Turns' worth handled after the process ended: more than its pipe and the decoder can hold of the smallest frame.
  private static let turnsAtEnd = 1024

  /// What comes out of the pipe.
  enum Report {
    case message(ProtocolMessage)
    case protocolError(String)
    /// The other end is closed, and everything before it was reported.
    case hungUp
  }

  private let reader: Descriptor
  private let writer: Descriptor
  private let reactor: Reactor
  private let report: @ReactorActor (Report) -> Void
  private var decoder = FrameDecoder()
  private var queue: OutboundQueue
  private var readSource: EventSource?
  private var writeSource: EventSource?
  private var isAtEnd = false
  private var isScheduled = false
  /// Complete frames may be left from the last turn.
  private var hasBacklog = false

  init(
    reader: consuming Descriptor, writer: consuming Descriptor, queue: consuming OutboundQueue,
    on reactor: Reactor, report: @escaping @ReactorActor (Report) -> Void
  ) throws(SystemError) {
    let input = reader.number
    self.reader = reader
    self.writer = writer
    self.queue = queue
    self.reactor = reactor
    self.report = report
    readSource = try reactor.watch(input, for: .readable) { [unowned self] _ in readable() }
    if !self.queue.isEmpty { flush() }
  }

  // MARK: Sending

  /// Queues a message; it leaves at the end of this turn.
  func send(_ message: ProtocolMessage) throws(MessageEncodingError) {
    try message.encode(into: &queue)
    schedule()
  }

  private func schedule() {
    guard !isScheduled else { return }
    isScheduled = true
    reactor.atEndOfTurn(self)
  }

  func endOfTurn() {
    isScheduled = false
    if hasBacklog { handleFrames() }
    if !queue.isEmpty { flush() }
  }

  private func flush() {
    if !queue.write(to: writer.number) {
      // The reader is gone: its end of the other pipe and its pidfd tell the rest.
      queue.removeAll()
    }
    if queue.isEmpty {
      writeSource?.cancel()
      writeSource = nil
    } else if writeSource == nil {
      // No memory for a watch: the deadline of what was sent still holds.
      writeSource = try? reactor.watch(writer.number, for: .writable) { [unowned self] _ in flush() }
    }
  }

  // MARK: Receiving

  private func readable() {
    // Frames of the last turn go first; the pipe holds back the rest, and the writer with it.
    guard !hasBacklog, !isAtEnd else { return }
    readOnce()
    handleFrames()
  }

  /// One read; false when nothing was there.
  @discardableResult private func readOnce() -> Bool {
    let count = decoder.withWritableBuffer { read(reader.number, $0.baseAddress, $0.count) } ?? -1
    decoder.didRead(count)
    if count == 0 { endReading() }
    return count > 0
  }

  private func endReading() {
    isAtEnd = true
    readSource?.cancel()
    readSource = nil
  }

  private func handleFrames() {
    hasBacklog = false
    for _ in 0..<Self.framesPerTurn {
      guard readSource != nil || isAtEnd else { return }
      do {
        guard let message = try decoder.nextMessage() else { return noteEnd() }
        report(.message(message))
      } catch {
        stopReading()
        return report(.protocolError("\(error)"))
      }
    }
    hasBacklog = true
    schedule()
  }

  private func noteEnd() {
    guard isAtEnd else { return }
    isAtEnd = false
    do {
      try decoder.finish()
      report(.hungUp)
    } catch {
      report(.protocolError("\(error)"))
    }
  }

  /// Hears no more of the module: what it says no longer counts.
  func stopReading() {
    readSource?.cancel()
    readSource = nil
    isAtEnd = false
    hasBacklog = false
  }

  /// Handles what the process left behind when it ended, then closes down.
  func finish() {
    for _ in 0..<Self.turnsAtEnd where readSource != nil || isAtEnd {
      handleFrames()
      if !hasBacklog, readSource == nil || !readOnce() { break }
    }
    close()
  }

  /// Ends both watches and drops what waits.
  func close() {
    stopReading()
    writeSource?.cancel()
    writeSource = nil
    queue.removeAll()
  }
}

extension OutboundQueue {
  /// One write of all that waits; what the pipe does not take stays. False when nobody will ever read it.
  mutating func write(to descriptor: Int32) -> Bool {
    let count = withPendingBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    guard count > 0 else { return errno == EAGAIN }
    didWrite(count)
    return true
  }
}
