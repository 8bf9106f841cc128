import ForsettiCore

/// What a record's own sequence of numbers decides. Each record has its own, so that the same seed and number bring
/// the same device, however many others there are.
struct Dice {
  private var generator: SplitMix64

  /// What a sequence is for: computers and mobile devices of one number have nothing in common.
  enum Subject: UInt64 {
    case computer = 1
    case mobileDevice, person, command, secret, token, details, plan
  }

  init(seed: UInt64, _ subject: Subject, _ number: Int) {
    var mixer = SplitMix64(seed: seed ^ (subject.rawValue &* 0xA24B_AED4_963E_E407))
    generator = SplitMix64(seed: mixer.next() ^ (UInt64(truncatingIfNeeded: number) &* 0x9FB2_1C65_1E98_DF25))
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

  /// True so many times out of a hundred.
  mutating func chance(_ percent: Int) -> Bool { number(1...100) <= percent }

  /// One of a table that is never empty.
  mutating func pick<Element>(_ table: [Element]) -> Element { table[number(0...(table.count - 1))] }

  /// So many hexadecimal digits, lower case.
  mutating func hex(_ count: Int) -> String {
    var text = ""
    for _ in 0..<count { text += String(number(0...15), radix: 16) }
    return text
  }

  /// A UUID of version 4, lower case.
  mutating func uuid() -> String {
    "\(hex(8))-\(hex(4))-4\(hex(3))-\(pick(["8", "9", "a", "b"]))\(hex(3))-\(hex(12))"
  }

  /// A MAC address as Jamf writes it.
  mutating func macAddress() -> String {
    (0..<6).map { _ in hex(2).uppercased() }.joined(separator: ":")
  }

  /// A moment so many days at most before another, in milliseconds.
  mutating func moment(before end: Int64, days: Int) -> Int64 {
    end - Int64(number(0...(days * 86_400))) * 1_000
  }
}
