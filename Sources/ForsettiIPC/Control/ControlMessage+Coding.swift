extension ControlMessage {
  /// The kind of frame that carries the message.
  public var kind: FrameKind {
    switch self {
    case .call: .call
    case .item: .deliver
    case .dropped: .dropped
    case .reply: .reply
    case .failure: .failure
    case .cancel: .cancel
    }
  }

  // MARK: Writing

  /// Queues the message as one frame; nothing of it when this throws.
  public func encode(into queue: inout OutboundQueue, callID: UInt64) throws(MessageEncodingError) {
    var header = FrameHeader(kind: kind, length: 0, headLength: 0, callID: callID)
    let head: [UInt8]
    let payload: [UInt8]
    do {
      head = try encodedHead()
      payload = try encodedPayload()
    } catch { throw .invalid(kind, error.fault) }
    if case .call(_, _, let timeout) = self { header.timeoutMilliseconds = timeout }
    try Self.append(header, head, payload, to: &queue)
  }

  private static func append(
    _ header: FrameHeader, _ head: [UInt8], _ payload: [UInt8], to queue: inout OutboundQueue
  ) throws(MessageEncodingError) {
    do throws(OutboundQueueError) { try queue.append(header, head: head.span, payload: payload.span) } catch {
      switch error {
      case .full: throw .full
      case .frameTooLarge(let head, let payload): throw .tooLarge(header.kind, head: head, payload: payload)
      }
    }
  }

  /// Queues an item whose value is encoded already.
  public static func encodeItem(
    _ payload: [UInt8], into queue: inout OutboundQueue, callID: UInt64
  ) throws(MessageEncodingError) {
    try append(FrameHeader(kind: .deliver, length: 0, headLength: 0, callID: callID), [], payload, to: &queue)
  }

  private func encodedHead() throws(CBORError) -> [UInt8] {
    var writer = CBORWriter()
    switch self {
    case .call(let operation, _, _):
      writer.map(count: 1)
      writer.key("operation")
      try writer.text(operation, limit: ControlLimits.operation)
    case .dropped(let count):
      writer.map(count: 1)
      writer.key("count")
      writer.unsigned(count)
    case .failure(let failure): try failure.encode(into: &writer)
    case .item, .reply, .cancel: break
    }
    return writer.bytes
  }

  private func encodedPayload() throws(CBORError) -> [UInt8] {
    switch self {
    case .call(_, let value, _), .item(let value), .reply(let value): try value.encoded()
    case .dropped, .failure, .cancel: []
    }
  }

  // MARK: Reading

  /// Decodes a frame; head and payload are checked whole.
  /// - Parameter itemLimit: items of CBOR that its payload may have.
  public static func decode(
    _ frame: Frame, itemLimit: Int
  ) throws(ControlProtocolError) -> ControlMessage {
    let header = frame.header
    guard isKnown(header.kind), header.kind == .call || header.timeoutMilliseconds == 0 else {
      throw .unexpected(header.kind)
    }
    guard header.callID != 0 else { throw .noCallID(header.kind) }
    var head = CBORReader(frame.head)
    let message: ControlMessage
    do throws(CBORError) {
      switch header.kind {
      case .call:
        message = .call(
          operation: try head.only("operation", ControlLimits.operation), .null,
          timeoutMilliseconds: header.timeoutMilliseconds)
      case .dropped: message = .dropped(try head.only("count"))
      case .failure: message = .failure(try ControlFailure(from: &head))
      case .deliver: message = .item(.null)
      case .reply: message = .reply(.null)
      default: message = .cancel
      }
      try head.finish()
    } catch { throw .malformed(header.kind, .head, error) }
    do throws(CBORError) { return try message.with(frame.payload, itemLimit) } catch {
      throw .malformed(header.kind, .payload, error)
    }
  }

  /// Whether this protocol has frames of the kind.
  private static func isKnown(_ kind: FrameKind) -> Bool {
    switch kind {
    case .call, .deliver, .dropped, .reply, .failure, .cancel: true
    default: false
    }
  }

  /// The message with the value that its frame's payload holds; without one where it has none.
  private func with(_ payload: Span<UInt8>, _ itemLimit: Int) throws(CBORError) -> ControlMessage {
    switch self {
    case .call(let operation, _, let timeout):
      return .call(
        operation: operation, try .decode(payload, maximumItems: itemLimit), timeoutMilliseconds: timeout)
    case .item: return .item(try .decode(payload, maximumItems: itemLimit))
    case .reply: return .reply(try .decode(payload, maximumItems: itemLimit))
    case .dropped, .failure, .cancel:
      guard payload.isEmpty else { throw CBORError(.trailingBytes(payload.count)) }
      return self
    }
  }
}

extension FrameDecoder {
  /// The next complete frame as a control message and the call it is of, or `nil` until more is read.
  public mutating func nextControlMessage(
    itemLimit: Int
  ) throws(ControlProtocolError) -> (message: ControlMessage, callID: UInt64)? {
    let frame: Frame?
    do { frame = try next() } catch { throw .frame(error) }
    guard let frame else { return nil }
    return (try ControlMessage.decode(frame, itemLimit: itemLimit), frame.header.callID)
  }
}

/// The items of a call as the elements of a JSON array, for whoever passes them on and does not look into them.
public struct ControlItemText: Sendable {
  /// The elements, with commas between them and no brackets around them.
  public private(set) var bytes: [UInt8] = []

  /// Holds none yet.
  public init() {}

  mutating func append(_ payload: Span<UInt8>, itemLimit: Int) throws(CBORError) {
    if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
    try CBORTranscoder.json(payload, maximumItems: itemLimit, into: &bytes)
  }
}

extension FrameDecoder {
  /// The same, where items become text: the message is one of null then.
  public mutating func nextControlMessage(
    itemLimit: Int, addingItemsTo text: inout ControlItemText
  ) throws(ControlProtocolError) -> (message: ControlMessage, callID: UInt64)? {
    let frame: Frame?
    do { frame = try next() } catch { throw .frame(error) }
    guard let frame else { return nil }
    guard frame.header.kind == .deliver, frame.header.callID != 0, frame.header.timeoutMilliseconds == 0,
      frame.head.isEmpty
    else { return (try ControlMessage.decode(frame, itemLimit: itemLimit), frame.header.callID) }
    do throws(CBORError) { try text.append(frame.payload, itemLimit: itemLimit) } catch {
      throw .malformed(.deliver, .payload, error)
    }
    return (.item(.null), frame.header.callID)
  }
}

extension CBORReader {
  /// A map of one integer from 0 up under a known key.
  fileprivate mutating func only(_ key: StaticString) throws(CBORError) -> UInt64 {
    var fields = try fields()
    try field(key, &fields)
    let value = try unsigned()
    try end(fields)
    return value
  }
}
