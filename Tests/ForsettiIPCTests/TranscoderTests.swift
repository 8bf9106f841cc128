import ForsettiCore
import Testing

@testable import ForsettiIPC

@Suite("Items that are passed on as text")
struct TranscoderTests {
  private static func text(_ bytes: [UInt8], limit: Int = 100) throws(CBORError) -> String {
    var output: [UInt8] = []
    try CBORTranscoder.json(bytes.span, maximumItems: limit, into: &output)
    return String(decoding: output, as: UTF8.self)
  }

  static let values: [CBORValue] = [
    .null, .bool(true), .bool(false), .unsigned(0), .unsigned(24), .unsigned(.max), .negative(0),
    .negative(UInt64(Int64.max)), .float(0.5), .float(-1), .float(1e300), .float(2), .text(""), .text("a b"),
    .text("\"\\\n\u{7}\u{202E}é😀"), .array([]), .array([.null, .array([.unsigned(1), .text("b")])]), .map([]),
    .map([
      CBORMember(.text("longer key"), .map([CBORMember(.text("é\n"), .null)])),
      CBORMember(.text("b"), .unsigned(7)), CBORMember(.text("a"), .array([.bool(false)])),
    ]),
  ]

  @Test("are what they are as values, written down", arguments: values)
  func same(value: CBORValue) throws {
    let bytes = try value.encoded()
    // Members come in the order of their encoded keys.
    let read = try CBORValue.decode(bytes.span)
    #expect(try Self.text(bytes) == JSONWriter.text(JSONValue(control: read)))
  }

  @Test("what JSON cannot say is refused, and so is what is no item")
  func refused() throws {
    for value in [CBORValue.bytes([1]), .negative(.max), .map([CBORMember(.unsigned(1), .null)])] {
      #expect(throws: CBORError.self) { try Self.text(value.encoded()) }
      #expect(throws: ControlValueError.self) { try JSONValue(control: value) }
    }
    #expect(throws: CBORError(.trailingBytes(1), at: 1)) { try Self.text([0x00, 0x00]) }
    #expect(throws: CBORError(.truncated, at: 0)) { try Self.text([]) }
    #expect(throws: CBORError(.invalidUTF8, at: 0)) { try Self.text([0x61, 0xff]) }
    #expect(throws: CBORError(.duplicateKey, at: 4)) {
      try Self.text([0xa2, 0x61, 0x61, 0x00, 0x61, 0x61, 0x00])
    }
    #expect(throws: CBORError(.unsupportedTag(0), at: 0)) { try Self.text([0xc0, 0x00]) }
    let deep = [UInt8](repeating: 0x81, count: 33) + [0x00]
    #expect(throws: CBORError(.tooDeep(limit: 32), at: 32)) { try Self.text(deep) }
  }

  @Test("no more of them than are allowed, keys among them, as of values")
  func bounded() throws {
    let value = CBORValue.map([CBORMember(.text("a"), .array([.null, .null]))])
    let bytes = try value.encoded()
    #expect(try Self.text(bytes, limit: 5) == #"{"a":[null,null]}"#)
    #expect(throws: CBORError.self) { try Self.text(bytes, limit: 4) }
    #expect(throws: CBORError.self) { try CBORValue.decode(bytes.span, maximumItems: 4) }
  }

  @Test("stand in one array, while what is no item is read as ever")
  func frames() throws {
    var queue = OutboundQueue()
    try ControlMessage.encodeItem(CBORValue.text("a").encoded(), into: &queue, callID: 2)
    try ControlMessage.item(.unsigned(1)).encode(into: &queue, callID: 2)
    try ControlMessage.reply(.bool(true)).encode(into: &queue, callID: 2)
    var decoder = FrameDecoder()
    let bytes = queue.withPendingBytes { Array($0) }
    _ = decoder.withWritableBuffer(minimum: bytes.count) { $0.copyBytes(from: bytes) }
    decoder.didRead(bytes.count)
    var text = ControlItemText()
    for expected: ControlMessage in [.item(.null), .item(.null), .reply(.bool(true))] {
      guard let (message, callID) = try decoder.nextControlMessage(itemLimit: 10, addingItemsTo: &text)
      else {
        Issue.record("no frame")
        return
      }
      #expect(message == expected && callID == 2)
    }
    #expect(String(decoding: text.bytes, as: UTF8.self) == #""a",1"#)
  }

  private struct Sample: ControlRecord {
    var name = "n"
    var a = 1
    var list = [1.5]
    var longest: Int?

    mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
      try members("name", &name)
      try members("longest", &longest)
      try members("a", &a)
      try members("list", &list)
    }
  }

  private struct Twice: ControlRecord {
    var a = 1

    mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
      try members("a", &a)
      try members("a", &a)
    }
  }

  @Test("a record is encoded as its value is")
  func records() throws {
    #expect(try Sample().encoded() == Sample().control.encoded())
    #expect(try NoValue().encoded() == CBORValue.map([]).encoded())
    #expect(throws: CBORError(.duplicateKey)) { try Twice().encoded() }
  }
}
