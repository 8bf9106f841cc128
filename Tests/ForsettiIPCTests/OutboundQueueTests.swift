import Testing

@testable import ForsettiIPC

extension OutboundQueue {
  fileprivate mutating func append(
    _ header: FrameHeader, _ head: [UInt8], _ payload: [UInt8]
  ) throws(OutboundQueueError) {
    try append(header, head: head.span, payload: payload.span)
  }
}

@Suite("Outbound queue")
struct OutboundQueueTests {
  private let header = FrameHeader(kind: .log, length: 0, headLength: 0, callID: 9)

  private func frame(_ head: [UInt8], _ payload: [UInt8]) -> [UInt8] {
    var header = header
    header.headLength = UInt16(head.count)
    header.length = UInt32(head.count + payload.count)
    var bytes: [UInt8] = []
    header.encode(into: &bytes)
    return bytes + head + payload
  }

  private func bytes(_ queue: borrowing OutboundQueue) -> [UInt8] { queue.withPendingBytes { Array($0) } }

  @Test("all frames that wait are one run of bytes")
  func oneRun() throws {
    var queue = OutboundQueue()
    #expect(queue.pendingBytes == 0)
    try queue.append(header, [1, 2], [3])
    try queue.append(header, [], [])
    #expect(bytes(queue) == frame([1, 2], [3]) + frame([], []))
    #expect(queue.frameCount == 2)
  }

  @Test("the frames of one queue are lent one by one, and go to another all or none")
  func frames() throws {
    var source = OutboundQueue()
    try source.append(header, [1, 2], [3])
    try source.append(header, [], [])
    var lent: [[UInt8]] = []
    source.forEachFrame { frame in lent.append(frame.withUnsafeBufferPointer { Array($0) }) }
    #expect(lent == [frame([1, 2], [3]), frame([], [])])
    var queue = OutboundQueue(byteLimit: 1 << 20, frameLimit: 3)
    try queue.append(header, [9], [])
    try queue.append(framesOf: source)
    #expect(bytes(queue) == frame([9], []) + bytes(source))
    #expect(queue.frameCount == 3 && source.frameCount == 2)
    #expect(throws: OutboundQueueError.full) { try queue.append(framesOf: source) }
    #expect(queue.frameCount == 3)
    var narrow = OutboundQueue(byteLimit: source.pendingBytes - 1)
    #expect(throws: OutboundQueueError.full) { try narrow.append(framesOf: source) }
    #expect(narrow.isEmpty && narrow.frameCount == 0)
    queue.didWrite(queue.pendingBytes)
    #expect(queue.frameCount == 0)
  }

  @Test("a queue written in pieces of any size keeps order and counts whole frames")
  func pieces() throws {
    for step in 1...90 {
      var queue = OutboundQueue()
      var sent: [UInt8] = []
      var expected: [UInt8] = []
      for index in 0..<50 {
        let payload = [UInt8](repeating: UInt8(index), count: index % 7)
        try queue.append(header, [1], payload)
        expected += frame([1], payload)
        let count = min(step, queue.pendingBytes)
        sent += bytes(queue).prefix(count)
        queue.didWrite(count)
      }
      sent += bytes(queue)
      queue.didWrite(queue.pendingBytes)
      #expect(sent == expected)
      #expect(queue.frameCount == 0)
    }
  }

  @Test("a frame counts until its last byte is written")
  func countsWhole() throws {
    var queue = OutboundQueue()
    for _ in 0..<3 { try queue.append(header, [1], [2]) }
    for (written, left) in [(25, 3), (1, 2), (27, 1), (24, 1), (1, 0)] {
      queue.didWrite(written)
      #expect(queue.frameCount == left)
    }
  }

  @Test("bytes are bounded, and room comes back as they are written")
  func byteBound() throws {
    var queue = OutboundQueue(byteLimit: 100)
    try queue.append(header, [], [UInt8](repeating: 0, count: 50))
    #expect(throws: OutboundQueueError.full) {
      try queue.append(header, [], [0, 0, 0])
    }
    #expect(queue.pendingBytes == 74)
    try queue.append(header, [], [0, 0])
    #expect(queue.pendingBytes == 100)
    queue.didWrite(23)
    #expect(throws: OutboundQueueError.full) { try queue.append(header, [], []) }
    queue.didWrite(1)
    try queue.append(header, [], [])
  }

  @Test("frames are bounded by count, for messages too, and nothing of a refused one stays")
  func frameBound() throws {
    var queue = OutboundQueue()
    for _ in 0..<4096 { try queue.append(header, [], []) }
    #expect(throws: OutboundQueueError.full) { try queue.append(header, [], []) }
    #expect(throws: MessageEncodingError.full) { try ProtocolMessage.stop.encode(into: &queue) }
    #expect(queue.pendingBytes == 4096 * 24)
    queue.didWrite(24)
    try ProtocolMessage.stop.encode(into: &queue)
  }

  @Test("a frame larger than any may be is not queued")
  func tooLarge() {
    var queue = OutboundQueue()
    let head = [UInt8](repeating: 0, count: 4097)
    let payload = [UInt8](repeating: 0, count: 1_048_577)
    #expect(throws: OutboundQueueError.frameTooLarge(head: 4097, payload: 0)) {
      try queue.append(header, head, [])
    }
    #expect(throws: OutboundQueueError.frameTooLarge(head: 0, payload: 1_048_577)) {
      try queue.append(header, [], payload)
    }
    let isEmpty = queue.isEmpty
    #expect(isEmpty)
  }

  @Test("memory stays bounded however long a full queue is written in small pieces")
  func boundedMemory() throws {
    var queue = OutboundQueue(byteLimit: 1 << 18)
    let payload = [UInt8](repeating: 0, count: 1000)
    var highest = 0
    for _ in 0..<20_000 {
      do { try queue.append(header, [], payload) } catch { queue.didWrite(700) }
      highest = max(highest, queue.capacity)
    }
    #expect(highest <= 2 * (1 << 18) + FrameHeader.size + FrameHeader.maximumBody)
    #expect(queue.pendingBytes <= 1 << 18)
  }

  @Test("memory of a burst is given up after a small run, and not taken again for a frame")
  func givesMemoryBack() throws {
    var queue = OutboundQueue()
    let payload = [UInt8](repeating: 0, count: 1 << 20)
    try queue.append(header, [], payload)
    queue.didWrite(queue.pendingBytes)
    #expect(queue.capacity >= 1 << 20)
    try queue.append(header, [], [])
    queue.didWrite(24)
    #expect(queue.capacity == 0)
    try queue.append(header, [], [])
    let capacity = queue.capacity
    for _ in 0..<100 {
      queue.didWrite(queue.pendingBytes)
      try queue.append(header, [], [])
    }
    #expect(queue.capacity == capacity)
  }

  @Test("a queue dropped is empty and usable")
  func removeAll() throws {
    var queue = OutboundQueue()
    for _ in 0..<3 { try queue.append(header, [1], [2]) }
    queue.didWrite(30)
    queue.removeAll()
    #expect(queue.pendingBytes == 0)
    #expect(queue.frameCount == 0)
    try queue.append(header, [1], [2])
    #expect(bytes(queue) == frame([1], [2]))
  }
}
