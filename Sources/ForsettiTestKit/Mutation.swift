/// SplitMix64 (Steele, Lea, Flood 2014): numbers that look random and are the same in every run, so that what they find can
/// be found again.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Begins with a seed.
  public init(seed: UInt64) { state = seed }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension SeededGenerator {
  /// Bytes with one to four changes: bits turned, and bytes put in, taken out, repeated and cut off.
  /// - Parameter tokens: what a reader of such bytes may stumble over, put in as a whole.
  public mutating func mutation(of bytes: [UInt8], tokens: [String]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &self) {
      let place = Int.random(in: 0...bytes.count, using: &self)
      let end = min(bytes.count, place + Int.random(in: 0...12, using: &self))
      switch Int.random(in: 0..<6, using: &self) {
      case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &self)
      case 1: bytes.insert(UInt8.random(in: 0...255, using: &self), at: place)
      case 2: bytes.removeSubrange(place..<end)
      case 3: bytes.insert(contentsOf: (tokens.randomElement(using: &self) ?? "").utf8, at: place)
      case 4:
        bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &self))
      default: bytes.removeSubrange(place...)
      }
    }
    return bytes
  }
}
