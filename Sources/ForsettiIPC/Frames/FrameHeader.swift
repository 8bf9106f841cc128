/// The fixed 24 bytes before every body. Little-endian, in this order:
/// `length` u32 (bytes after the header), `kind` u8, `flags` u8, `headLength` u16 (the first bytes of the body
/// that are the CBOR head; the rest is payload), `callID` u64, `timeoutMilliseconds` u32 (0: the default), reserved u32 (0).
public struct FrameHeader: Sendable, Hashable {
  /// Bytes on the wire.
  public static let size = 24
  /// Largest body: 4 KiB of head and 1 MiB of payload.
  public static let maximumBody = 4096 + 1_048_576
  /// Largest head.
  public static let maximumHead = 4096
  /// What a timeout of 0 stands for in a call, milliseconds.
  public static let defaultTimeoutMilliseconds: UInt32 = 30_000

  /// Bytes after the header: head and payload.
  public var length: UInt32
  /// What the frame is.
  public var kind: FrameKind
  /// Bits of `knownFlags`; none in this version.
  public var flags: UInt8
  /// Bytes of the body that are the head.
  public var headLength: UInt16
  /// Joins an answer to its call; 0 where there is none.
  public var callID: UInt64
  /// How long the caller waits; 0 for the default.
  public var timeoutMilliseconds: UInt32

  /// Makes a header.
  public init(
    kind: FrameKind, length: UInt32, headLength: UInt16, callID: UInt64 = 0, timeoutMilliseconds: UInt32 = 0,
    flags: UInt8 = 0
  ) {
    self.length = length
    self.kind = kind
    self.flags = flags
    self.headLength = headLength
    self.callID = callID
    self.timeoutMilliseconds = timeoutMilliseconds
  }
}

/// What a frame is. S→M: from the supervisor to the module; M→S the other way.
public enum FrameKind: UInt8, Sendable, Hashable, CaseIterable {
  /// S→M: versions offered, module, entry point, lockdown.
  case setUp = 1
  /// M→S: version chosen, the filter is on, number of the listener's descriptor.
  case locked = 2
  /// M→S: a step of the lockdown, or the version, could not be had.
  case refused = 3
  /// S→M: listener and /proc files are taken; close the listener, finish, run module code.
  case release = 4
  /// M→S: what the module says it is.
  case describe = 5
  /// M→S: there is no such module.
  case describeFailed = 6
  /// S→M: start with these grants.
  case start = 7
  /// M→S: started.
  case started = 8
  /// M→S: start threw.
  case startFailed = 9
  /// S→M: stop.
  case stop = 10
  /// M→S: stopped; the process ends after it.
  case stopped = 11
  /// S→M: does the module's executor still turn?
  case ping = 12
  /// M→S: it does; one for each `ping`.
  case pong = 13
  /// S→M: to a third party's executable that has just taken over: versions offered, module, entry point.
  case identify = 14
  /// M→S: one log record.
  case log = 20
  /// M→S: publish an event.
  case publish = 30
  /// S→M: an event or message, the same bytes for all who receive it.
  case deliver = 31
  /// S→M: how many events were lost before the next one.
  case dropped = 32
  /// Both ways: call a method; the caller chooses the call ID.
  case call = 40
  /// Both ways: what the call came to.
  case reply = 41
  /// Both ways: why the call came to nothing.
  case failure = 42
  /// Both ways: the caller takes the call back; what comes later is dropped.
  case cancel = 43
}
