import ForsettiIPC
import Testing

/// RFC 8949 Appendix A, in its order.
private struct Vector {
  var diagnostic: String
  var encoded: String
  var outcome: Outcome

  enum Outcome {
    case value(CBORValue)
    /// Outside the profile.
    case refused(CBORFault)
  }

  init(_ diagnostic: String, _ encoded: String, _ value: CBORValue) {
    self.diagnostic = diagnostic
    self.encoded = encoded
    outcome = .value(value)
  }

  init(_ diagnostic: String, _ encoded: String, refused fault: CBORFault) {
    self.diagnostic = diagnostic
    self.encoded = encoded
    outcome = .refused(fault)
  }
}

private func integers(_ range: ClosedRange<UInt64>) -> CBORValue { .array(range.map { .unsigned($0) }) }

private let numbers: [Vector] = [
  Vector("0", "00", .unsigned(0)),
  Vector("1", "01", .unsigned(1)),
  Vector("10", "0a", .unsigned(10)),
  Vector("23", "17", .unsigned(23)),
  Vector("24", "1818", .unsigned(24)),
  Vector("25", "1819", .unsigned(25)),
  Vector("100", "1864", .unsigned(100)),
  Vector("1000", "1903e8", .unsigned(1000)),
  Vector("1000000", "1a000f4240", .unsigned(1_000_000)),
  Vector("1000000000000", "1b000000e8d4a51000", .unsigned(1_000_000_000_000)),
  Vector("18446744073709551615", "1bffffffffffffffff", .unsigned(.max)),
  Vector("18446744073709551616", "c249010000000000000000", refused: .unsupportedTag(2)),
  Vector("-18446744073709551616", "3bffffffffffffffff", .negative(.max)),
  Vector("-18446744073709551617", "c349010000000000000000", refused: .unsupportedTag(3)),
  Vector("-1", "20", .integer(-1)),
  Vector("-10", "29", .integer(-10)),
  Vector("-100", "3863", .integer(-100)),
  Vector("-1000", "3903e7", .integer(-1000)),
  Vector("0.0", "f90000", .float(0)),
  Vector("-0.0", "f98000", .float(-0.0)),
  Vector("1.0", "f93c00", .float(1)),
  Vector("1.1", "fb3ff199999999999a", .float(1.1)),
  Vector("1.5", "f93e00", .float(1.5)),
  Vector("65504.0", "f97bff", .float(65_504)),
  Vector("100000.0", "fa47c35000", .float(100_000)),
  Vector("3.4028234663852886e+38", "fa7f7fffff", .float(3.402_823_466_385_288_6e+38)),
  Vector("1.0e+300", "fb7e37e43c8800759c", .float(1.0e+300)),
  Vector("5.960464477539063e-8", "f90001", .float(5.960_464_477_539_063e-8)),
  Vector("0.00006103515625", "f90400", .float(0.000_061_035_156_25)),
  Vector("-4.0", "f9c400", .float(-4)),
  Vector("-4.1", "fbc010666666666666", .float(-4.1)),
  Vector("Infinity", "f97c00", .float(.infinity)),
  Vector("NaN", "f97e00", .float(.nan)),
  Vector("-Infinity", "f9fc00", .float(-.infinity)),
  Vector("Infinity", "fa7f800000", refused: .notShortest),
  Vector("NaN", "fa7fc00000", refused: .notShortest),
  Vector("-Infinity", "faff800000", refused: .notShortest),
  Vector("Infinity", "fb7ff0000000000000", refused: .notShortest),
  Vector("NaN", "fb7ff8000000000000", refused: .notShortest),
  Vector("-Infinity", "fbfff0000000000000", refused: .notShortest),
]

private let simpleAndTagged: [Vector] = [
  Vector("false", "f4", .bool(false)),
  Vector("true", "f5", .bool(true)),
  Vector("null", "f6", .null),
  Vector("undefined", "f7", refused: .unsupportedSimple(23)),
  Vector("simple(16)", "f0", refused: .unsupportedSimple(16)),
  Vector("simple(255)", "f8ff", refused: .unsupportedSimple(255)),
  Vector(
    "0(\"2013-03-21T20:04:00Z\")", "c074323031332d30332d32315432303a30343a30305a", refused: .unsupportedTag(0)
  ),
  Vector("1(1363896240)", "c11a514b67b0", refused: .unsupportedTag(1)),
  Vector("1(1363896240.5)", "c1fb41d452d9ec200000", refused: .unsupportedTag(1)),
  Vector("23(h'01020304')", "d74401020304", refused: .unsupportedTag(23)),
  Vector("24(h'6449455446')", "d818456449455446", refused: .unsupportedTag(24)),
  Vector(
    "32(\"http://www.example.com\")", "d82076687474703a2f2f7777772e6578616d706c652e636f6d",
    refused: .unsupportedTag(32)),
]

