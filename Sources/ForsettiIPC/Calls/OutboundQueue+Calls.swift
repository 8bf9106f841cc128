public import ForsettiCore

// Frames of calls and events, encoded straight into the queue.
extension OutboundQueue {
  /// Queues a call.
  @inlinable
  public mutating func appendCall<Request, Response>(
    _ method: ServiceMethod<Request, Response>, _ request: Request, callID: UInt64,
    timeoutMilliseconds: UInt32 = 0, trace: TraceContext? = nil, source: String? = nil
  ) throws(MessageEncodingError) {
    try appendCall(
      of: method.info, request, callID: callID, timeoutMilliseconds: timeoutMilliseconds, trace: trace,
      source: source)
  }

  /// Queues a call of a method whose request this is, which the caller vouches for.
  public mutating func appendCall(
    of method: MethodInfo, _ request: some CallValue, callID: UInt64, timeoutMilliseconds: UInt32,
    trace: TraceContext?, source: String?
  ) throws(MessageEncodingError) {
    let head = CallHead(
      service: method.serviceNumber, method: method.number, trace: trace, route: request.route, source: source
    )
    let header = FrameHeader(
      kind: .call, length: 0, headLength: 0, callID: callID, timeoutMilliseconds: timeoutMilliseconds)
    try append(header, sizeHint: request.sizeHint &+ 96) { (writer) throws(CBORError) in
      try head.encode(into: &writer)
    } payload: { (writer) throws(CBORError) in
      try request.encode(into: &writer)
    }
  }

  /// Queues a call whose payload is forwarded as it is.
  public mutating func appendCall(
    _ head: CallHead, payload: Span<UInt8>, callID: UInt64, timeoutMilliseconds: UInt32
  ) throws(MessageEncodingError) {
    let header = FrameHeader(
      kind: .call, length: 0, headLength: 0, callID: callID, timeoutMilliseconds: timeoutMilliseconds)
    try append(header, payload: payload) { (writer) throws(CBORError) in try head.encode(into: &writer) }
  }

  /// Queues the answer to a call.
  public mutating func appendReply(_ response: some CallValue, callID: UInt64) throws(MessageEncodingError) {
    let header = FrameHeader(kind: .reply, length: 0, headLength: 0, callID: callID)
    try append(header, sizeHint: response.sizeHint) { (_) throws(CBORError) in
    } payload: { (writer) throws(CBORError) in
      try response.encode(into: &writer)
    }
  }

  /// Queues the answer to a call that is forwarded as it is.
  public mutating func appendReply(payload: Span<UInt8>, callID: UInt64) throws(MessageEncodingError) {
    let header = FrameHeader(kind: .reply, length: 0, headLength: 0, callID: callID)
    try append(header, payload: payload) { (_) throws(CBORError) in }
  }

  /// Queues why a call failed; texts are cut to fit.
  public mutating func appendFailure(_ error: ServiceError, callID: UInt64) throws(MessageEncodingError) {
    let header = FrameHeader(kind: .failure, length: 0, headLength: 0, callID: callID)
    try append(header, payload: Span()) { (writer) throws(CBORError) in try error.encode(into: &writer) }
  }

  /// Queues that a call is taken back.
  public mutating func appendCancel(callID: UInt64) throws(MessageEncodingError) {
    let header = FrameHeader(kind: .cancel, length: 0, headLength: 0, callID: callID)
    try append(header, payload: Span()) { (_) throws(CBORError) in }
  }

  /// Queues an event or message (`publish` or `deliver`) whose payload is forwarded as it is.
  public mutating func appendEvent(
    _ kind: FrameKind, _ head: EventHead, payload: Span<UInt8>
  ) throws(MessageEncodingError) {
    let header = FrameHeader(kind: kind, length: 0, headLength: 0)
    try append(header, payload: payload) { (writer) throws(CBORError) in try head.encode(into: &writer) }
  }

  /// Queues a `publish`.
  public mutating func appendPublish(
    _ head: EventHead, payload: [String: String]
  ) throws(MessageEncodingError) {
    try appendEvent(.publish, head, entries: payload)
  }

  /// Queues an event or message whose payload is made here.
  public mutating func appendEvent(
    _ kind: FrameKind, _ head: EventHead, entries: [String: String]
  ) throws(MessageEncodingError) {
    let header = FrameHeader(kind: kind, length: 0, headLength: 0)
    let hint = entries.reduce(64) { $0 &+ $1.key.utf8.count &+ $1.value.utf8.count &+ 6 }
    try append(header, sizeHint: hint) { (writer) throws(CBORError) in
      try head.encode(into: &writer)
    } payload: { (writer) throws(CBORError) in
      try writer.eventPayload(entries)
    }
  }

