import ForsettiCore
import ForsettiIPC
import Testing

@Suite("What is said to the network worker and its keeper, and by them") struct NetworkMessageTests {
  private static let address = [IPAddress("192.0.2.7")].compactMap { $0 }[0]
  private static let exchange = HTTPExchange(
    url: "https://a.test/x", method: "POST", headers: [HTTPField("A", "b"), HTTPField("A", "")],
    body: [0, 1, 255], responseBytes: 7, timeoutMilliseconds: 9,
    reach: .publicInternet(and: ["10.0.0.0/8", "fd00::/8", "192.0.2.1"].compactMap(AddressRange.init)),
    pinned: ["a.test:443:192.0.2.1"])

  private static let requests: [NetworkRequest] = [
    .perform(exchange),
    .perform(HTTPExchange(url: "", method: "", responseBytes: 0, timeoutMilliseconds: 1, reach: .any)),
    .perform(
      HTTPExchange(
        url: "", method: "", responseBytes: 0, timeoutMilliseconds: 1, reach: .publicInternet(and: []))),
    .credit(1), .credit(NetworkWindow.bytes), .cancel,
  ]

  private static let answers: [NetworkAnswer] =
    [
      .head(HTTPReply(status: 200, headers: [HTTPField("A", "b")], address: address)), .body([]),
      .body([UInt8](repeating: 7, count: 16_384)), .ended, .notLocked(.landlock, errno: 38),
    ]
    + ([
      .refusedAddress(address), .bodyTooLarge, .headersTooLarge, .timedOut, .cancelled, .unresolved,
      .unreachable, .insecure("x"), .failed("y"),
    ] as [HTTPFault]).map { .failed($0) }

  private static let orders: [NetworkKeeperOrder] = [
    .setUp(NetworkKeeperSetUp(lockdown: lockdown, authorities: "/a")),
    .setUp(NetworkKeeperSetUp(lockdown: lockdown, authorities: nil)), .start, .end,
  ]
  private static let lockdown = LockdownRequest(
    filter: [UInt8](repeating: 7, count: 64), supervisorPID: 9, userID: 61_000, limits: SandboxLimits(),
    mayBeMissing: [.landlock])

  private static let reports: [NetworkKeeperReport] = [
    .refused(.userID, errno: 1), .failed("x"), .ended(.exited(code: 71)), .ended(.signalled(9)),
  ]

  /// The bytes of a value, and what other bytes come to.
  private func check<Value: CallValue & Equatable>(_ value: Value) throws {
    var writer = CBORWriter()
    try value.encode(into: &writer)
    let bytes = writer.bytes
    func read(_ bytes: [UInt8]) throws -> Value {
      var reader = CBORReader(bytes.span)
      let value = try Value(from: &reader)
      try reader.finish()
      return value
    }
    #expect(try read(bytes) == value)
    #expect(throws: CBORError.self) { try read(bytes + [0]) }
    for count in 0..<min(bytes.count, 512) {
      #expect(throws: CBORError.self) { try read(Array(bytes[..<count])) }
    }
    // Whatever a byte becomes, it is read as something or refused.
    for index in 0..<min(bytes.count, 256) {
      for byte in [0x00, 0x1b, 0x5f, 0x7f, 0x9f, 0xf6, 0xff] as [UInt8] {
        var spoiled = bytes
        spoiled[index] = byte
        _ = try? read(spoiled)
      }
    }
  }

  @Test("is its own again, and no part of it is") func roundTrip() throws {
    for request in Self.requests { try check(request) }
    for answer in Self.answers { try check(answer) }
    for order in Self.orders { try check(order) }
    for report in Self.reports { try check(report) }
  }

  @Test("travels in frames, and no other frame is taken for one") func frames() throws {
    var queue = OutboundQueue()
    try queue.append(NetworkRequest.perform(Self.exchange), exchange: 7)
    try queue.append(NetworkAnswer.ended, exchange: 8)
    var decoder = FrameDecoder()
    let bytes = queue.withPendingBytes { Array($0) }
    decoder.withWritableBuffer(minimum: bytes.count) { $0.copyBytes(from: bytes) }
    decoder.didRead(bytes.count)
    try take(&decoder) { (frame) throws in
      #expect(frame.header.callID == 7)
      #expect(try frame.networkRequest() == .perform(Self.exchange))
      #expect(try frame.networkAnswer() == nil)
    }
    try take(&decoder) { (frame) throws in
      #expect(frame.header.callID == 8)
      #expect(try frame.networkAnswer() == .ended)
      #expect(try frame.networkRequest() == nil)
    }
  }

  private func take(
    _ decoder: inout FrameDecoder, _ body: (borrowing Frame) throws -> Void
  ) throws {
    if let frame = try decoder.next() { try body(frame) } else { Issue.record("no frame") }
  }

  @Test(
    "a part of a body takes of the window at least what its frame takes of the pipe",
    arguments: [0, 1, 24, 255, 256, 16_384])
  func cost(count: Int) throws {
    var queue = OutboundQueue()
    try queue.append(NetworkAnswer.body([UInt8](repeating: 0, count: count)), exchange: .max)
    #expect(NetworkWindow.cost(of: count) >= queue.pendingBytes)
  }

  @Test(
    "a hostile worker's answer is refused before it takes memory",
    arguments: [
      // An address of 5 bytes, a status of 99, a credit of 0, a body of 2^32 bytes, a fault that is none.
      [0x82, 0x00, 0x83, 0x18, 0xc8, 0x45, 1, 2, 3, 4, 5, 0x80],
      [0x82, 0x00, 0x83, 0x18, 0x63, 0x44, 1, 2, 3, 4, 0x80],
      [0x82, 0x01, 0x5b, 0, 0, 0, 1, 0, 0, 0, 0], [0x82, 0x03, 0x82, 0x09, 0xf6], [0x82, 0x05, 0xf6],
      [0x81, 0x02],
    ] as [[UInt8]])
  func hostile(bytes: [UInt8]) {
    #expect(throws: CBORError.self) {
      var reader = CBORReader(bytes.span)
      _ = try NetworkAnswer(from: &reader)
    }
  }
}
