/// Why bytes are no frame. After one of these the stream cannot be trusted to find the next frame: it ends.
public enum FrameError: Error, Sendable, Hashable {
  case unknownKind(UInt8)
  /// Flag bits that this version does not know; it knows none.
  case unknownFlags(UInt8)
  /// A body longer than `FrameHeader.maximumBody`.
  case bodyTooLong(UInt32)
  /// A head longer than `FrameHeader.maximumHead`.
  case headTooLong(UInt16)
  /// A head longer than the body it is part of.
  case headExceedsBody(head: UInt16, body: UInt32)
  /// A payload, the body without its head, longer than `FrameHeader.maximumPayload`.
  case payloadTooLong(UInt32)
  /// Reserved bytes that are not 0.
  case reservedNotZero(UInt32)
  /// The stream ended inside a frame, with this many of its bytes read.
  case truncated(Int)
}

extension FrameError: CustomStringConvertible {
  /// One line: what is wrong.
  public var description: String {
    switch self {
    case .unknownKind(let kind): "frame kind \(kind) is unknown"
    case .unknownFlags(let flags): "frame flags 0x\(String(flags, radix: 16)) are unknown"
    case .bodyTooLong(let length): "a body of \(length) bytes, where \(FrameHeader.maximumBody) are allowed"
    case .headTooLong(let length): "a head of \(length) bytes, where \(FrameHeader.maximumHead) are allowed"
    case .headExceedsBody(let head, let body): "a head of \(head) bytes in a body of \(body)"
    case .payloadTooLong(let length):
      "a payload of \(length) bytes, where \(FrameHeader.maximumPayload) are allowed"
    case .reservedNotZero(let value): "reserved bytes hold 0x\(String(value, radix: 16)) instead of 0"
    case .truncated(let count): "the stream ended \(count) bytes into a frame"
    }
  }
}
