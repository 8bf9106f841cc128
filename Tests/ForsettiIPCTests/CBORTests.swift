import Testing

@testable import ForsettiIPC

@Suite("CBOR")
struct CBORTests {
  @Test(
    "bytes that are not deterministic CBOR are refused by their reason",
    arguments: [
      ("", CBORFault.truncated),
      ("18", .truncated),
      ("1903", .truncated),
      ("fb3ff19999999999", .truncated),
      ("0000", .trailingBytes(1)),
      ("1817", .notShortest),
      ("1900ff", .notShortest),
      ("1a0000ffff", .notShortest),
      ("1b00000000ffffffff", .notShortest),
      ("5801ff", .notShortest),
      ("fa3fc00000", .notShortest),
      ("fb3ff0000000000000", .notShortest),
      ("fb47efffffe0000000", .notShortest),
      ("f97e01", .notShortest),
      ("f9fe00", .notShortest),
      ("fb7ff0000000000001", .notShortest),
      ("1c", .reservedInformation(28)),
      ("1f", .reservedInformation(31)),
      ("df", .reservedInformation(31)),
      ("fe", .reservedInformation(30)),
      ("ff", .indefiniteLength),
      ("5f40ff", .indefiniteLength),
      ("f800", .unsupportedSimple(0)),
      ("f814", .unsupportedSimple(20)),
      ("e0", .unsupportedSimple(0)),
      ("c000", .unsupportedTag(0)),
      ("dbffffffffffffffff00", .unsupportedTag(.max)),
      ("61ff", .invalidUTF8),
      ("62c080", .invalidUTF8),
      ("63eda080", .invalidUTF8),
      ("64f4908080", .invalidUTF8),
      ("61c3", .invalidUTF8),
      ("4102 03", .trailingBytes(1)),
      ("42 02", .lengthExceedsInput(2)),
      ("5bffffffffffffffff", .lengthExceedsInput(.max)),
      ("7b7fffffffffffffff", .lengthExceedsInput(0x7fff_ffff_ffff_ffff)),
      ("9bffffffffffffffff", .lengthExceedsInput(.max)),
      ("bb7fffffffffffffff", .lengthExceedsInput(0x7fff_ffff_ffff_ffff)),
      ("a2 01 02 03", .lengthExceedsInput(2)),
      ("82 01", .lengthExceedsInput(2)),
      ("82 8101", .truncated),
      ("a2 02 00 01 00", .keysOutOfOrder),
      ("a2 6162 00 6161 00", .keysOutOfOrder),
      ("a2 626161 00 6162 00", .keysOutOfOrder),
      ("a2 20 00 1818 00", .keysOutOfOrder),
      ("a2 01 00 01 00", .duplicateKey),
      ("a2 6161 00 6161 00", .duplicateKey),
      ("a1 40 00", .unsupportedKey),
      ("a1 f4 00", .unsupportedKey),
      ("a1 80 00", .unsupportedKey),
      ("a1 f93c00 00", .unsupportedKey),
    ] as [(String, CBORFault)])
  func refused(encoded: String, fault: CBORFault) {
    #expect(decodeFault(hex(encoded)) == fault)
    #expect(walkFault(hex(encoded)) == fault)
  }

  @Test("an error names the place of the item at fault")
  func offset() {
    #expect(decodeError(hex("82 01 81 c1 00")) == CBORError(.unsupportedTag(1), at: 3))
    #expect(walkError(hex("82 01 81 c1 00")) == CBORError(.unsupportedTag(1), at: 3))
    #expect(walkError(hex("a2 01 00 01 00")) == CBORError(.duplicateKey, at: 3))
    #expect(decodeError(hex("a2 01 00 01 00")) == CBORError(.duplicateKey, at: 3))
  }

  @Test("32 levels of nesting are read and written, 33 refused")
  func depth() throws {
    for opening in ["81", "a100"] {
      let deep = hex(String(repeating: opening, count: 31) + (opening == "81" ? "80" : "a0"))
      #expect(walkFault(deep) == nil)
      #expect(try reencoded(deep) == deep)
      let tooDeep = hex(opening) + deep
      #expect(walkFault(tooDeep) == .tooDeep(limit: 32))
      #expect(decodeFault(tooDeep) == .tooDeep(limit: 32))
    }
    var value = CBORValue.array([])
    for _ in 0..<32 { value = .array([value]) }
    #expect(throws: CBORError(.tooDeep(limit: 32))) { try value.encoded() }
  }

  @Test("a megabyte of opening brackets is refused without a deep stack")
  func brackets() {
    let bytes = [UInt8](repeating: 0x81, count: 1 << 20)
    #expect(walkFault(bytes) == .tooDeep(limit: 32))
    #expect(decodeFault(bytes) == .tooDeep(limit: 32))
  }

