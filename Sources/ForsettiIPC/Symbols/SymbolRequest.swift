public import ForsettiCore

/// What the supervisor asks of its symbol worker: how to lock itself, then which functions lie around some places
/// of an executable, which the worker has open. One CBOR map on the worker's input, which ends behind it.
public struct SymbolRequest: Sendable, Hashable {
  /// How the worker locks itself before it reads a byte of the executable.
  public var lockdown: LockdownRequest
  /// Distances from where the executable's first byte lies in memory.
  public var places: [UInt64]

  /// Places that a request holds at most.
  public static let maximumPlaces = 64
  /// Bytes of a request at most: a page, which the smallest pipe takes at once.
  public static let maximumBytes = 4_096

  /// Makes a request.
  public init(lockdown: LockdownRequest, places: [UInt64]) {
    self.lockdown = lockdown
    self.places = places
  }

  /// Its encoding.
  /// - Throws: `tooLong` for more places or a longer filter than a request may hold.
  public func encoded() throws(CBORError) -> [UInt8] {
    guard places.count <= Self.maximumPlaces else {
      throw CBORError(.tooLong(limit: Self.maximumPlaces))
    }
    var writer = CBORWriter()
    writer.map(count: 2)
    writer.key("places")
    writer.array(count: places.count)
    for place in places { writer.unsigned(place) }
    writer.key("lockdown")
    try writer.lockdown(lockdown)
    guard writer.bytes.count <= Self.maximumBytes else { throw CBORError(.tooLong(limit: Self.maximumBytes)) }
    return writer.bytes
  }

  /// The request in these bytes, all of them.
  public static func decode(_ bytes: Span<UInt8>) throws(CBORError) -> SymbolRequest {
    var reader = CBORReader(bytes)
    var fields = try reader.fields()
    try reader.field("places", &fields)
    var places: [UInt64] = []
    for _ in 0..<(try reader.arrayCount(limit: maximumPlaces)) { places.append(try reader.unsigned()) }
    try reader.field("lockdown", &fields)
    let lockdown = try reader.lockdown()
    try reader.end(fields)
    try reader.finish()
    return SymbolRequest(lockdown: lockdown, places: places)
  }
}
