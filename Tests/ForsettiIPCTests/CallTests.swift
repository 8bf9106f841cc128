import ForsettiCore
import Testing

@testable import ForsettiIPC

/// What the first frame of a queue holds.
private func first(_ queue: borrowing OutboundQueue) throws -> (
  header: FrameHeader, head: [UInt8], payload: [UInt8]
) {
  var decoder = FrameDecoder()
  decoder.feed(queue.withPendingBytes { Array($0) })
  guard let frame = try decoder.next() else { throw FrameError.truncated(0) }
  return (
    frame.header, frame.head.withUnsafeBufferPointer { Array($0) },
    frame.payload.withUnsafeBufferPointer { Array($0) }
  )
}

/// The error that a queue's first frame holds.
private func failure(_ queue: borrowing OutboundQueue) throws -> ServiceError {
  let head = try first(queue).head
  return try ServiceError.decode(head.span)
}

private func fault<Value>(_ body: () throws -> Value) -> CBORFault? {
  do {
    _ = try body()
    return nil
  } catch { return (error as? CBORError)?.fault }
}

private let trace = TraceContext(traceHigh: 0x0123_4567_89ab_cdef, traceLow: 2, spanID: .max, flags: 1)

@Suite("Calls")
struct CallTests {
  @Test("the samples cover every method, and every number is one method's")
  func coverage() throws {
    let sampled = Set(try Samples.calls().map(\.info))
    let known = Set(
      ServiceCatalog.methods + [
        RuntimeMethods.render.info, RuntimeMethods.health.info, RuntimeMethods.receiveSecret.info,
      ])
    #expect(sampled == known)
    #expect(Set(known.map { [$0.serviceNumber, $0.number] }).count == known.count)
    #expect(Set(known.map(\.name)).count == known.count)
    for method in ServiceCatalog.methods {
      #expect(ServiceCatalog.method(service: method.serviceNumber, number: method.number) == method)
    }
    for (service, number) in [(0, 0), (0, 16), (1, 2), (11, 4), (12, 1), (255, 255), (2, 33)]
      as [(UInt8, UInt8)]
    {
      #expect(ServiceCatalog.method(service: service, number: number) == nil)
    }
  }

  @Test("requests and responses survive the wire, and are deterministic CBOR")
  func roundTrip() throws {
    for sample in try Samples.calls() {
      #expect(try sample.survives(), "\(sample.info.name)")
      try CBORValidator.walk(sample.request.span)
      try CBORValidator.walk(sample.response.span)
      #expect(sample.info.accepts(sample.head.route))
    }
  }

  @Test("any payload with a byte changed, cut or added gives a value or an error")
  func mutations() throws {
    var generator = SeededGenerator(state: 7)
    for sample in try Samples.calls() {
      for (bytes, again) in [(sample.request, sample.requestAgain), (sample.response, sample.responseAgain)] {
        for _ in 0..<400 {
          var changed = bytes
          let place = Int.random(in: 0..<bytes.count, using: &generator)
          switch Int.random(in: 0..<4, using: &generator) {
          case 0: changed.removeSubrange(place...)
          case 1: changed.insert(.random(in: 0...255, using: &generator), at: place)
          case 2: changed[place] ^= 1
          default: changed[place] = .random(in: 0...255, using: &generator)
          }
          // What is accepted has one encoding, but for the NaN that a shorter float may become.
          if let encoded = try? again(changed) { #expect(encoded == changed, "\(sample.info.name)") }
        }
      }
    }
  }

  @Test("a call goes into the queue as its head and its request, after what waits there")
  func queued() throws {
    var queue = OutboundQueue()
    let request = APIRequest(method: "GET", path: "/a", query: [HTTPField("q", "1")], body: [1, 2])
    try queue.appendCall(
      APIMethods.request, request, callID: 9, timeoutMilliseconds: 250, trace: trace, source: "com.example.a")
    let frame = try first(queue)
    #expect(frame.header.kind == .call)
    #expect(frame.header.callID == 9)
    #expect(frame.header.timeoutMilliseconds == 250)
    let head = try CallHead(frame.head.span)
    #expect(
      head
        == CallHead(
          service: 10, method: 1, trace: trace, route: CallRoute(verb: "GET", path: "/a"),
          source: "com.example.a"))
    #expect(try APIMethods.request.request(head, frame.payload.span) == request)
    // Forwarded, it is the same bytes.
    var forwarded = OutboundQueue()
    try forwarded.appendCall(head, payload: frame.payload.span, callID: 9, timeoutMilliseconds: 250)
    #expect(forwarded.withPendingBytes { Array($0) } == queue.withPendingBytes { Array($0) })
    try queue.appendReply(Nothing(), callID: 1)
    try queue.appendCancel(callID: 2)
    try queue.appendDropped(count: 3)
    #expect(queue.frameCount == 4)
  }

