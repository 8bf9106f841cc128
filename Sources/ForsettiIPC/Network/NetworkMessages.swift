public import ForsettiCore

// What the supervisor and its network worker say to each other, in frames (Frames/FrameHeader.swift) of the kinds `call`
// to the worker and `reply` from it. The call ID is the exchange's number; the payload says what it is. Both are programs
// of one build, so no version is negotiated.

/// What the supervisor says about one exchange.
public enum NetworkRequest: Sendable, Hashable {
  /// Perform it.
  case perform(HTTPExchange)
  /// So much of the answer's body was taken; so much more may come (`NetworkWindow`).
  case credit(Int)
  /// Nobody waits for it any more.
  case cancel
}

/// What the worker says about one exchange.
public enum NetworkAnswer: Sendable, Hashable {
  /// The answer begins; its body is empty here. Said once, before any part of the body.
  case head(HTTPReply)
  /// A part of the body.
  case body([UInt8])
  /// The body is over.
  case ended
  /// There is no answer, or no more of it.
  case failed(HTTPFault)
  /// Of no exchange: the worker could not lock itself, and ends.
  case notLocked(SandboxLayer, errno: Int32)
}

/// How much of an answer's body may be on its way to whoever takes it. The worker stops reading a host that has used
/// up its window, so neither side ever holds more than this of a host that sends faster than it is heard.
public enum NetworkWindow {
  /// What an exchange begins with, bytes as `cost` counts them.
  public static let bytes = 65_536

  /// What a part of a body takes of the window: what its frame takes in the pipe, at most.
  public static func cost(of count: Int) -> Int { count &+ FrameHeader.size &+ 16 }
}

extension NetworkRequest: CallValue {
  /// Writes its number, then its part.
  public func encode(into writer: inout CBORWriter) throws(CBORError) {
    writer.array(count: 2)
    switch self {
    case .perform(let exchange):
      writer.unsigned(0)
      try exchange.encode(into: &writer)
    case .credit(let bytes):
      writer.unsigned(1)
      writer.integer(Int64(bytes))
    case .cancel:
      writer.unsigned(2)
      writer.null()
    }
  }

  /// Reads it.
  public init(from reader: inout CBORReader) throws(CBORError) {
    try reader.parts(2)
    switch try reader.integer(in: 0...2) {
    case 0: self = .perform(try HTTPExchange(from: &reader))
    case 1: self = .credit(Int(try reader.integer(in: 1...Int64(NetworkWindow.bytes))))
    default:
      _ = try Nothing(from: &reader)
      self = .cancel
    }
  }

  /// That of the exchange.
  public var sizeHint: Int {
    if case .perform(let exchange) = self { exchange.sizeHint &+ 16 } else { 16 }
  }
}

extension NetworkAnswer: CallValue {
  /// Writes its number, then its part.
  public func encode(into writer: inout CBORWriter) throws(CBORError) {
    writer.array(count: 2)
    switch self {
    case .head(let reply):
      writer.unsigned(0)
      try reply.encodeHead(into: &writer)
    case .body(let bytes):
      writer.unsigned(1)
      try writer.byteString(bytes)
    case .ended:
      writer.unsigned(2)
      writer.null()
    case .failed(let fault):
      writer.unsigned(3)
      try fault.encode(into: &writer)
    case .notLocked(let step, let errno):
      writer.unsigned(4)
      writer.array(count: 2)
      try writer.choice(step)
      writer.integer(Int64(errno))
    }
  }

  /// Reads it.
  public init(from reader: inout CBORReader) throws(CBORError) {
    try reader.parts(2)
    switch try reader.integer(in: 0...4) {
    case 0: self = .head(try HTTPReply(headFrom: &reader))
    case 1: self = .body(try reader.byteString(limit: NetworkWindow.bytes))
    case 2:
      _ = try Nothing(from: &reader)
      self = .ended
    case 3: self = .failed(try HTTPFault(from: &reader))
    default:
      try reader.parts(2)
      self = .notLocked(try reader.choice(), errno: Int32(try reader.integer(in: 0...Int64(Int32.max))))
    }
  }

  /// That of what it holds.
  public var sizeHint: Int {
    switch self {
    case .head(let reply): reply.headers.sizeHint &+ 64
    case .body(let bytes): bytes.count &+ 16
    case .ended, .failed, .notLocked: 64
    }
  }
}

extension OutboundQueue {
  /// Queues what the supervisor says about an exchange.
  public mutating func append(
    _ request: NetworkRequest, exchange number: UInt64
  ) throws(MessageEncodingError) {
    try append(
      FrameHeader(kind: .call, length: 0, headLength: 0, callID: number), sizeHint: request.sizeHint
    ) { (_) throws(CBORError) in
    } payload: { (writer) throws(CBORError) in
      try request.encode(into: &writer)
    }
  }

  /// Queues what the worker says about an exchange.
  public mutating func append(
    _ answer: NetworkAnswer, exchange number: UInt64
  ) throws(MessageEncodingError) { try appendReply(answer, callID: number) }
}

extension Frame {
  /// The request that it carries; `nil` for a frame of another kind.
  public func networkRequest() throws(CBORError) -> NetworkRequest? {
    header.kind == .call ? try NetworkRequest.whole(payload) : nil
  }

  /// The answer that it carries; `nil` for a frame of another kind.
  public func networkAnswer() throws(CBORError) -> NetworkAnswer? {
    header.kind == .reply ? try NetworkAnswer.whole(payload) : nil
  }
}

extension CallValue {
  /// The value in these bytes, all of them.
  static func whole(_ bytes: Span<UInt8>) throws(CBORError) -> Self {
    var reader = CBORReader(bytes)
    let value = try Self(from: &reader)
    try reader.finish()
    return value
  }
}
