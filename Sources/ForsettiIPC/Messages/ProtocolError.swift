/// What the other end did wrong. Its stream is not read on after one of these.
public enum ProtocolError: Error, Sendable, Hashable {
  /// The two CBOR parts of a frame.
  public enum Part: String, Sendable, Hashable {
    case head, payload
  }

  /// A frame with a call ID or a timeout of a kind that is no call.
  case notACall(FrameKind)
  /// A call, an answer or a delivery where a message of the session is read.
  case notAMessage(FrameKind)
  /// A frame of a kind that is a call, or answers one, without a call ID.
  case noCallID(FrameKind)
  /// A call with the ID of one that is open.
  case duplicateCall(UInt64)
  /// An answer to a call that was not made, or is answered.
  case unknownCall(FrameKind, UInt64)
  /// A call whose head says who calls, from a module.
  case foreignSource
  /// A call whose head carries more or less than its method has there, by the method's name.
  case misrouted(String)
  /// The head or payload of a frame is not what its kind asks for.
  case malformed(FrameKind, Part, CBORError)
  /// A frame that is not for this moment, or not for this end.
  case unexpected(FrameKind, SessionPhase)
}

extension ProtocolError: CustomStringConvertible {
  /// One line: what is wrong and where.
  public var description: String {
    switch self {
    case .notACall(let kind): "a \(kind) frame with a call ID or timeout"
    case .notAMessage(let kind): "a \(kind) frame, where none is taken"
    case .noCallID(let kind): "a \(kind) frame without a call ID"
    case .duplicateCall(let callID): "a call with the ID \(callID), which is open"
    case .unknownCall(let kind, let callID): "a \(kind) frame for \(callID), which is no open call"
    case .foreignSource: "a call whose head says who calls"
    case .misrouted(let method): "a call of \(method) with the wrong parts in its head"
    case .malformed(let kind, let part, let error): "\(part.rawValue) of a \(kind) frame: \(error)"
    case .unexpected(let kind, let phase): "a \(kind) frame while \(phase.rawValue)"
    }
  }
}

/// Why this end could not send a message. Nothing of it was queued.
public enum MessageEncodingError: Error, Sendable, Hashable {
  /// The queue is full: write first.
  case full
  /// Head or payload would be longer than any frame may be.
  case tooLarge(FrameKind, head: Int, payload: Int)
  /// A part breaks a limit or rule of the protocol.
  case invalid(FrameKind, CBORFault)
}

extension MessageEncodingError: CustomStringConvertible {
  /// One line: what is wrong.
  public var description: String {
    switch self {
    case .full: "the queue to the other end is full"
    case .tooLarge(let kind, let head, let payload):
      "a \(kind) frame would have a head of \(head) and a payload of \(payload) bytes"
    case .invalid(let kind, let fault): "a \(kind) frame would hold \(fault)"
    }
  }
}