  @Test("an answer is empty in one half, a cancel in both; anything else is refused")
  func headers() throws {
    func refusal(
      _ kind: FrameKind, head: UInt16 = 0, payload: UInt32 = 0, callID: UInt64 = 1, timeout: UInt32 = 0
    ) -> ProtocolError? {
      let header = FrameHeader(
        kind: kind, length: UInt32(head) + payload, headLength: head, callID: callID,
        timeoutMilliseconds: timeout)
      do throws(ProtocolError) {
        try header.check()
        return nil
      } catch { return error }
    }
    for kind in [FrameKind.call, .reply, .failure, .cancel] {
      #expect(refusal(kind, callID: 0) == .noCallID(kind))
      #expect(refusal(kind) == nil)
      #expect(refusal(kind, timeout: 1) == (kind == .call ? nil : .notACall(kind)))
    }
    for kind in [FrameKind.deliver, .dropped, .publish, .log] { #expect(refusal(kind) == .notACall(kind)) }
    #expect(refusal(.reply, head: 1) == .malformed(.reply, .head, CBORError(.trailingBytes(1))))
    #expect(refusal(.failure, payload: 2) == .malformed(.failure, .payload, CBORError(.trailingBytes(2))))
    #expect(refusal(.cancel, payload: 1) == .malformed(.cancel, .payload, CBORError(.trailingBytes(1))))
    #expect(refusal(.cancel, head: 1) == .malformed(.cancel, .head, CBORError(.trailingBytes(1))))
    #expect(
      refusal(.dropped, payload: 1, callID: 0) == .malformed(.dropped, .payload, CBORError(.trailingBytes(1)))
    )
  }

  @Test(
    "a head with a key missing, unknown, twice or out of order is refused",
    arguments: [
      ([0xa1, 0x00, 0x02], CBORFault.missingKey("method")),
      ([0xa1, 0x01, 0x02], .missingKey("service")),
      ([0xa2, 0x00, 0x02, 0x00, 0x02], .duplicateKey),
      ([0xa2, 0x01, 0x02, 0x00, 0x02], .missingKey("service")),
      ([0xa3, 0x00, 0x02, 0x01, 0x01, 0x06, 0x00], .unknownKey("6")),
      ([0xa3, 0x00, 0x02, 0x01, 0x01, 0x04, 0x61, 0x2f], .inconsistent("a path without a verb")),
      ([0xa4, 0x00, 0x02, 0x01, 0x01, 0x05, 0x60, 0x03, 0x60], .unknownKey("3")),
      ([0xa2, 0x00, 0x19, 0x01, 0x00, 0x01, 0x01], .outOfRange),
      ([0xa2, 0x00, 0x02, 0x01, 0x01, 0x00], .trailingBytes(1)),
      ([0xa3, 0x00, 0x02, 0x01, 0x01, 0x02, 0x40], .inconsistent("a trace context of another size")),
      ([0xa7, 0x00, 0x02], .lengthExceedsInput(7)), ([], .truncated), ([0x80], .expected(.map)),
    ] as [([UInt8], CBORFault)])
  func heads(bytes: [UInt8], expected: CBORFault) {
    #expect(fault { try CallHead(bytes.span) } == expected)
  }

