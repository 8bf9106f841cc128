public import ForsettiCore

/// What the web console is told by whoever keeps it: how to lock itself, and who may come in. One CBOR map, the first packet
/// on the console's socket.
public struct ConsoleRequest: Sendable, Hashable {
  /// How it locks itself before it takes a connection.
  public var lockdown: LockdownRequest
  /// What a browser shows once to come in; also the bearer token of `/metrics`.
  public var token: String

  /// Bytes of a request at most.
  public static let maximumBytes = 4_096

  /// Makes a request.
  public init(lockdown: LockdownRequest, token: String) {
    self.lockdown = lockdown
    self.token = token
  }

  /// Its encoding.
  /// - Throws: `tooLong` where it has more bytes than a request may have.
  public func encoded() throws(CBORError) -> [UInt8] {
    var writer = CBORWriter()
    writer.map(count: 2)
    writer.key("token")
    try writer.text(token, limit: 256)
    writer.key("lockdown")
    try writer.lockdown(lockdown)
    guard writer.bytes.count <= Self.maximumBytes else { throw CBORError(.tooLong(limit: Self.maximumBytes)) }
    return writer.bytes
  }

  /// The request in these bytes, all of them.
  public static func decode(_ bytes: Span<UInt8>) throws(CBORError) -> ConsoleRequest {
    var reader = CBORReader(bytes)
    var fields = try reader.fields()
    try reader.field("token", &fields)
    let token = try reader.text(limit: 256)
    try reader.field("lockdown", &fields)
    let lockdown = try reader.lockdown()
    try reader.end(fields)
    try reader.finish()
    return ConsoleRequest(lockdown: lockdown, token: token)
  }
}

/// What goes between the console and whoever keeps it once it runs: packets of one byte. The console can make no socket
/// itself, so it asks for connections to the control socket.
public enum ConsolePacket {
  /// From the console: one connection, please. Whatever else comes from it is its word on what went wrong.
  public static let wanted: UInt8 = 1
  /// To the console: here it is, with its descriptor. Any other byte is the errno of why there is none.
  public static let granted: UInt8 = 0
  /// Bytes of a word on what went wrong.
  public static let wordBytes = 512
}
