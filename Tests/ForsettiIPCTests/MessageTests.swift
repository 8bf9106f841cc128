import ForsettiCore
import Testing

@testable import ForsettiIPC

@Suite("Messages")
struct MessageTests {
  @Test("the samples cover every kind of message")
  func coverage() {
    #expect(Set(Samples.messages.map(\.kind)) == Set(FrameKind.allCases.filter { !$0.isTraffic }))
  }

  @Test(
    "every message survives the wire, and its parts are deterministic CBOR",
    arguments: Samples.messages.indices)
  func roundTrip(index: Int) throws {
    let message = Samples.messages[index]
    let bytes = try message.encoded()
    var decoder = FrameDecoder()
    decoder.feed(bytes)
    var decoded: ProtocolMessage?
    while let frame = try decoder.next() {
      decoded = try ProtocolMessage.decode(frame)
      if frame.head.count > 0 { try CBORValidator.walk(frame.head) }
      if frame.payload.count > 0 { try CBORValidator.walk(frame.payload) }
    }
    #expect(decoded?.kind == message.kind)
    #expect(decoded == message)
    try decoder.finish()
  }

  @Test("a message queued is the message encoded", arguments: Samples.messages.indices)
  func queued(index: Int) throws {
    let message = Samples.messages[index]
    var queue = OutboundQueue()
    try message.encode(into: &queue)
    let bytes = try message.encoded()
    #expect(queue.withPendingBytes { Array($0) } == bytes)
    #expect(queue.frameCount == 1)
  }
}

extension FrameDecoder {
  /// The next complete frame as a message; `nil` until more is fed.
  mutating func nextMessage() throws -> ProtocolMessage? {
    guard let frame = try next() else { return nil }
    return try ProtocolMessage.decode(frame)
  }

  /// Feeds bytes as reads of as much as the decoder has room for.
  mutating func feed(_ bytes: [UInt8]) { feed(bytes) { _ in } }

  /// The same; `drain` is called after each read.
  mutating func feed<Failure: Error>(
    _ bytes: [UInt8], drain: (inout FrameDecoder) throws(Failure) -> Void
  ) throws(Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = withWritableBuffer { buffer in
        let count = min(buffer.count, rest.count)
        buffer.copyBytes(from: rest.prefix(count))
        return count
      }
      guard let count else {
        Issue.record("no room")
        return
      }
      didRead(count)
      rest = rest.dropFirst(count)
      try drain(&self)
    }
  }
}