private let stringsAndContainers: [Vector] = [
  Vector("h''", "40", .bytes([])),
  Vector("h'01020304'", "4401020304", .bytes([1, 2, 3, 4])),
  Vector("\"\"", "60", .text("")),
  Vector("\"a\"", "6161", .text("a")),
  Vector("\"IETF\"", "6449455446", .text("IETF")),
  Vector("\"\\\"\\\\\"", "62225c", .text("\"\\")),
  Vector("\"\\u00fc\"", "62c3bc", .text("\u{fc}")),
  Vector("\"\\u6c34\"", "63e6b0b4", .text("\u{6c34}")),
  Vector("\"\\ud800\\udd51\"", "64f0908591", .text("\u{10151}")),
  Vector("[]", "80", .array([])),
  Vector("[1, 2, 3]", "83010203", integers(1...3)),
  Vector(
    "[1, [2, 3], [4, 5]]", "8301820203820405", .array([.unsigned(1), integers(2...3), integers(4...5)])),
  Vector("[1 to 25]", "98190102030405060708090a0b0c0d0e0f101112131415161718181819", integers(1...25)),
  Vector("{}", "a0", .map([])),
  Vector(
    "{1: 2, 3: 4}", "a201020304",
    .map([CBORMember(.unsigned(1), .unsigned(2)), CBORMember(.unsigned(3), .unsigned(4))])),
  Vector(
    "{\"a\": 1, \"b\": [2, 3]}", "a26161016162820203",
    .map([CBORMember(.text("a"), .unsigned(1)), CBORMember(.text("b"), integers(2...3))])),
  Vector(
    "[\"a\", {\"b\": \"c\"}]", "826161a161626163",
    .array([.text("a"), .map([CBORMember(.text("b"), .text("c"))])])),
  Vector(
    "{\"a\": \"A\", \"b\": \"B\", \"c\": \"C\", \"d\": \"D\", \"e\": \"E\"}",
    "a56161614161626142616361436164614461656145",
    .map(["a", "b", "c", "d", "e"].map { CBORMember(.text($0), .text($0.uppercased())) })),
]

private let indefinite: [Vector] = [
  Vector("(_ h'0102', h'030405')", "5f42010243030405ff", refused: .indefiniteLength),
  Vector("(_ \"strea\", \"ming\")", "7f657374726561646d696e67ff", refused: .indefiniteLength),
  Vector("[_ ]", "9fff", refused: .indefiniteLength),
  Vector("[_ 1, [2, 3], [_ 4, 5]]", "9f018202039f0405ffff", refused: .indefiniteLength),
  Vector("[_ 1, [2, 3], [4, 5]]", "9f01820203820405ff", refused: .indefiniteLength),
  Vector("[1, [2, 3], [_ 4, 5]]", "83018202039f0405ff", refused: .indefiniteLength),
  Vector("[1, [_ 2, 3], [4, 5]]", "83019f0203ff820405", refused: .indefiniteLength),
  Vector(
    "[_ 1 to 25]", "9f0102030405060708090a0b0c0d0e0f101112131415161718181819ff", refused: .indefiniteLength),
  Vector("{_ \"a\": 1, \"b\": [_ 2, 3]}", "bf61610161629f0203ffff", refused: .indefiniteLength),
  Vector("[\"a\", {_ \"b\": \"c\"}]", "826161bf61626163ff", refused: .indefiniteLength),
  Vector("{_ \"Fun\": true, \"Amt\": -2}", "bf6346756ef563416d7421ff", refused: .indefiniteLength),
]

@Suite("RFC 8949 Appendix A")
struct RFC8949VectorTests {
  private static let vectors = numbers + simpleAndTagged + stringsAndContainers + indefinite

  @Test("all vectors of the appendix are here")
  func count() { #expect(Self.vectors.count == 81) }

  @Test("vectors inside the profile decode to their value and encode to their bytes")
  func accepted() throws {
    for vector in Self.vectors {
      guard case .value(let value) = vector.outcome else { continue }
      let bytes = hex(vector.encoded)
      #expect(try CBORValue.decode(bytes.span) == value, "\(vector.diagnostic)")
      #expect(try hex(value.encoded()) == vector.encoded, "\(vector.diagnostic)")
      #expect(walkFault(bytes) == nil, "\(vector.diagnostic)")
    }
  }

  @Test("vectors outside the profile are refused by their reason")
  func refused() {
    for vector in Self.vectors {
      guard case .refused(let fault) = vector.outcome else { continue }
      #expect(decodeFault(hex(vector.encoded)) == fault, "\(vector.diagnostic)")
      #expect(walkFault(hex(vector.encoded)) == fault, "\(vector.diagnostic)")
    }
  }
}
