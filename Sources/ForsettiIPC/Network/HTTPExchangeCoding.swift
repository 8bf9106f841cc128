import ForsettiCore

extension HTTPExchange {
  /// Ranges of addresses that an exchange names at most.
  private static let mostRanges = 1_000
  /// Pinned addresses, likewise.
  private static let mostPins = 16

  /// Writes its parts in order.
  func encode(into writer: inout CBORWriter) throws(CBORError) {
    writer.array(count: 8)
    try writer.text(url, limit: ProtocolLimits.url)
    try writer.text(method, limit: ProtocolLimits.verb)
    try headers.encode(into: &writer)
    try writer.byteString(body)
    writer.integer(Int64(responseBytes))
    writer.integer(Int64(timeoutMilliseconds))
    switch reach {
    case .any: writer.null()
    case .publicInternet(let ranges): try writer.words(ranges.map(\.description), limit: Self.mostRanges)
    }
    try writer.words(pinned, limit: Self.mostPins)
  }

  /// Reads it.
  init(from reader: inout CBORReader) throws(CBORError) {
    try reader.parts(8)
    self.init(
      url: try reader.text(limit: ProtocolLimits.url), method: try reader.text(limit: ProtocolLimits.verb),
      headers: try [HTTPField](from: &reader), body: try reader.byteString(limit: FrameHeader.maximumPayload),
      responseBytes: Int(try reader.integer(in: 0...Int64(Int32.max))),
      timeoutMilliseconds: Int(try reader.integer(in: 1...Int64(Int32.max))),
      reach: try reader.nullIfNext()
        ? .any : .publicInternet(and: try reader.words(limit: Self.mostRanges, AddressRange.init)),
      pinned: try reader.words(limit: Self.mostPins) { $0 })
  }

  /// What texts and body take.
  var sizeHint: Int { 256 &+ url.utf8.count &+ headers.sizeHint &+ body.count }
}

extension HTTPReply {
  /// Writes all but the body.
  func encodeHead(into writer: inout CBORWriter) throws(CBORError) {
    writer.array(count: 3)
    try writer.integer(status, in: ProtocolLimits.httpStatus)
    try writer.byteString(address.bytes)
    try headers.encode(into: &writer)
  }

  /// Reads it.
  init(headFrom reader: inout CBORReader) throws(CBORError) {
    try reader.parts(3)
    self.init(
      status: Int(try reader.integer(in: ProtocolLimits.httpStatus)), headers: [],
      address: try reader.address())
    headers = try [HTTPField](from: &reader)
  }
}

extension HTTPFault {
  /// Writes its number, then its part.
  func encode(into writer: inout CBORWriter) throws(CBORError) {
    writer.array(count: 2)
    switch self {
    case .refusedAddress(let address):
      writer.unsigned(0)
      try writer.byteString(address.bytes)
    case .insecure(let words):
      writer.unsigned(1)
      try writer.text(ProtocolLimits.truncated(words, to: ProtocolLimits.errorText))
    case .failed(let words), .workerLost(let words):
      writer.unsigned(2)
      try writer.text(ProtocolLimits.truncated(words, to: ProtocolLimits.errorText))
    case .bodyTooLarge: writer.plainFault(3)
    case .headersTooLarge: writer.plainFault(4)
    case .timedOut: writer.plainFault(5)
    case .cancelled: writer.plainFault(6)
    case .unresolved: writer.plainFault(7)
    case .unreachable: writer.plainFault(8)
    }
  }

  /// Reads it. A worker never says that it is lost itself.
  init(from reader: inout CBORReader) throws(CBORError) {
    try reader.parts(2)
    let number = try reader.integer(in: 0...8)
    switch number {
    case 0: self = .refusedAddress(try reader.address())
    case 1: self = .insecure(try reader.text(limit: ProtocolLimits.errorText))
    case 2: self = .failed(try reader.text(limit: ProtocolLimits.errorText))
    default:
      _ = try Nothing(from: &reader)
      let plain: [HTTPFault] = [
        .bodyTooLarge, .headersTooLarge, .timedOut, .cancelled, .unresolved, .unreachable,
      ]
      self = plain[Int(number) - 3]
    }
  }
}

extension CBORWriter {
  fileprivate mutating func plainFault(_ number: UInt64) {
    unsigned(number)
    null()
  }

  fileprivate mutating func words(_ words: [String], limit: Int) throws(CBORError) {
    if words.count > limit { throw CBORError(.tooLong(limit: limit)) }
    array(count: words.count)
    for word in words { try text(word, limit: ProtocolLimits.text) }
  }
}

extension CBORReader {
  fileprivate mutating func address() throws(CBORError) -> IPAddress {
    let start = offset
    guard let address = IPAddress(bytes: try byteString(limit: 16)) else {
      throw CBORError(.inconsistent("an address of neither 4 nor 16 bytes"), at: start)
    }
    return address
  }

  fileprivate mutating func words<Value>(
    limit: Int, _ read: (String) -> Value?
  ) throws(CBORError) -> [Value] {
    var values: [Value] = []
    for _ in 0..<(try arrayCount(limit: limit)) {
      let start = offset
      let word = try text(limit: ProtocolLimits.text)
      guard let value = read(word) else { throw CBORError(.inconsistent("\(word.quoted())"), at: start) }
      values.append(value)
    }
    return values
  }
}
