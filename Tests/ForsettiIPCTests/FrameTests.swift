import Testing

@testable import ForsettiIPC

/// A frame copied out of the decoder.
private struct Copied: Equatable {
  var header: FrameHeader
  var head: [UInt8]
  var payload: [UInt8]
}

extension FrameDecoder {
  fileprivate mutating func copyAll() throws(FrameError) -> [Copied] {
    var result: [Copied] = []
    while let frame = try next() {
      result.append(
        Copied(
          header: frame.header, head: frame.head.withUnsafeBufferPointer { Array($0) },
          payload: frame.payload.withUnsafeBufferPointer { Array($0) }))
    }
    return result
  }

  /// The error that taking the next frame throws.
  fileprivate mutating func fault() -> FrameError? {
    do {
      while try next() != nil {}
      return nil
    } catch {
      return error
    }
  }

  /// Whether a frame comes out.
  fileprivate mutating func hasNext() throws(FrameError) -> Bool { try next() != nil }
}

private func frame(head: Int, payload: Int, fill: UInt8 = 7, callID: UInt64 = 0) -> Copied {
  var body = [UInt8](repeating: fill &+ 1, count: payload)
  for index in stride(from: 0, to: payload, by: 997) { body[index] = UInt8(truncatingIfNeeded: index) }
  return Copied(
    header: FrameHeader(
      kind: .publish, length: UInt32(head + payload), headLength: UInt16(head), callID: callID,
      timeoutMilliseconds: 250),
    head: [UInt8](repeating: fill, count: head),
    payload: body)
}

private func bytes(_ frame: Copied) -> [UInt8] {
  var bytes: [UInt8] = []
  frame.header.encode(into: &bytes)
  return bytes + frame.head + frame.payload
}

@Suite("Frames")
struct FrameTests {
  private let stream = [
    frame(head: 0, payload: 0), frame(head: 3, payload: 0, callID: .max), frame(head: 0, payload: 5),
    frame(head: 40, payload: 100), frame(head: 1, payload: 1),
  ]

  @Test("a header is these 24 bytes")
  func header() throws {
    let header = FrameHeader(
      kind: .publish, length: 0x000f_0201, headLength: 0x0403, callID: 0x0c0b_0a09_0807_0605,
      timeoutMilliseconds: 0x100f_0e0d)
    var encoded: [UInt8] = []
    header.encode(into: &encoded)
    #expect(hex(encoded) == "01020f001e00030405060708090a0b0c0d0e0f1000000000")
    #expect(try FrameHeader.decode(encoded.span) == header)
  }

  @Test(
    "each field of a header is checked",
    arguments: [
      (4, [0], FrameError.unknownKind(0)),
      (4, [255], .unknownKind(255)),
      (5, [1], .unknownFlags(1)),
      (5, [0x80], .unknownFlags(0x80)),
      (0, [0x01, 0x10, 0x10, 0x00], .bodyTooLong(1_052_673)),
      (0, [0xff, 0xff, 0xff, 0xff], .bodyTooLong(.max)),
      (0, [0x00, 0x20, 0x00, 0x00, 30, 0, 0x01, 0x10], .headTooLong(4097)),
      (0, [0x02, 0x00, 0x00, 0x00, 30, 0, 0x03, 0x00], .headExceedsBody(head: 3, body: 2)),
      (0, [0x00, 0x10, 0x10, 0x00, 30, 0, 0xff, 0x0f], .payloadTooLong(1_048_577)),
      (20, [1], .reservedNotZero(1)),
      (23, [0x80], .reservedNotZero(0x8000_0000)),
    ] as [(Int, [UInt8], FrameError)])
  func headerFaults(offset: Int, patch: [UInt8], error: FrameError) {
    var encoded: [UInt8] = []
    FrameHeader(kind: .log, length: 0, headLength: 0).encode(into: &encoded)
    encoded.replaceSubrange(offset..<(offset + patch.count), with: patch)
    var decoder = FrameDecoder()
    decoder.feed(encoded)
    #expect(decoder.fault() == error)
  }

  @Test("a whole stream fed at once yields its frames")
  func whole() throws {
    var decoder = FrameDecoder()
    decoder.feed(stream.flatMap(bytes))
    #expect(try decoder.copyAll() == stream)
    try decoder.finish()
  }

  @Test("a stream fed byte by byte yields each frame with its last byte")
  func byteByByte() throws {
    var decoder = FrameDecoder()
    var frames: [Copied] = []
    for frame in stream {
      let bytes = bytes(frame)
      for (index, byte) in bytes.enumerated() {
        decoder.feed([byte])
        let complete = try decoder.copyAll()
        #expect(complete.isEmpty == (index < bytes.count - 1))
        frames += complete
      }
    }
    #expect(frames == stream)
  }

