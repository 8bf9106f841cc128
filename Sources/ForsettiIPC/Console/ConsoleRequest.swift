public import ForsettiCore

/// What the supervisor tells its web console: how to lock itself, where the control socket is, and who may come in. One
/// CBOR map on the console's input, which ends behind it.
public struct ConsoleRequest: Sendable, Hashable {
  /// How it locks itself before it takes a connection.
  public var lockdown: LockdownRequest
  /// The runtime folder of the supervisor that it is for.
  public var runtimeFolder: String
  /// What a browser shows once to come in; also the bearer token of `/metrics`.
  public var token: String

  /// Bytes of a request at most: a page, which the smallest pipe takes at once.
  public static let maximumBytes = 4_096

  /// Makes a request.
  public init(lockdown: LockdownRequest, runtimeFolder: String, token: String) {
    self.lockdown = lockdown
    self.runtimeFolder = runtimeFolder
    self.token = token
  }

  /// Its encoding.
  /// - Throws: `tooLong` where it has more bytes than a request may have.
  public func encoded() throws(CBORError) -> [UInt8] {
    var writer = CBORWriter()
    writer.map(count: 3)
    writer.key("token")
    try writer.text(token, limit: 256)
    writer.key("lockdown")
    try writer.lockdown(lockdown)
    writer.key("runtimeFolder")
    try writer.text(runtimeFolder, limit: 1_024)
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
    try reader.field("runtimeFolder", &fields)
    let folder = try reader.text(limit: 1_024)
    try reader.end(fields)
    try reader.finish()
    return ConsoleRequest(lockdown: lockdown, runtimeFolder: folder, token: token)
  }
}
