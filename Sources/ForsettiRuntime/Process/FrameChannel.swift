import CLinux
import ForsettiIPC
import Glibc

/// The supervisor's ends of one module's frame pipes. Each turn reads once and handles a bounded number of frames, so
/// that a module that floods waits for its next turn like everyone; all that is sent in a turn leaves in one write.
@ReactorActor final class FrameChannel: EndOfTurn, SpinTarget {
  /// Frames handled in one turn; in bytes, a turn handles what one read brought.
  private static let framesPerTurn = 256
  /// With so much unread by the module nothing more of it is handled, for what it asks would only add to this.
  private static let bytesToHoldBack = OutboundQueue.maximumBytes / 4
  private static let framesToHoldBack = OutboundQueue.maximumFrames / 2
  /// Events are queued while less than this waits, which is what a pipe takes; the rest waits in the module's inbox.
  private static let eventBytes = 65_536
  /// What a pipe holds.
  private static let ordinaryPipe = 65_536
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
  /// Handles calls and events where they lie; without it `publish` is reported as any message.
  private let session: ModuleSession?
  /// What the module sent last.
  private(set) var frameHeads = FrameHeads()
  private var decoder = FrameDecoder()
  private var queue: OutboundQueue
  private var readSource: EventSource?
  private var writeSource: EventSource?
  private(set) var precedence = Precedence.upkeep
  private var isAtEnd = false
  private var isScheduled = false
  /// Complete frames may be left from the last turn.
  private var hasBacklog = false
  /// Whether this end's pipe was asked to hold more than usual, because large frames go through it.
  private var isInputWide = false
  private var isOutputWide = false
  /// Nothing is read or handled until the module has read what waits for it.
  private var isHeldBack = false
  /// The process is gone: what is sent goes nowhere.
  private var isFinishing = false
  /// The stream ended inside a frame.
  private var truncation: String?

  init(
    reader: consuming Descriptor, writer: consuming Descriptor, queue: consuming OutboundQueue,
    on reactor: Reactor, session: ModuleSession? = nil, report: @escaping @ReactorActor (Report) -> Void
  ) throws(SystemError) {
    let input = reader.number
    self.reader = reader
    self.writer = writer
    self.queue = queue
    self.reactor = reactor
    self.report = report
    self.session = session
    readSource = try reactor.watch(input, for: .readable) { [unowned self] _ in readable() }
    if !self.queue.isEmpty { flush() }
  }

  /// The module has started: from now on its frames are what others may wait for.
  func carryTraffic() {
    precedence = .traffic
    readSource?.precedence = .traffic
    writeSource?.precedence = .traffic
  }

  // MARK: Sending

  /// Queues a message; it leaves at the end of this turn.
  func send(_ message: ProtocolMessage) throws(MessageEncodingError) {
    try message.encode(into: &queue)
    schedule()
  }

  /// Queues frames of calls; they leave at the end of this turn. What is sent to a process that is gone is dropped.
  func queueFrame<Failure: Error>(
    _ append: (inout OutboundQueue) throws(Failure) -> Void
  ) throws(Failure) {
    guard !isFinishing else { return }
    try append(&queue)
    schedule()
  }

  /// Queues the frames of events, all or none; false when some of them should wait elsewhere.
  func queue(events frames: borrowing OutboundQueue) -> Bool {
    guard queue.pendingBytes &+ frames.pendingBytes <= Self.eventBytes,
      queue.frameCount &+ frames.frameCount <= Self.framesToHoldBack,
      (try? queue.append(framesOf: frames)) != nil
    else { return false }
    schedule()
    return true
  }

  /// Queues the frame of an event; false when so much waits that it should wait elsewhere.
  func queue(event frame: Span<UInt8>) -> Bool {
    guard Self.hasRoomForEvents(queue), (try? queue.append(encodedFrame: frame)) != nil else { return false }
    schedule()
    return true
  }

  /// Bytes that wait for the module to read.
  var pendingBytes: Int { queue.pendingBytes }

