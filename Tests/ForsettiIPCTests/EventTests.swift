import ForsettiCore
import Testing

@testable import ForsettiIPC

private func encoded(_ members: [(String, String)]) throws -> [UInt8] {
  var writer = CBORWriter()
  writer.map(count: members.count)
  for (key, value) in members {
    try writer.text(key)
    try writer.text(value)
  }
  return writer.bytes
}

/// A payload that was checked, as a module reads it.
private struct Checked {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) throws(CBORError) {
    try EventPayload.validate(bytes.span)
    self.bytes = bytes
  }

  var count: Int { EventPayload.count(bytes.span) }
  subscript(key: String) -> String? { EventPayload.text(key, in: bytes.span) }
  var dictionary: [String: String] { (try? EventPayload.decode(bytes.span)) ?? [:] }
}

private func head(_ bytes: [UInt8]) throws(CBORError) -> DeliverHead { try DeliverHead(bytes.span) }

private func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  left.span.bytes.isEqual(to: right.span.bytes)
}

/// Reads a head as one that begins as another, if it does, and if that has a beginning to share.
private func head(_ bytes: [UInt8], as known: [UInt8]) throws -> DeliverHead? {
  guard let origin = DeliverHead.Origin(try head(known), known.span) else { return nil }
  return try origin.head(bytes.span)
}

@Suite("Events where they lie")
struct EventTests {
  /// One key in two spellings that Swift holds equal, each a key of its own in bytes.
  private static let equivalents = [("\u{e9}", "first"), ("e\u{301}", "second")]

  @Test("a text is found by its whole key, and the others are left alone")
  func lookup() throws {
    let texts = try Checked(encoded([("a", "1"), ("k", ""), ("kk", "\u{1F600}"), ("a longer key", "4")]))
    #expect(texts.count == 4)
    #expect(["a", "k", "kk", "a longer key"].map { texts[$0] } == ["1", "", "\u{1F600}", "4"])
    #expect(["", "b", "kkk", "a longer kex", "A"].allSatisfy { texts[$0] == nil })
    #expect(texts.dictionary == ["a": "1", "k": "", "kk": "\u{1F600}", "a longer key": "4"])
    let none = try Checked([0xa0])
    #expect(none.count == 0 && none["a"] == nil && none.dictionary.isEmpty)
  }

  @Test("what is no payload of an event is refused before anybody looks into it")
  func refused() throws {
    let good = try encoded([("k", "v"), ("kk", "vv")])
    for end in 0..<good.count {
      #expect(throws: CBORError.self) { try Checked(Array(good[..<end])) }
    }
    for index in good.indices {
      for byte in UInt8.min...UInt8.max {
        var spoiled = good
        spoiled[index] = byte
        // Nor is one looked into that was not checked: that finds something or nothing, and does not trap.
        _ = EventPayload.text("kk", in: spoiled.span)
        guard let texts = try? Checked(spoiled) else { continue }
        // What is taken is whole.
        #expect(texts.dictionary.count == texts.count)
        #expect(texts.dictionary.allSatisfy { texts[$0.key] == $0.value })
      }
    }
  }

  @Test("two spellings of one key are an event like any other, in which the first stays")
  func equivalentKeys() throws {
    let bytes = try encoded(Self.equivalents)
    try EventPayload.validate(bytes.span)
    #expect(try EventPayload.decode(bytes.span) == ["\u{e9}": "first"])
    let texts = try Checked(bytes)
    #expect(texts.count == 2)
    #expect(texts["\u{e9}"] == "first" && texts["e\u{301}"] == "second")
    #expect(texts.dictionary == ["\u{e9}": "first"])
  }

  @Test("a head where it lies says what the head as a value says")
  func heads() throws {
    let trace = TraceContext(traceHigh: 1, traceLow: 2, spanID: 3)
    for (source, trace) in [(nil, nil), ("com.example.a", nil), ("com.example.a", trace), (nil, trace)] {
      for kind in EventKind.allCases {
        let delivery = EventHead.Delivery(source: source, time: -7, kind: kind)
        var writer = CBORWriter()
        try EventHead(type: "com.example.t", trace: trace, delivery: delivery).encode(into: &writer)
        let found = try head(writer.bytes)
        #expect(Array(writer.bytes[found.type]) == Array("com.example.t".utf8))
        #expect(found.source.map { Array(writer.bytes[$0]) } == source.map { Array($0.utf8) })
        #expect(found.time == -7 && found.kind == kind && found.trace == trace)
      }
    }
  }