  @Test("the number of values built is bounded; walking builds none and is not")
  func items() {
    let bytes = [0x9a, 0x00, 0x01, 0x00, 0x00] + [UInt8](repeating: 0xf6, count: 65_536)
    #expect(decodeFault(bytes) == .tooManyItems(limit: 65_536))
    #expect(walkFault(bytes) == nil)
    #expect(decodeError(hex("82 82 01 02 03"), maximumItems: 3) == CBORError(.tooManyItems(limit: 3), at: 1))
  }

  @Test("maps are written sorted by the bytes of their keys")
  func sorting() throws {
    let keys: [CBORValue] = [
      .text("aa"), .text("b"), .text(""), .integer(-1), .unsigned(24), .unsigned(9), .integer(-25),
      .text("é"),
    ]
    let value = CBORValue.map(keys.map { CBORMember($0, .null) })
    #expect(try hex(value.encoded()) == "a809f61818f620f63818f660f66162f6626161f662c3a9f6")
  }

  @Test("a map that holds a key twice, or a key of another type, is not written")
  func unwritable() {
    #expect(throws: CBORError(.duplicateKey)) {
      try CBORValue.map([CBORMember(.unsigned(1), .null), CBORMember(.unsigned(1), .null)]).encoded()
    }
    #expect(throws: CBORError(.unsupportedKey)) { try CBORValue.map([CBORMember(.null, .null)]).encoded() }
  }

  @Test("keys that only look the same are two keys")
  func canonicalEquivalence() throws {
    let value = CBORValue.map([
      CBORMember(.text("e\u{301}"), .unsigned(1)), CBORMember(.text("\u{e9}"), .unsigned(2)),
    ])
    let bytes = try value.encoded()
    let decoded = try CBORValue.decode(bytes.span)
    #expect(decoded["e\u{301}"] == .unsigned(1))
    #expect(decoded["\u{e9}"] == .unsigned(2))
  }

  @Test("integers of either sign convert where they fit")
  func integers() {
    for value in [Int64.min, -257, -1, 0, 23, 24, .max] { #expect(CBORValue.integer(value).integer == value) }
    #expect(CBORValue.unsigned(1 << 63).integer == nil)
    #expect(CBORValue.negative(1 << 63).integer == nil)
    #expect(CBORValue.null.integer == nil)
  }

  @Test("reserved keys are refused at the top level of a payload alone")
  func reserved() throws {
    let reserved = CBORValue.map([CBORMember(.text("_forsetti.x"), .null)])
    let nested = try CBORValue.map([CBORMember(.text("a"), reserved)]).encoded()
    let top = try reserved.encoded()
    #expect(walkFault(top, refusingReservedKeys: true) == .reservedKey("_forsetti.x"))
    #expect(walkFault(top) == nil)
    #expect(walkFault(nested, refusingReservedKeys: true) == nil)
    let near = try CBORValue.map([CBORMember(.text("_forsetti"), .null)]).encoded()
    #expect(walkFault(near, refusingReservedKeys: true) == nil)
  }

  @Test("what is written is read back, and the validator agrees")
  func roundTrip() throws {
    var generator = SeededGenerator(state: 1)
    for _ in 0..<1000 {
      let value = randomValue(depth: 4, using: &generator)
      let bytes = try value.encoded()
      #expect(walkFault(bytes) == nil)
      #expect(try reencoded(bytes) == bytes)
    }
  }

  @Test("any bytes give a value or an error, decoder and validator agree, and a value has these very bytes")
  func mutations() throws {
    var generator = SeededGenerator(state: 2)
    var accepted = 0
    for _ in 0..<6000 {
      var bytes = try randomValue(depth: 3, using: &generator).encoded()
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[place] = .random(in: 0...255, using: &generator)
        case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 2 where bytes.count > 1: bytes.removeSubrange(place...)
        default: bytes.insert(.random(in: 0...255, using: &generator), at: place)
        }
        if bytes.isEmpty { bytes = [0] }
      }
      let fault = walkFault(bytes)
      #expect(decodeFault(bytes) == fault, "\(hex(bytes))")
      if fault == nil {
        accepted += 1
        #expect(try reencoded(bytes) == bytes, "\(hex(bytes))")
      }
    }
    #expect(accepted > 100)
  }

  @Test("errors describe themselves in one line, with foreign text escaped")
  func description() {
    #expect(
      CBORError(.unknownKey("a\"\n\u{202e}ü"), at: 7).description
        == #"the unknown key "a\"\u{a}\u{202e}\u{fc}" at byte 7"#)
  }
}
