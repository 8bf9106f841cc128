extension FrameHeader {
  /// Throws unless call ID, timeout and the lengths of head and payload are what the kind has.
  public func check() throws(ProtocolError) {
    switch kind {
    case .call: if callID == 0 { throw .noCallID(kind) }
    case .reply, .failure, .cancel:
      if callID == 0 { throw .noCallID(kind) }
      if timeoutMilliseconds != 0 { throw .notACall(kind) }
    default: if callID != 0 || timeoutMilliseconds != 0 { throw .notACall(kind) }
    }
    let surplus: (ProtocolError.Part, Int)? =
      switch kind {
      case .reply where headLength > 0: (.head, Int(headLength))
      case .cancel where length > 0: headLength > 0 ? (.head, Int(headLength)) : (.payload, payloadLength)
      case .failure where payloadLength > 0, .dropped where payloadLength > 0: (.payload, payloadLength)
      default: nil
      }
    if let (part, count) = surplus { throw .malformed(kind, part, CBORError(.trailingBytes(count))) }
  }
}

extension FrameKind {
  /// Whether frames of the kind are calls or events, which are handled where they lie, and not `ProtocolMessage`s.
  public var isTraffic: Bool {
    switch self {
    case .deliver, .dropped, .call, .reply, .failure, .cancel: true
    default: false
    }
  }
}

/// `dropped`: how many events the module has lost before the next one.
public enum DroppedNotice {
  /// Decodes the head.
  public static func decode(_ head: Span<UInt8>) throws(CBORError) -> Int {
    var reader = CBORReader(head)
    var keys = try IntegerKeys(&reader, limit: 1)
    try keys.require(0, "count", &reader)
    let count = try reader.integer(in: 1...Int64.max)
    try keys.end(&reader)
    try reader.finish()
    return Int(count)
  }
}
