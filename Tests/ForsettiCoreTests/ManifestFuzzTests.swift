import ForsettiCore
import Testing

/// SplitMix64: the same mutations in every run, so that a trap can be found again.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

@Suite("Mutated manifests")
struct ManifestFuzzTests {
  static let seeds = (ManifestCase.valid + ManifestCase.rules + ManifestCase.texts).map {
    Array($0.text.utf8)
  }
  static let tokens = [
    "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\uD800", "\\uDC00", "null", "-", "1e999",
    "1e-999999999",
    "9223372036854775808", "-9223372036854775809", "0", ".", "e", "\u{FEFF}", "\u{202E}", "/*", "\u{0}",
    "true",
    "{\"major\":", "\"moduleID\"",
  ].map { Array($0.utf8) }

  static func mutated(_ bytes: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 0...bytes.count, using: &random)
      let end = min(bytes.count, place + Int.random(in: 0...12, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
      case 2: bytes.removeSubrange(place..<end)
      case 3: bytes.insert(contentsOf: tokens.randomElement(using: &random) ?? [], at: place)
      case 4:
        bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &random))
      default: bytes.removeSubrange(place...)
      }
    }
    return bytes
  }

  @Test("no bytes make the reader trap, and what loads reads back the same", arguments: 1...4)
  func mutations(seed: UInt64) throws {
    var random = SeededGenerator(state: seed)
    var loaded = 0
    for round in 0..<2000 {
      let bytes = Self.mutated(Self.seeds[round % Self.seeds.count], using: &random)
      do throws(ManifestFault) {
        let decoded = try ManifestDecoder.decode(bytes: bytes, file: "fuzz.json")
        loaded += 1
        let again = try ManifestDecoder.decode(bytes: decoded.canonicalBytes, file: "fuzz.json")
        #expect(again.manifest == decoded.manifest)
        #expect(again.canonicalBytes == decoded.canonicalBytes)
      } catch {
        #expect(error.line >= 1 && error.column >= 1 && !error.reason.isEmpty)
      }
    }
    #expect(loaded > 0)
  }
}
