/// One frame of the control protocol (docs/control.md): a call of the client, or what becomes of it. Every frame names
/// its call; the frames of several calls may come in any order between each other.
public enum ControlMessage: Sendable, Hashable {
  /// Client to supervisor: do this.
  case call(operation: String, CBORValue, timeoutMilliseconds: UInt32)
  /// Supervisor to client: one of many parts of the answer.
  case item(CBORValue)
  /// Supervisor to client: how many items were lost before the next one, because the client read too slowly.
  case dropped(UInt64)
  /// Supervisor to client: the answer; nothing of this call follows.
  case reply(CBORValue)
  /// Supervisor to client: why there is no answer; nothing of this call follows.
  case failure(ControlFailure)
  /// Client to supervisor: the answer is no longer wanted. What was begun is carried to its end.
  case cancel
}

/// Bounds of the control protocol. Both ends check them.
public enum ControlLimits {
  /// The versions this build speaks.
  public static let versions = ProtocolRange(lowest: 1, highest: 1)
  /// Bytes of the name of an operation.
  public static let operation = 64
  /// Bytes of a frame's body that the supervisor takes.
  public static let requestBytes = 262_144
  /// Items of CBOR in a request, containers and all.
  public static let requestItems = 16_384
  /// Items of CBOR in one frame of an answer.
  public static let answerItems = 262_144
}

/// Why a frame is none of the control protocol. The connection ends with it.
public enum ControlProtocolError: Error, Sendable, Hashable {
  /// The bytes are no frame.
  case frame(FrameError)
  /// A frame of a kind that this protocol does not have, or that this end does not take.
  case unexpected(FrameKind)
  /// A frame that names no call.
  case noCallID(FrameKind)
  /// Head or payload is not what the kind asks for.
  case malformed(FrameKind, ProtocolError.Part, CBORError)
}

extension ControlProtocolError: CustomStringConvertible {
  /// One line: what is wrong and where.
  public var description: String {
    switch self {
    case .frame(let error): error.description
    case .unexpected(let kind): "a \(kind) frame, where none is taken"
    case .noCallID(let kind): "a \(kind) frame without a call ID"
    case .malformed(let kind, let part, let error): "\(part.rawValue) of a \(kind) frame: \(error)"
    }
  }
}
