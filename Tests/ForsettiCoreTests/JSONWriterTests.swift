import ForsettiCore
import Testing

@Suite("JSON writers")
struct JSONWriterTests {
  @Test("compact text has no white space, pretty text two spaces a level")
  func styles() {
    let value = JSONValue.object([
      ("a", .array([.integer(1), .bool(true), .null])), ("e", .object([])), ("s", .string("x")),
    ])
    #expect(JSONWriter.text(value) == #"{"a":[1,true,null],"e":{},"s":"x"}"#)
    #expect(
      JSONWriter.text(value, style: .pretty) == """
        {
          "a": [
            1,
            true,
            null
          ],
          "e": {},
          "s": "x"
        }
        """)
  }

  @Test("texts are escaped so that they read back the same and move no terminal")
  func escaping() throws {
    let text = "\"\\\n\r\t\u{8}\u{C}\u{1B}[31m\u{7F}\u{9B}\u{202E}\u{2028}é😀"
    let written = JSONWriter.text(.string(text))
    #expect(written == #""\"\\\n\r\t\b\f\u001b[31m\u007f\u009b\u202e\u2028é😀""#)
    #expect(try JSONParser.parse(Array(written.utf8)).root.stringValue == text)
  }

  @Test("integers keep all their digits, numbers without a JSON form become null")
  func numbers() {
    #expect(JSONWriter.text(.integer(Int64.max)) == "9223372036854775807")
    #expect(JSONWriter.text(.number(0.5)) == "0.5")
    #expect(JSONWriter.text(.number(.nan)) == "null")
    #expect(JSONWriter.text(.integer(UInt64.max)) == "18446744073709551615")
  }

  /// RFC 8785 Appendix B: IEEE 754 bits and their text.
  static let numberSamples: [(UInt64, String)] = [
    (0x0000_0000_0000_0000, "0"), (0x8000_0000_0000_0000, "0"), (0x0000_0000_0000_0001, "5e-324"),
    (0x8000_0000_0000_0001, "-5e-324"), (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
    (0xffef_ffff_ffff_ffff, "-1.7976931348623157e+308"), (0x4340_0000_0000_0000, "9007199254740992"),
    (0xc340_0000_0000_0000, "-9007199254740992"), (0x4430_0000_0000_0000, "295147905179352830000"),
    (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"), (0x44b5_2d02_c7e1_4af6, "1e+23"),
    (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"), (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
    (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"), (0x444b_1ae4_d6e2_ef50, "1e+21"),
    (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"), (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
    (0x41b3_de43_5555_5553, "333333333.3333332"), (0x41b3_de43_5555_5554, "333333333.33333325"),
    (0x41b3_de43_5555_5555, "333333333.3333333"), (0x41b3_de43_5555_5556, "333333333.3333334"),
    (0x41b3_de43_5555_5557, "333333333.33333343"), (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
    (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
  ]

  @Test("canonical numbers are those of RFC 8785 Appendix B", arguments: numberSamples)
  func canonicalNumbers(bits: UInt64, text: String) {
    let value = JSONValue.number(Double(bitPattern: bits))
    #expect(String(decoding: JSONCanonical.encode(value), as: UTF8.self) == text)
  }

  @Test("the example of RFC 8785 §3.2.2 has the canonical form the RFC prints")
  func canonicalExample() throws {
    let input = #"""
      {
        "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
        "literals": [null, true, false]
      }
      """#
    let expected =
      #"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"#
      + #""string":"€$\u000f\nA'B\"\\\\\"/"}"#
    let root = try JSONParser.parse(Array(input.utf8)).root
    #expect(String(decoding: JSONCanonical.encode(root), as: UTF8.self) == expected)
  }

  @Test("keys are sorted by UTF-16 code units, as in RFC 8785 §3.2.3")
  func canonicalOrder() throws {
    let input = #"""
      {"\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
       "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control",
       "\u00f6": "Latin Small Letter O With Diaeresis"}
      """#
    let root = try JSONParser.parse(Array(input.utf8)).root
    let again = try JSONParser.parse(JSONCanonical.encode(root)).root
    #expect(
      again.members?.map { $0.value.stringValue ?? "" } == [
        "Carriage Return", "One", "Control", "Latin Small Letter O With Diaeresis", "Euro Sign",
        "Emoji: Grinning Face", "Hebrew Letter Dalet With Dagesh",
      ])
  }
}

@Suite("Nearest name")
struct NearestNameTests {
  static let names = Capability.allCases.map(\.rawValue)

  @Test(
    "a slip of the pen finds the name that was meant",
    arguments: [
      ("netwroking", "networking"), ("secure-storage", "secure_storage"), ("SecureStorage", "secure_storage"),
      ("NETWORKING", "networking"), ("storge", "storage"), ("apis", "api"), ("toolbar_item", "toolbar_items"),
    ])
  func near(name: String, meant: String) {
    #expect(NearestName.suggest(for: name, among: Self.names) == meant)
  }

  @Test(
    "what is near nothing gets no suggestion",
    arguments: ["", "camera", "x", String(repeating: "a", count: 9999)])
  func far(name: String) {
    #expect(NearestName.suggest(for: name, among: Self.names) == nil)
  }
}
