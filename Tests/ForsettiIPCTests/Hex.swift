import ForsettiIPC

/// Bytes written as hexadecimal digits; anything else between them is for the reader's eye.
func hex(_ text: String) -> [UInt8] {
  let digits = text.compactMap(\.hexDigitValue).map(UInt8.init)
  return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

/// Hexadecimal digits of bytes.
func hex(_ bytes: [UInt8]) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

/// What the validator throws at bytes.
func walkError(_ bytes: [UInt8], refusingReservedKeys: Bool = false) -> CBORError? {
  do {
    try CBORValidator.walk(bytes.span, refusingReservedKeys: refusingReservedKeys)
    return nil
  } catch {
    return error
  }
}

/// What the decoder throws at bytes.
func decodeError(_ bytes: [UInt8], maximumItems: Int = 65_536) -> CBORError? {
  do {
    _ = try CBORValue.decode(bytes.span, maximumItems: maximumItems)
    return nil
  } catch {
    return error
  }
}

/// What becomes of bytes that are decoded and encoded again.
func reencoded(_ bytes: [UInt8]) throws -> [UInt8] {
  let value = try CBORValue.decode(bytes.span)
  return try value.encoded()
}

/// The validator's fault alone.
func walkFault(_ bytes: [UInt8], refusingReservedKeys: Bool = false) -> CBORFault? {
  walkError(bytes, refusingReservedKeys: refusingReservedKeys)?.fault
}

/// The decoder's fault alone.
func decodeFault(_ bytes: [UInt8]) -> CBORFault? { decodeError(bytes)?.fault }

/// A repeatable source of numbers (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}

/// A random value of the profile, keys distinct by their bytes.
func randomValue(depth: Int, using generator: inout SeededGenerator) -> CBORValue {
  switch Int.random(in: 0..<(depth > 0 ? 10 : 8), using: &generator) {
  case 0: .unsigned(randomMagnitude(using: &generator))
  case 1: .negative(randomMagnitude(using: &generator))
  case 2:
    .bytes(
      (0..<Int.random(in: 0..<40, using: &generator)).map { _ in .random(in: 0...255, using: &generator) })
  case 3: .text(randomText(using: &generator))
  case 4: .bool(.random(using: &generator))
  case 5: .null
  case 6: .float(randomFloat(using: &generator))
  case 7: .float(Double(Int.random(in: -70_000...70_000, using: &generator)) / 8)
  case 8:
    .array(
      (0..<Int.random(in: 0..<30, using: &generator)).map { _ in
        randomValue(depth: depth - 1, using: &generator)
      })
  default: .map(randomMembers(depth: depth, using: &generator))
  }
}

private func randomMagnitude(using generator: inout SeededGenerator) -> UInt64 {
  UInt64.random(in: 0...UInt64.max, using: &generator) >> UInt64.random(in: 0...63, using: &generator)
}

private func randomText(using generator: inout SeededGenerator) -> String {
  let alphabets: [ClosedRange<UInt32>] = [0...0x7f, 0x80...0x7ff, 0x800...0xd7ff, 0x1_0000...0x10_ffff]
  var text = ""
  for _ in 0..<Int.random(in: 0..<40, using: &generator) {
    let alphabet = alphabets[min(3, Int.random(in: 0..<7, using: &generator) / 2)]
    if let scalar = Unicode.Scalar(UInt32.random(in: alphabet, using: &generator)) {
      text.unicodeScalars.append(scalar)
    }
  }
  return text
}

private func randomFloat(using generator: inout SeededGenerator) -> Double {
  switch Int.random(in: 0..<5, using: &generator) {
  case 0: Double(Float16(bitPattern: .random(in: 0...UInt16.max, using: &generator)))
  case 1: Double(Float(bitPattern: .random(in: 0...UInt32.max, using: &generator)))
  case 2:
    [.infinity, -.infinity, .nan, -0.0, 0, 65_504, 65_505, 5.960464477539063e-8].randomElement(
      using: &generator) ?? 0
  default: Double(bitPattern: .random(in: 0...UInt64.max, using: &generator))
  }
}

private func randomMembers(depth: Int, using generator: inout SeededGenerator) -> [CBORMember] {
  var seen: Set<CBORValue> = []
  return (0..<Int.random(in: 0..<30, using: &generator)).compactMap { _ in
    let key: CBORValue =
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: .unsigned(randomMagnitude(using: &generator))
      case 1: .negative(randomMagnitude(using: &generator))
      default: .text(randomText(using: &generator))
      }
    guard seen.insert(key).inserted else { return nil }
    return CBORMember(key, randomValue(depth: depth - 1, using: &generator))
  }
}