  @Test("a stream cut in two at any place yields its frames")
  func everyCut() throws {
    let all = stream.flatMap(bytes)
    for cut in 0...all.count {
      var decoder = FrameDecoder()
      decoder.feed(Array(all[..<cut]))
      var frames = try decoder.copyAll()
      decoder.feed(Array(all[cut...]))
      frames += try decoder.copyAll()
      #expect(frames == stream, "cut at \(cut)")
    }
  }

  @Test("bodies of the largest size arrive whole in reads of any size, and the buffer shrinks after them")
  func largeBodies() throws {
    let large = frame(head: 4096, payload: 1 << 20)
    let small = frame(head: 1, payload: 1)
    var decoder = FrameDecoder()
    for chunk in [32_768, 4096, 10_007] {
      let all = bytes(large) + bytes(small)
      var frames: [Copied] = []
      for start in stride(from: 0, to: all.count, by: chunk) {
        try decoder.feed(Array(all[start..<min(start + chunk, all.count)])) { (decoder) throws(FrameError) in
          frames += try decoder.copyAll()
        }
      }
      let isRight = frames == [large, small]
      #expect(isRight, "in reads of \(chunk)")
      #expect(decoder.capacity <= FrameDecoder.maximumCapacity)
    }
    for _ in 0...FrameDecoder.readsBeforeShrinking {
      decoder.feed(bytes(small))
      #expect(try decoder.copyAll() == [small])
    }
    #expect(decoder.capacity == FrameDecoder.steadyCapacity)
  }

  @Test("no memory is taken for a body before its header has arrived and been checked")
  func noEarlyMemory() {
    var decoder = FrameDecoder()
    #expect(decoder.capacity == 0)
    var header: [UInt8] = []
    FrameHeader(kind: .log, length: .max, headLength: 0).encode(into: &header)
    decoder.feed(Array(header.dropLast()))
    #expect(decoder.fault() == nil)
    decoder.feed([0])
    #expect(decoder.fault() == .bodyTooLong(.max))
    #expect(decoder.capacity == FrameDecoder.firstCapacity)
  }

  @Test("frames left untaken fill a bounded buffer, which then lends no more room")
  func undrained() throws {
    let frame = bytes(frame(head: 0, payload: 60_000))
    var decoder = FrameDecoder()
    var fed = 0
    while true {
      let count = decoder.withWritableBuffer { buffer in
        let count = min(buffer.count, frame.count - fed % frame.count)
        buffer.copyBytes(from: frame[(fed % frame.count)...].prefix(count))
        return count
      }
      guard let count else { break }
      decoder.didRead(count)
      fed += count
      try #require(fed <= FrameDecoder.steadyCapacity)
    }
    #expect(fed == FrameDecoder.steadyCapacity)
    #expect(try decoder.copyAll().count == fed / frame.count)
    let room = decoder.withWritableBuffer { $0.count }
    #expect(room != nil)
  }

  @Test("after an error the decoder throws it for ever and drops what it is fed")
  func poisoned() throws {
    var decoder = FrameDecoder()
    decoder.feed(bytes(stream[3]) + [UInt8](repeating: 0, count: 24))
    #expect(try decoder.hasNext())
    for _ in 0..<3 {
      #expect(decoder.fault() == .unknownKind(0))
      decoder.feed(bytes(stream[3]))
      #expect(decoder.bufferedBytes == 0)
    }
    #expect(throws: FrameError.unknownKind(0)) { try decoder.finish() }
  }

  @Test("a stream that ends inside a frame is truncated, at its edge it is not")
  func truncated() throws {
    var decoder = FrameDecoder()
    try decoder.finish()
    decoder.feed(bytes(stream[3]) + [1, 2, 3])
    #expect(try decoder.hasNext())
    #expect(throws: FrameError.truncated(3)) { try decoder.finish() }
  }

  @Test("reads that brought nothing change nothing")
  func emptyReads() throws {
    var decoder = FrameDecoder()
    for result in [0, -1] {
      let room = decoder.withWritableBuffer { $0.count }
      #expect(room == FrameDecoder.firstCapacity)
      decoder.didRead(result)
    }
    #expect(decoder.bufferedBytes == 0)
  }

  @Test("a read is lent as much room as it asks for")
  func minimum() {
    var decoder = FrameDecoder()
    for minimum in [1, 5000, 30_000, 32_768] {
      let room = decoder.withWritableBuffer(minimum: minimum) { $0.count }
      #expect((room ?? 0) >= minimum)
    }
  }
}