  @Test("any head with a byte changed gives a head or an error, and one head has one encoding")
  func headMutations() throws {
    var generator = SeededGenerator(state: 3)
    var writer = CBORWriter()
    try CallHead(
      service: 10, method: 1, trace: trace, route: CallRoute(verb: "GET", path: "/a"), source: "com.example.a"
    ).encode(into: &writer)
    for _ in 0..<5000 {
      var bytes = writer.bytes
      bytes[.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
      guard let head = try? CallHead(bytes.span) else { continue }
      var again = CBORWriter()
      try head.encode(into: &again)
      #expect(again.bytes == bytes)
    }
  }

  @Test("the longest head that its parts allow fits a frame")
  func longestHead() throws {
    let head = CallHead(
      service: 255, method: 255, trace: trace,
      route: CallRoute(
        verb: String(repeating: "V", count: ProtocolLimits.verb),
        path: String(repeating: "p", count: ProtocolLimits.path)),
      source: String(repeating: "s", count: ProtocolLimits.source))
    let (null, empty): ([UInt8], [UInt8]) = ([0xf6], [0xa0])
    var queue = OutboundQueue()
    try queue.appendCall(head, payload: null.span, callID: 1, timeoutMilliseconds: 0)
    let event = EventHead(
      type: String(repeating: "t", count: ProtocolLimits.eventType), trace: trace,
      delivery: EventHead.Delivery(
        source: String(repeating: "s", count: ProtocolLimits.source), time: .min, kind: .message))
    try queue.appendEvent(.deliver, event, payload: empty.span)
    let long = String(repeating: "e", count: 5000)
    try queue.appendFailure(.invalidArgument(name: long, reason: long), callID: 1)
    #expect(queue.frameCount == 3)
  }

  @Test("what fits no frame leaves the queue as it was")
  func refused() throws {
    var queue = OutboundQueue(byteLimit: 2 << 20)
    try queue.appendCancel(callID: 1)
    let before = queue.withPendingBytes { Array($0) }
    func error(_ body: (inout OutboundQueue) throws(MessageEncodingError) -> Void) -> MessageEncodingError? {
      do throws(MessageEncodingError) {
        try body(&queue)
        return nil
      } catch { return error }
    }
    let large = [UInt8](repeating: 0, count: 2 << 20)
    let tooLarge = error { (queue) throws(MessageEncodingError) in
      try queue.appendReply(Bytes(large), callID: 1)
    }
    #expect(tooLarge == .tooLarge(.reply, head: 0, payload: FrameHeader.maximumPayload + 1))
    let forwarded = error { (queue) throws(MessageEncodingError) in
      try queue.appendReply(payload: large.span, callID: 1)
    }
    #expect(forwarded == .tooLarge(.reply, head: 0, payload: FrameHeader.maximumPayload + 1))
    let status = error { (queue) throws(MessageEncodingError) in
      try queue.appendReply(APIResponse(status: 7), callID: 1)
    }
    #expect(status == .invalid(.reply, .outOfRange))
    #expect(queue.withPendingBytes { Array($0) } == before)
    let half = [UInt8](repeating: 0, count: 1_000_000)
    try queue.appendReply(Bytes(half), callID: 1)
    try queue.appendReply(Bytes(half), callID: 1)
    let full = error { (queue) throws(MessageEncodingError) in try queue.appendReply(Bytes(half), callID: 1) }
    #expect(full == .full)
    #expect(queue.frameCount == 3)
  }

  @Test("lists, rows and trees are bounded at both ends")
  func limits() throws {
    #expect(fault { try encoded([String](repeating: "", count: 1001)) } == .tooLong(limit: 1000))
    #expect(
      fault { try encoded([SQLStatement](repeating: SQLStatement(""), count: 257)) } == .tooLong(limit: 256))
    #expect(
      fault { try encoded(SQLRows(columns: ["a"], rows: [[]])) } == .inconsistent("a row of another width"))
    var deep = ViewNode.text("")
    for _ in 1..<ViewNode.maximumDepth { deep = .list([deep]) }
    let fits = try encoded(deep)
    _ = try RuntimeMethods.render.response(fits.span)
    try CBORValidator.walk(fits.span)
    #expect(fault { try encoded(ViewNode.list([deep])) } == .tooDeep(limit: 8))
    // The same at the reader: a list around what just fits.
    let deeper = [0x83, 0x02, 0x65] + Array("plain".utf8) + [0x81] + fits
    #expect(fault { try RuntimeMethods.render.response(deeper.span) } == .tooDeep(limit: 8))
    let wide = ViewNode.list([ViewNode](repeating: .text(""), count: ViewNode.maximumNodes))
    #expect(fault { try encoded(wide) } == .tooManyItems(limit: 4096))
    #expect(fault { try encoded(ViewNode.progress(.nan, label: "")) } != nil)
  }

  @Test("an error arrives as the case it was, its texts cut to fit")
  func errors() throws {
    for error in Samples.errors {
      var queue = OutboundQueue()
      try queue.appendFailure(error, callID: 5)
      #expect(try failure(queue) == error)
    }
    var queue = OutboundQueue()
    try queue.appendFailure(.failed(code: "c", message: String(repeating: "é", count: 4000)), callID: 5)
    #expect(
      try failure(queue)
        == .failed(code: "c", message: String(repeating: "é", count: 512)))
    for bytes in [
      [0x80], [0x81, 0x00], [0x81, 0x0c], [0x82, 0x0e, 0x60], [0x82, 0x04, 0x00], [0x81, 0x01], [0xa0], [],
    ]
      as [[UInt8]]
    {
      #expect(fault { try ServiceError.decode(bytes.span) } != nil)
    }
  }

  @Test("access goes by the verb where the service has verbs")
  func access() {
    let method = APIMethods.request.info
    for verb in ["GET", "HEAD", "OPTIONS"] {
      #expect(method.access.resolved(CallRoute(verb: verb, path: "/")) == .read)
    }
    for verb in ["POST", "get", "", "GET "] {
      #expect(method.access.resolved(CallRoute(verb: verb, path: "/")) == .write)
    }
    #expect(StorageMethods.keys.info.access.resolved(nil) == .read)
    #expect(!method.accepts(CallRoute(verb: "GET")))
    #expect(!NetworkingMethods.data.info.accepts(CallRoute(verb: "GET", path: "/")))
    #expect(!StorageMethods.set.info.accepts(CallRoute(verb: "GET")))
  }
}

