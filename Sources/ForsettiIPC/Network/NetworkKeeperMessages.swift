public import ForsettiCore

// What the supervisor and the keeper of its network worker say to each other: one item of CBOR in each packet of a
// SOCK_SEQPACKET socket.

/// What the supervisor tells the keeper.
public enum NetworkKeeperOrder: Sendable, Hashable {
  /// Said once, first.
  case setUp(NetworkKeeperSetUp)
  /// Start a worker on the two descriptors that come with it: where it reads, where it writes.
  case start
  /// End the worker.
  case end
}

/// What a keeper is, and what its workers are locked with.
public struct NetworkKeeperSetUp: Sendable, Hashable {
  /// A worker's lock. Its user is the keeper's too, and its parent the keeper itself.
  public var lockdown: LockdownRequest
  /// A file of certificate authorities instead of the system's.
  public var authorities: String?

  /// Makes a set-up.
  public init(lockdown: LockdownRequest, authorities: String?) {
    self.lockdown = lockdown
    self.authorities = authorities
  }
}

/// What the keeper tells the supervisor.
public enum NetworkKeeperReport: Sendable, Hashable {
  /// A step of its own lock could not be had; it ends.
  case refused(SandboxLayer, errno: Int32)
  /// It can't do what it was told, and ends.
  case failed(String)
  /// The worker has ended, or could not be started (status 71).
  case ended(ProcessStatus)
}

extension NetworkKeeperOrder: CallValue {
  /// Bytes of an order at most.
  public static let maximumBytes = 65_536

  /// The packet.
  public func encoded() throws(CBORError) -> [UInt8] {
    var writer = CBORWriter()
    try encode(into: &writer)
    return writer.bytes
  }

  /// The order in a packet.
  public static func decode(_ bytes: Span<UInt8>) throws(CBORError) -> NetworkKeeperOrder {
    try whole(bytes)
  }

  /// Writes its number, then its parts.
  public func encode(into writer: inout CBORWriter) throws(CBORError) {
    switch self {
    case .setUp(let setUp):
      writer.array(count: 3)
      writer.unsigned(0)
      try writer.lockdown(setUp.lockdown)
      try writer.optionalName(setUp.authorities)
    case .start:
      writer.array(count: 1)
      writer.unsigned(1)
    case .end:
      writer.array(count: 1)
      writer.unsigned(2)
    }
  }

  /// Reads it.
  public init(from reader: inout CBORReader) throws(CBORError) {
    let start = reader.offset
    switch (try reader.arrayCount(limit: 3), try reader.integer(in: 0...2)) {
    case (3, 0):
      self = .setUp(
        NetworkKeeperSetUp(lockdown: try reader.lockdown(), authorities: try reader.optionalName()))
    case (1, 1): self = .start
    case (1, 2): self = .end
    default: throw CBORError(.outOfRange, at: start)
    }
  }
}

extension NetworkKeeperReport: CallValue {
  /// Bytes of a report at most.
  public static let maximumBytes = 2_048

  /// The packet.
  public func encoded() throws(CBORError) -> [UInt8] {
    var writer = CBORWriter()
    try encode(into: &writer)
    return writer.bytes
  }

  /// The report in a packet.
  public static func decode(_ bytes: Span<UInt8>) throws(CBORError) -> NetworkKeeperReport {
    try whole(bytes)
  }

  /// Writes its number, then its parts.
  public func encode(into writer: inout CBORWriter) throws(CBORError) {
    writer.array(count: 3)
    switch self {
    case .refused(let step, let errno):
      writer.unsigned(0)
      try writer.choice(step)
      writer.integer(Int64(errno))
    case .failed(let words):
      writer.unsigned(1)
      try writer.text(ProtocolLimits.truncated(words, to: ProtocolLimits.errorText))
      writer.null()
    case .ended(.exited(let code)):
      writer.unsigned(2)
      writer.bool(false)
      writer.integer(Int64(code))
    case .ended(.signalled(let signal)):
      writer.unsigned(2)
      writer.bool(true)
      writer.integer(Int64(signal))
    }
  }

  /// Reads it.
  public init(from reader: inout CBORReader) throws(CBORError) {
    try reader.parts(3)
    let range = Int64(Int32.min)...Int64(Int32.max)
    switch try reader.integer(in: 0...2) {
    case 0: self = .refused(try reader.choice(), errno: Int32(try reader.integer(in: range)))
    case 1:
      self = .failed(try reader.text(limit: ProtocolLimits.errorText))
      _ = try Nothing(from: &reader)
    default:
      let isSignal = try reader.bool()
      let number = Int32(try reader.integer(in: range))
      self = .ended(isSignal ? .signalled(number) : .exited(code: number))
    }
  }
}