  private static func hasRoomForEvents(_ queue: borrowing OutboundQueue) -> Bool {
    queue.pendingBytes < eventBytes && queue.frameCount < framesToHoldBack
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

  /// Makes a pipe hold a whole frame of the largest size: large frames then cost few changes between the processes.
  /// Pipes that carry none stay small, for what all pipes of a user hold is limited (pipe(7)); past that limit this
  /// does nothing.
  private static func widen(_ pipe: Int32) { _ = cl_set_pipe_size(pipe, 1 << 20) }

  private func flush() {
    if queue.pendingBytes > Self.ordinaryPipe, !isOutputWide {
      isOutputWide = true
      Self.widen(writer.number)
    }
    let waiting = queue.pendingBytes
    let isRead = queue.write(to: writer.number)
    session?.meter.counts.bytesTo &+= UInt64(waiting - queue.pendingBytes)
    if !isRead {
      // The reader is gone: its end of the other pipe and its pidfd tell the rest.
      queue.removeAll()
    }
    session?.drainInbox(into: &queue, while: Self.hasRoomForEvents)
    if isHeldBack, !isOverfull { goOn() }
    if queue.isEmpty {
      writeSource?.cancel()
      writeSource = nil
    } else if writeSource == nil {
      // No memory for a watch: the deadline of what was sent still holds.
      writeSource = try? reactor.watch(writer.number, for: .writable) { [unowned self] _ in flush() }
      writeSource?.precedence = precedence
    }
  }

  // MARK: Holding back

  private var isOverfull: Bool {
    queue.pendingBytes > Self.bytesToHoldBack || queue.frameCount > Self.framesToHoldBack
  }

  /// Stops reading until the module has read: it would only be told more.
  private func holdBack() {
    isHeldBack = true
    readSource?.watch([])
  }

  private func goOn() {
    isHeldBack = false
    readSource?.watch(.readable)
    hasBacklog = true
    schedule()
  }

  // MARK: Receiving

  private func readable() {
    // Frames of the last turn go first; the pipe holds back the rest, and the writer with it.
    guard !hasBacklog, !isAtEnd, !isHeldBack else { return }
    readOnce()
    handleFrames()
    if readSource != nil { reactor.expectInput(from: self) }
  }

  /// Reads and handles what is there, before epoll says so.
  func takeInput() -> Bool {
    guard readSource != nil, !hasBacklog, !isHeldBack, readOnce() || isAtEnd else { return false }
    handleFrames()
    return true
  }

  /// One read; false when nothing was there.
  @discardableResult private func readOnce() -> Bool {
    let count = decoder.withWritableBuffer { read(reader.number, $0.baseAddress, $0.count) } ?? -1
    decoder.didRead(count)
    if count > 0 { session?.meter.counts.bytesFrom &+= UInt64(count) }
    if decoder.capacity > Self.ordinaryPipe, !isInputWide {
      isInputWide = true
      Self.widen(reader.number)
    }
    if count == 0 { endReading() }
    return count > 0
  }

  private func endReading() {
    isAtEnd = true
    endWatch()
  }

  private func endWatch() {
    readSource?.cancel()
    readSource = nil
    reactor.expectNoInput(from: self)
  }

  private func handleFrames() {
    hasBacklog = false
    session?.beginTurn()
    // Frames borrow from the decoder, which therefore can't stay in a property meanwhile.
    var decoder = FrameDecoder()
    swap(&decoder, &self.decoder)
    defer {
      swap(&decoder, &self.decoder)
      session?.deliverPublished()
    }
    for _ in 0..<Self.framesPerTurn {
      guard readSource != nil || isAtEnd, !isHeldBack else { return }
      do throws(ChannelFault) {
        guard try handleFrame(of: &decoder) else { return noteEnd(decoder) }
      } catch {
        stopReading()
        return report(.protocolError(error.reason))
      }
      if session != nil, isOverfull, !isFinishing { holdBack() }
    }
    hasBacklog = true
    schedule()
  }

  /// Handles one frame; false when no whole one is there.
  private func handleFrame(of decoder: inout FrameDecoder) throws(ChannelFault) -> Bool {
    let message: ProtocolMessage
    do {
      guard let frame = try decoder.next() else { return false }
      frameHeads.note(frame)
      let kind = frame.header.kind
      // What follows an event must not overtake it.
      if kind != .publish { session?.deliverPublished() }
      if let session, kind.isTraffic || kind == .publish {
        try session.receive(frame)
        return true
      }
      message = try ProtocolMessage.decode(frame)
    } catch {
      throw ChannelFault(reason: (error as? SessionFault)?.reason ?? "\(error)")
    }
    // Only now, for whoever hears it may close the channel.
    report(.message(message))
    return true
  }

  private func noteEnd(_ decoder: borrowing FrameDecoder) {
    guard isAtEnd else { return }
    isAtEnd = false
    do { try decoder.finish() } catch { truncation = "\(error)" }
    report(.hungUp)
  }

  /// Hears no more of the module: what it says no longer counts.
  func stopReading() {
    endWatch()
    isAtEnd = false
    hasBacklog = false
  }

  /// Handles what the process left behind when it ended, then closes down.
  /// - Returns: the fault of a stream that ended inside a frame. Only the process's status tells whether it meant it so
  ///   or crashed while it wrote.
  @discardableResult
  func finish() -> String? {
    isFinishing = true
    isHeldBack = false
    queue.removeAll()
    for _ in 0..<Self.turnsAtEnd where readSource != nil || isAtEnd {
      handleFrames()
      if !hasBacklog, !isAtEnd, readSource == nil || !readOnce(), !isAtEnd { break }
    }
    close()
    return truncation
  }

  /// Ends both watches and drops what waits.
  func close() {
    stopReading()
    writeSource?.cancel()
    writeSource = nil
    queue.removeAll()
  }
}

/// Why a module's stream can't be read on.
private struct ChannelFault: Error {
  let reason: String
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