@Suite("Events")
struct EventFrameTests {
  @Test("an event has one encoding, and its payload goes through as it was published")
  func forwarded() throws {
    var published = OutboundQueue()
    try published.appendPublish(EventHead(type: "a.b", trace: trace), payload: ["k": "v", "a": "1"])
    let publish = try first(published)
    let head = try EventHead(publish.head.span, of: .publish)
    #expect(head == EventHead(type: "a.b", trace: trace))
    try EventPayload.validate(publish.payload.span)
    var delivered = OutboundQueue()
    let delivery = EventHead.Delivery(source: nil, time: -5, kind: .message)
    try delivered.appendEvent(
      .deliver, EventHead(type: head.type, trace: head.trace, delivery: delivery),
      payload: publish.payload.span)
    let deliver = try first(delivered)
    #expect(deliver.payload == publish.payload)
    #expect(try EventHead(deliver.head.span, of: .deliver).delivery == delivery)
    #expect(try EventPayload.decode(deliver.payload.span) == ["k": "v", "a": "1"])
    // To the next subscriber go the very bytes.
    var next = OutboundQueue()
    let bytes = delivered.withPendingBytes { Array($0) }
    try next.append(encodedFrame: bytes.span)
    #expect(next.withPendingBytes { Array($0) } == bytes)
    #expect(next.frameCount == 1)
  }

  @Test("a module that says whose its event is breaks the protocol")
  func forgedSource() {
    let bytes: [UInt8] = [0xa2, 0x00, 0x61, 0x74, 0x01, 0x61, 0x73]
    #expect(fault { try EventHead(bytes.span, of: .publish) } == .unknownKey("1"))
    #expect(fault { try EventHead(bytes.span, of: .deliver) } == .missingKey("time"))
  }

  @Test(
    "a payload is text by text, without the framework's own keys",
    arguments: [
      ([0xa1, 0x61, 0x6b, 0x01], CBORFault.expected(.text)),
      ([0xa1, 0x01, 0x61, 0x6b], .expected(.text)),
      ([0xa2, 0x61, 0x6b, 0x60, 0x61, 0x6a, 0x60], .keysOutOfOrder),
      ([0xa0, 0x00], .trailingBytes(1)), ([0xf6], .expected(.map)),
      ([0xa1, 0x61, 0x6b, 0x61, 0xff], .invalidUTF8),
      ([0xa1, 0x6b] + Array("_forsetti.x".utf8) + [0x60], .reservedKey("_forsetti.x")),
    ] as [([UInt8], CBORFault)])
  func payloads(bytes: [UInt8], expected: CBORFault) {
    #expect(fault { try EventPayload.validate(bytes.span) } == expected)
    #expect(fault { try EventPayload.decode(bytes.span) } == expected)
  }

  private func forwarded(_ bytes: [UInt8]) throws -> ForwardedMessage { try ForwardedMessage(bytes.span) }

  @Test("a message's payload lies within its call's, and is checked there")
  func messages() throws {
    let request = MessageRequest(target: "b", type: "t", payload: ["k": "v"])
    let bytes = try encoded(request)
    let message = try forwarded(bytes)
    #expect(message.target == "b" && message.type == "t")
    #expect(try EventPayload.decode(bytes.span.extracting(message.payload)) == request.payload)
    #expect(fault { try forwarded(bytes + [0]) } == .trailingBytes(1))
    #expect(fault { try forwarded(bytes.dropLast()) } != nil)
  }

  private func dropped(_ head: [UInt8]) throws -> Int { try DroppedNotice.decode(head.span) }

  @Test("how many were dropped is at least one")
  func dropped() throws {
    var queue = OutboundQueue()
    try queue.appendDropped(count: 0)
    let head = try first(queue).head
    #expect(try DroppedNotice.decode(head.span) == 1)
    #expect(fault { try dropped([0xa1, 0x00, 0x00]) } == .outOfRange)
    #expect(fault { try dropped([0xa0]) } == .missingKey("count"))
  }
}
