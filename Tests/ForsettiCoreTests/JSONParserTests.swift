import ForsettiCore
import Testing

@Suite("JSON reader")
struct JSONParserTests {
  static func fault(_ text: String, limits: JSONLimits = .manifest) -> JSONFault? {
    fault(Array(text.utf8), limits: limits)
  }

  static func fault(_ bytes: [UInt8], limits: JSONLimits = .manifest) -> JSONFault? {
    do throws(JSONFault) {
      _ = try JSONParser.parse(bytes, limits: limits)
      return nil
    } catch {
      return error
    }
  }

  static func root(_ text: String) throws -> JSONValue {
    try JSONParser.parse(Array(text.utf8)).root
  }

  @Test("reads every kind of value and keeps the order of members")
  func kinds() throws {
    let root = try Self.root(#" { "b" : [ null , true , false , "x" , -1.5 ] , "a" : { } } "#)
    #expect(root.members?.map(\.key) == ["b", "a"])
    #expect(
      root["b"]?.elements?.map(\.kindName) == ["null", "a boolean", "a boolean", "a string", "a number"])
    #expect(root["a"]?.members?.isEmpty == true)
    #expect(root["b"]?.elements?.last?.doubleValue == -1.5)
  }

  @Test(
    "integral numbers are integers however they are written",
    arguments: [
      ("0", 0), ("-0", 0), ("1.0", 1), ("1e2", 100), ("10e-1", 1), ("-12.50e1", -125), ("0e999999999999", 0),
      ("0.000e-5", 0), ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
      ("9007199254740993", 9_007_199_254_740_993), ("100000000000000000000000e-22", 10), ("1E+2", 100),
    ] as [(String, Int64)])
  func integers(text: String, value: Int64) throws {
    #expect(try Self.root(text).integerValue == value)
  }

  @Test(
    "numbers that are not integral, or too large, are none",
    arguments: ["1.5", "1e-1", "9223372036854775808", "1e300", "0.1", "123456789012345678901234567890"])
  func notIntegers(text: String) throws {
    let value = try Self.root(text)
    #expect(value.integerValue == nil)
    #expect(value.doubleValue == Double(text))
  }