  /// Queues how many events the module has lost before the next one.
  public mutating func appendDropped(count: Int) throws(MessageEncodingError) {
    let header = FrameHeader(kind: .dropped, length: 0, headLength: 0)
    try append(header, payload: Span()) { (writer) throws(CBORError) in
      writer.map(count: 1)
      writer.unsigned(0)
      writer.integer(Int64(max(1, count)))
    }
  }

  /// Queues one whole frame that was encoded before, as `withPendingBytes` of a queue lends it: how an event that is
  /// encoded once reaches many.
  public mutating func append(encodedFrame bytes: Span<UInt8>) throws(OutboundQueueError) {
    try reserve(bytes.count)
    bytes.withUnsafeBufferPointer { storage.append(contentsOf: $0) }
    didAppend()
  }

  /// Queues all frames that wait in another queue, none of which is written in part; they stay there too.
  public mutating func append(framesOf other: borrowing OutboundQueue) throws(OutboundQueueError) {
    guard other.frameCount <= frameLimit &- frameCount else { throw .full }
    try reserve(other.pendingBytes)
    other.withPendingBytes { storage.append(contentsOf: $0) }
    didAppend(other.frameCount)
  }

  private mutating func append(
    _ header: FrameHeader, payload: Span<UInt8>, head: (inout CBORWriter) throws(CBORError) -> Void
  ) throws(MessageEncodingError) {
    try append(header, sizeHint: payload.count &+ 96, head: head) { (writer) throws(CBORError) in
      try writer.raw(payload)
    }
  }

  /// Queues one frame that the closures write behind its header; nothing of it when this throws.
  ///
  /// The bytes go straight into the run that is written to the pipe. `sizeHint` is about how many there will be.
  mutating func append(
    _ header: FrameHeader, sizeHint: Int, head: (inout CBORWriter) throws(CBORError) -> Void,
    payload: (inout CBORWriter) throws(CBORError) -> Void
  ) throws(MessageEncodingError) {
    var header = header
    do { try reserve(min(FrameHeader.size &+ sizeHint, FrameHeader.size)) } catch { throw .full }
    makeRoom(FrameHeader.size &+ sizeHint)
    let start = storage.count
    // Swapped, for one reference too many and the next byte that is written copies all that wait.
    var writer = CBORWriter(appendingTo: [], ceiling: start &+ FrameHeader.size &+ FrameHeader.maximumBody)
    swap(&storage, &writer.bytes)
    header.encode(into: &writer.bytes)
    let fault: MessageEncodingError?
    do {
      try head(&writer)
      header.headLength = UInt16(clamping: writer.bytes.count &- start &- FrameHeader.size)
      try payload(&writer)
      fault = nil
    } catch {
      // The writer's own ceiling stands for the largest frame; every other limit is that of a part.
      let isTooLarge = error.fault == .tooLong(limit: writer.ceiling)
      let head = Int(header.headLength)
      fault =
        isTooLarge
        ? .tooLarge(header.kind, head: head, payload: FrameHeader.maximumPayload + 1)
        : .invalid(header.kind, error.fault)
    }
    swap(&storage, &writer.bytes)
    try seal(header, from: start, fault: fault)
  }

  /// Completes the frame that begins at `start`, or takes it back.
  private mutating func seal(
    _ header: FrameHeader, from start: Int, fault: MessageEncodingError?
  ) throws(MessageEncodingError) {
    var header = header
    var fault = fault
    let body = storage.count &- start &- FrameHeader.size
    let head = Int(header.headLength)
    if fault == nil, head > FrameHeader.maximumHead || body &- head > FrameHeader.maximumPayload {
      fault = .tooLarge(header.kind, head: head, payload: body &- head)
    }
    if fault == nil, pendingBytes > byteLimit { fault = .full }
    if let fault {
      storage.removeSubrange(start...)
      throw fault
    }
    header.length = UInt32(body)
    header.overwrite(&storage, at: start)
    didAppend()
  }
}

extension CBORWriter {
  /// Appends bytes that are items already.
  fileprivate mutating func raw(_ span: Span<UInt8>) throws(CBORError) {
    if span.count > ceiling &- bytes.count { throw CBORError(.tooLong(limit: ceiling)) }
    span.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
  }
}