  @Test(
    "a head that breaks a rule is refused",
    arguments: [
      ([0xa1, 0x00, 0x61, 0x74], CBORFault.missingKey("time")),
      ([0xa2, 0x00, 0x61, 0x74, 0x02, 0x00], .missingKey("kind")),
      ([0xa3, 0x00, 0x61, 0x74, 0x02, 0x00, 0x03, 0x02], .outOfRange),
      ([0xa3, 0x00, 0x61, 0xff, 0x02, 0x00, 0x03, 0x00], .invalidUTF8),
      ([0xa4, 0x00, 0x61, 0x74, 0x01, 0x61, 0xff, 0x02, 0x00, 0x03, 0x00], .invalidUTF8),
      ([0xa4, 0x00, 0x61, 0x74, 0x02, 0x00, 0x03, 0x00, 0x05, 0x00], .unknownKey("5")),
      ([0xa3, 0x00, 0x61, 0x74, 0x02, 0x00, 0x03, 0x00, 0x00], .trailingBytes(1)),
    ] as [([UInt8], CBORFault)])
  func badHeads(bytes: [UInt8], expected: CBORFault) {
    let error = #expect(throws: CBORError.self) { try head(bytes) }
    #expect(error?.fault == expected)
    #expect(throws: CBORError.self) { try EventHead(bytes.span, of: .deliver) }
  }

  private func encodedHead(
    _ type: String, from source: String?, time: Int64 = 7, kind: EventKind = .event,
    trace: TraceContext? = nil
  ) throws -> [UInt8] {
    var writer = CBORWriter()
    let delivery = EventHead.Delivery(source: source, time: time, kind: kind)
    try EventHead(type: type, trace: trace, delivery: delivery).encode(into: &writer)
    return writer.bytes
  }

  @Test("a head that begins as the one before says what it says when all of it is read")
  func sameOrigin() throws {
    let trace = TraceContext(traceHigh: 1, traceLow: 2, spanID: 3)
    let known = try encodedHead("a.b", from: "c.d", trace: trace)
    for time in [Int64.min, -1, 0, 23, 1 << 40, .max] {
      for kind in EventKind.allCases {
        let bytes = try encodedHead("a.b", from: "c.d", time: time, kind: kind, trace: trace)
        #expect(try head(bytes, as: known) == head(bytes))
      }
    }
    let isElse = try [
      encodedHead("a.c", from: "c.d", trace: trace), encodedHead("a.b", from: "c.e", trace: trace),
      encodedHead("a.b", from: "c.dd", trace: trace), encodedHead("a.b", from: nil, trace: trace),
      encodedHead("a.b", from: "c.d"), [],
    ]
    for bytes in isElse { #expect(try head(bytes, as: known) == nil) }
    let ofRuntime = try encodedHead("a.b", from: nil)
    #expect(try head(ofRuntime, as: ofRuntime) == nil)
  }

  @Test("what comes behind a known beginning is refused as in any head, whatever byte is wrong")
  func spoiledBehindOrigin() throws {
    let trace = TraceContext(traceHigh: 1, traceLow: 2, spanID: 3)
    let good = try encodedHead("a.b", from: "c.d", trace: trace)
    var spoiled = (0..<good.count).map { Array(good[..<$0]) } + [good + [0]]
    for index in good.indices {
      for byte in UInt8.min...UInt8.max {
        var bytes = good
        bytes[index] = byte
        spoiled.append(bytes)
      }
    }
    for bytes in spoiled {
      do {
        guard let short = try head(bytes, as: good) else { continue }
        #expect(try head(bytes) == short)
      } catch {
        let whole = #expect(throws: CBORError.self) { try head(bytes) }
        #expect(whole == error as? CBORError)
      }
    }
  }

  @Test("bytes are equal where every one of them is")
  func equalBytes() {
    for count in 0...20 {
      let bytes = (0..<count).map(UInt8.init)
      #expect(isEqual(bytes, bytes) && !isEqual(bytes, bytes + [0]) && !isEqual(bytes + [0], bytes))
      for index in bytes.indices {
        var other = bytes
        other[index] ^= 0x80
        #expect(!isEqual(bytes, other))
      }
    }
  }
}
