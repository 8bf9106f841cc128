/// What clients may ask of a server. Every bound holds before anything is allocated for what exceeds it.
public struct HTTPLimits: Sendable, Hashable {
  /// Connections at once. A further one takes the place of the one that has waited for longest without a whole request, its
  /// first or its next, else of the one that has not read its answer for longest; where all are being served it waits in the
  /// kernel's queue.
  public var connections = 64
  /// Connections among them that may be streams; a further one is answered 503.
  public var streams = 16
  /// Bytes of a request's line and headers together, as they are sent; more is answered 431, or 414 where the target alone
  /// has them.
  public var headerBytes = 16_384
  /// Headers of a request; more is answered 431.
  public var headerFields = 100
  /// Bytes of a request's body; more is answered 413.
  public var bodyBytes = 262_144
  /// Milliseconds from the opening of a connection, or from its last answer, until the next request is there whole; then
  /// the connection is closed. So a client that sends a byte now and then holds nothing for long. In steps of a second.
  public var requestMilliseconds = 20_000
  /// Milliseconds that a client may take to read an answer that is no stream. In steps of a second.
  public var responseMilliseconds = 60_000
  /// Seconds without a byte in either direction after which a connection is closed.
  public var idleSeconds: UInt32 = 15

  /// The bounds above.
  public init() {}

  /// Bytes that the library has for one connection. Half of it is for what arrives; the rest holds a copy of the cookies, 72
  /// bytes for each header and cookie, and the head of the answer.
  var memory: Int { 4 * headerBytes + 256 * headerFields }
}