  @Test("escapes are undone, surrogate pairs joined")
  func escapes() throws {
    let text = try Self.root(#""\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00\u0000é😀""#).stringValue
    #expect(text == "\"\\/\u{8}\u{C}\n\r\té😀\u{0}é😀")
  }

  @Test("a byte order mark is accepted and told of; offsets count from behind it")
  func byteOrderMark() throws {
    let document = try JSONParser.parse(
      [0xEF, 0xBB, 0xBF] + Array("[\n é".utf8.dropLast(2)) + Array("1]".utf8))
    #expect(document.hadByteOrderMark)
    #expect(document.root.offset == 0)
    let one = try #require(document.root.elements?.first)
    #expect(document.position(of: one.offset) == TextPosition(line: 2, column: 2))
  }

  @Test("columns count Unicode scalars, lines end with LF or CR LF")
  func positions() {
    let fault = Self.fault("{\r\n  \"é😀\": nope}")
    #expect(fault?.line == 2)
    #expect(fault?.column == 9)
    #expect(fault?.pointer == "/é😀")
  }

  @Test("the pointer names the value at fault, with ~ and / escaped")
  func pointers() {
    #expect(Self.fault(#"{"a/b~c": [1, {"x": tru}]}"#)?.pointer == "/a~1b~0c/1/x")
  }

  @Test(
    "what is not JSON is refused",
    arguments: [
      "", "  ", "{", "[", "[1", "[1,", "[1,]", "{\"a\":1,}", "{,}", "{\"a\"}", "{\"a\":}", "{a:1}", "{'a':1}",
      "[1 2]", "1 2", "{} x", "// c\n{}", "{} // c", "[1, /* c */ 2]", "NaN", "Infinity", "-Infinity", "nul",
      "truex", "True", "01", "-01", "-", "1.", ".5", "+1", "1e", "1e+", "0x10", "1e400", "-1e999", "\"a",
      "\"\\x\"", "\"\\u12G4\"", "\"\\u12", "\"\\uD800\"", "\"\\uDC00\"", "\"\\uD800\\u0041\"", "\"\\uD800x\"",
      "\"a\nb\"", "\"a\u{0}b\"", "\"\t\"", "\"\\", "undefined", "]", "}", ",", ":", "\u{FEFF}\u{FEFF}{}",
      "\u{A0}1",
    ])
  func refused(text: String) {
    #expect(Self.fault(text) != nil)
  }

  @Test(
    "invalid UTF-8 is refused: overlong forms, surrogates, cut sequences, bytes above F4",
    arguments: [
      [0x80], [0xC0, 0xAF], [0xC1, 0xBF], [0xE0, 0x80, 0xAF], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80],
      [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0xAF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
      [0xFF],
      [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xC3, 0x28], [0xE2, 0x28, 0xA1], [0xF0, 0x9F, 0x98, 0x28],
    ] as [[UInt8]])
  func invalidUTF8(bytes: [UInt8]) {
    for tail in [[0x22], []] as [[UInt8]] {
      #expect(Self.fault([0x22] + bytes + tail)?.offset == 1 || tail.isEmpty)
      #expect(Self.fault([0x22, 0x5C, 0x6E] + bytes + tail) != nil)
    }
  }

  @Test("UTF-16 is named as such")
  func utf16() {
    #expect(Self.fault([0xFF, 0xFE, 0x7B, 0x00])?.reason.contains("UTF-16") == true)
  }

  @Test(
    "duplicate keys are refused by scalars, in small and in large objects; equivalent scalars are two keys")
  func duplicates() throws {
    #expect(Self.fault(#"{"a":1,"b":2,"a":3}"#)?.pointer == "/a")
    #expect(Self.fault(#"{"a":1,"\u0061":3}"#)?.pointer == "/a")
    let many = (0..<2000).map { "\"k\($0)\":0" }.joined(separator: ",")
    #expect(Self.fault("{\(many)}") == nil)
    #expect(Self.fault("{\(many),\"k7\":1}")?.pointer == "/k7")
    #expect(Self.fault("{\(many),\"k1999\":1}")?.pointer == "/k1999")
    let root = try Self.root("{\"\u{E9}\":1,\"e\u{301}\":2}")
    #expect(root["\u{E9}"]?.integerValue == 1)
    #expect(root["e\u{301}"]?.integerValue == 2)
  }

  @Test("each limit admits its value and refuses one more")
  func limits() {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(Self.fault(nested(32)) == nil)
    #expect(Self.fault(nested(33))?.offset == 32)
    #expect(Self.fault(String(repeating: "{\"a\":", count: 33))?.reason.contains("32") == true)
    let text = String(repeating: "é", count: 2048)
    #expect(Self.fault("[\"\(text)\"]") == nil)
    #expect(Self.fault("[\"\(text)x\"]")?.pointer == "/0")
    #expect(Self.fault("[\"\\n\(text.dropLast())x\"]") == nil)
    #expect(Self.fault("[\"\\n\(text)\"]")?.pointer == "/0")
    #expect(Self.fault("{\"\(text)x\":1}") != nil)
    func ones(_ count: Int) -> String {
      "[" + [String](repeating: "1", count: count).joined(separator: ",") + "]"
    }
    #expect(Self.fault(ones(1024)) == nil)
    #expect(Self.fault(ones(1025))?.reason.contains("1024") == true)
    let limit = JSONLimits.manifest.bytes
    #expect(Self.fault("1" + String(repeating: " ", count: limit - 1)) == nil)
    #expect(Self.fault("1" + String(repeating: " ", count: limit))?.reason.contains("262144") == true)
  }

  @Test("a megabyte of brackets, digits or escapes ends in a fault, not in a trap")
  func absurd() {
    let limits = JSONLimits(bytes: 4 << 20, depth: .max, stringBytes: .max, arrayElements: .max)
    #expect(Self.fault(String(repeating: "[", count: 1 << 20), limits: limits) != nil)
    #expect(Self.fault(String(repeating: "{\"a\":", count: 1 << 18), limits: limits) != nil)
    #expect(
      Self.fault(String(repeating: "9", count: 1 << 20), limits: limits)?.reason == "a number out of range")
    #expect(Self.fault("0." + String(repeating: "1", count: 1 << 20), limits: limits) == nil)
    #expect(Self.fault("1e" + String(repeating: "9", count: 1 << 20), limits: limits) != nil)
    #expect(Self.fault("\"" + String(repeating: "\\u0000", count: 1 << 18), limits: limits) != nil)
  }
}
