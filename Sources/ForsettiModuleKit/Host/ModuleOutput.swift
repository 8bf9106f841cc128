internal import ForsettiCore
internal import ForsettiIPC
internal import Glibc

/// Frames on their way to the supervisor: queued by the host and by module code, written by the loop.
final class ModuleOutput: ModuleOutlet {
  /// Past this, what waits is written at once if the pipe has room, so that code which never suspends can't gather
  /// megabytes, and the supervisor works on the first events of many while the others are being made.
  private static let eagerBytes = 16_384
  /// Those who wait for room are woken together once no more than this is left.
  private static let roomyBytes = OutboundQueue.maximumBytes / 2
  private static let roomyFrames = OutboundQueue.maximumFrames / 2
  /// What records and events leave free, so that a module that floods can still be said to have started or stopped.
  private static let reservedFrames = 16
  private static let reservedBytes = 65_536

  private struct State: ~Copyable {
    var queue = OutboundQueue(
      byteLimit: OutboundQueue.maximumBytes + reservedBytes,
      frameLimit: OutboundQueue.maximumFrames + reservedFrames)
    var waiters: [CheckedContinuation<Void, Never>] = []
    var droppedRecords = 0
    var failure: Int32?
  }

  /// What became of a record, a call or an event.
  enum Outcome {
    case queued, full
    case refused(MessageEncodingError)
  }

  /// The descriptor frames are written to.
  let descriptor: Int32
  /// Gives each call and event its place in a trace.
  let traces = TraceGenerator()
  private let state = Guarded(State())

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// The errno that ended writing, if one did.
  var failure: Int32? { state.withLock { $0.failure } }

  /// Queues a frame of the protocol's own.
  func send(_ message: ProtocolMessage) throws(MessageEncodingError) {
    try state.withLock { state throws(MessageEncodingError) in
      if state.failure == nil { try message.encode(into: &state.queue) }
    }
  }

  /// Queues a record; drops it when there is no room, and says how many were dropped once there is.
  func log(_ level: LogLevel, _ message: String, metadata: [String: String]) {
    let record = LogMessage(level: level, message: message, metadata: metadata).bounded
    state.withLock { state in
      if state.queue.pendingBytes > Self.eagerBytes { write(&state) }
      if state.droppedRecords > 0 {
        let notice = LogMessage(
          level: .warning,
          message: "\(state.droppedRecords) records dropped: they came faster than they were read")
        guard case .queued = Self.queue(notice, in: &state) else {
          state.droppedRecords &+= 1
          return
        }
        state.droppedRecords = 0
      }
      guard case .queued = Self.queue(record, in: &state) else {
        state.droppedRecords &+= 1
        return
      }
    }
  }

  /// Queues an event, and suspends while there is no room.
  nonisolated(nonsending) func publish(_ event: PublishMessage) async throws(ForsettiContextError) {
    let head = EventHead(type: event.type, trace: traces.next())
    while true {
      let outcome = queue { (queue) throws(MessageEncodingError) in
        try queue.appendPublish(head, payload: event.payload)
      }
      switch outcome {
      case .queued: return
      case .refused(let error): throw .unsendableEvent(type: event.type, reason: error.description)
      case .full: await waitForRoom()
      }
    }
  }

  /// Queues one frame of a call or event.
  func queue(_ append: (inout OutboundQueue) throws(MessageEncodingError) -> Void) -> Outcome {
    state.withLock { state in
      if state.queue.pendingBytes > Self.eagerBytes { write(&state) }
      return Self.queue(in: &state, append)
    }
  }

  /// Writes what waits, as far as the pipe has room. True while bytes are left.
  func flush() -> Bool {
    let (left, woken) = state.withLock { state in
      write(&state)
      var waiters: [CheckedContinuation<Void, Never>] = []
      if state.queue.pendingBytes <= Self.roomyBytes, state.queue.frameCount <= Self.roomyFrames {
        swap(&waiters, &state.waiters)
      }
      return (!state.queue.isEmpty, waiters)
    }
    for waiter in woken { waiter.resume() }
    return left
  }

  /// Suspends until the supervisor has read about half of what waits.
  nonisolated(nonsending) func waitForRoom() async {
    await withCheckedContinuation { continuation in
      state.withLock { $0.waiters.append(continuation) }
    }
  }

  /// One write(2). A pipe that took less than all is full; the loop waits for room.
  private func write(_ state: inout State) {
    while !state.queue.isEmpty {
      let count = state.queue.withPendingBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        state.queue.didWrite(count)
        return
      }
      if errno == EAGAIN { return }
      if errno == EINTR { continue }
      state.failure = errno
      state.queue.removeAll()
    }
  }

  private static func queue(_ record: LogMessage, in state: inout State) -> Outcome {
    queue(in: &state) { (queue) throws(MessageEncodingError) in
      try ProtocolMessage.log(record).encode(into: &queue)
    }
  }

  private static func queue(
    in state: inout State, _ append: (inout OutboundQueue) throws(MessageEncodingError) -> Void
  ) -> Outcome {
    // Nobody reads any more; the loop is about to end the process.
    if state.failure != nil { return .queued }
    guard state.queue.frameCount < OutboundQueue.maximumFrames,
      state.queue.pendingBytes < OutboundQueue.maximumBytes - FrameHeader.maximumBody
    else { return .full }
    do {
      try append(&state.queue)
      return .queued
    } catch {
      return error == .full ? .full : .refused(error)
    }
  }
}

extension LogMessage {
  /// The record cut to what a frame may carry; of too many entries, the first by key stay.
  fileprivate var bounded: LogMessage {
    let limits = ProtocolLimits.self
    let isBounded =
      metadata.count <= limits.metadata
      && metadata.allSatisfy { $0.utf8.count <= limits.text && $1.utf8.count <= limits.text }
    if isBounded {
      guard message.utf8.count > limits.message else { return self }
      return LogMessage(
        level: level, message: limits.truncated(message, to: limits.message), metadata: metadata)
    }
    let kept = metadata.sorted { $0.key < $1.key }.prefix(limits.metadata).map {
      (limits.truncated($0.key, to: limits.text), limits.truncated($0.value, to: limits.text))
    }
    return LogMessage(
      level: level, message: limits.truncated(message, to: limits.message),
      metadata: Dictionary(kept, uniquingKeysWith: { first, _ in first }))
  }
}
