/// Strings and numbers.
extension JSONParser {
  mutating func string() throws(JSONFault) -> String {
    position += 1
    let start = position
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        try checkLength(position - start, at: start - 1)
        defer { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
      }
      if byte == UInt8(ascii: "\\") { return try escapedString(from: start) }
      position += try scalarLength(byte)
    }
    throw fault("a text without its closing quote", at: start - 1)
  }

  private func checkLength(_ count: Int, at place: Int) throws(JSONFault) {
    if count > limits.stringBytes {
      throw fault("a text of more than \(limits.stringBytes) bytes", at: place)
    }
  }

  /// Goes on from the first escape; `start` is the first byte of the text.
  private mutating func escapedString(from start: Int) throws(JSONFault) -> String {
    var text = Array(bytes[start..<position])
    while position < bytes.count {
      let byte = bytes[position]
      try checkLength(text.count, at: start - 1)
      if byte == UInt8(ascii: "\"") {
        position += 1
        return String(decoding: text, as: UTF8.self)
      }
      if byte == UInt8(ascii: "\\") {
        try escape(into: &text)
      } else {
        let length = try scalarLength(byte)
        text += bytes[position..<position + length]
        position += length
      }
    }
    throw fault("a text without its closing quote", at: start - 1)
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONFault) {
    let place = position
    position += 1
    guard let letter = current else { throw fault("the text ends in an escape", at: place) }
    position += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text += try unicodeEscape(place).utf8
    default: throw fault("an escape that JSON does not have", at: place)
    }
  }

  private mutating func unicodeEscape(_ place: Int) throws(JSONFault) -> String {
    var code = try fourHexDigits(place)
    if code & 0xFC00 == 0xD800, current == UInt8(ascii: "\\"), position + 1 < bytes.count,
      bytes[position + 1] == UInt8(ascii: "u")
    {
      position += 2
      let low = try fourHexDigits(place)
      guard low & 0xFC00 == 0xDC00 else { throw fault("a lone surrogate", at: place) }
      code = 0x10000 + (code & 0x3FF) << 10 + (low & 0x3FF)
    }
    guard let scalar = Unicode.Scalar(code) else { throw fault("a lone surrogate", at: place) }
    return String(Character(scalar))
  }

  private mutating func fourHexDigits(_ place: Int) throws(JSONFault) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      let digit: UInt8 =
        switch current {
        case .some(let byte) where byte >= 0x30 && byte <= 0x39: byte - 0x30
        case .some(let byte) where byte | 0x20 >= 0x61 && byte | 0x20 <= 0x66: (byte | 0x20) - 0x57
        default: throw fault("\\u takes four hexadecimal digits", at: place)
        }
      code = code << 4 | UInt32(digit)
      position += 1
    }
    return code
  }

  /// Bytes of the UTF-8 sequence at the position, after Unicode Table 3-7: no overlong form, no surrogate,
  /// nothing above U+10FFFF.
  private func scalarLength(_ lead: UInt8) throws(JSONFault) -> Int {
    if lead < 0x20 { throw fault("a control character in a text; write it as an escape", at: position) }
    if lead < 0x80 { return 1 }
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: throw fault("invalid UTF-8", at: position)
    }
    guard position + length <= bytes.count, second.contains(bytes[position + 1]),
      bytes[position + 2..<max(position + 2, position + length)].allSatisfy({ $0 & 0xC0 == 0x80 })
    else { throw fault("invalid UTF-8", at: position) }
    return length
  }

  mutating func number() throws(JSONFault) -> JSONNumber {
    let start = position
    let isNegative = current == UInt8(ascii: "-")
    if isNegative { position += 1 }
    let whole = try digits(start)
    if whole.count > 1, bytes[whole.lowerBound] == UInt8(ascii: "0") {
      throw fault("a number does not begin with 0", at: start)
    }
    var fraction = position..<position
    if current == UInt8(ascii: ".") {
      position += 1
      fraction = try digits(start)
    }
    var exponent = 0
    if let letter = current, letter | 0x20 == UInt8(ascii: "e") {
      position += 1
      let sign = current
      if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
      for byte in bytes[try digits(start)] where exponent < 1_000_000 {
        exponent = exponent * 10 + Int(byte - 0x30)
      }
      if sign == UInt8(ascii: "-") { exponent = -exponent }
    }
    let integer = exactInteger(whole, fraction, exponent, isNegative)
    if let integer, integer.magnitude <= 1 << 53 {
      return JSONNumber(double: isNegative && integer == 0 ? -0.0 : Double(integer), integer: integer)
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard let double = Double(text), double.isFinite else { throw fault("a number out of range", at: start) }
    return JSONNumber(double: double, integer: integer, large: integer == nil ? UInt64(text) : nil)
  }

  private mutating func digits(_ start: Int) throws(JSONFault) -> Range<Int> {
    let first = position
    while let byte = current, byte >= 0x30, byte <= 0x39 { position += 1 }
    if first == position { throw fault("a number lacks a digit", at: start) }
    return first..<position
  }

  /// The value in decimal arithmetic, so that 1.0, 1e2 and 10e-1 are integers and nothing is rounded to one.
  private func exactInteger(
    _ whole: Range<Int>, _ fraction: Range<Int>, _ exponent: Int, _ isNegative: Bool
  ) -> Int64? {
    var value: Int64 = 0
    // Zeros are owed until a digit follows: trailing ones may vanish in a negative exponent.
    var owed = 0
    func push(_ digit: Int64) -> Bool {
      let (scaled, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carried) =
        isNegative ? scaled.subtractingReportingOverflow(digit) : scaled.addingReportingOverflow(digit)
      value = sum
      return !overflow && !carried
    }
    for byte in [bytes[whole], bytes[fraction]].joined() {
      if byte == 0x30 {
        owed += 1
        continue
      }
      while owed > 0 {
        owed -= 1
        guard value == 0 || push(0) else { return nil }
      }
      guard push(Int64(byte - 0x30)) else { return nil }
    }
    if value == 0 { return 0 }
    var scale = exponent - fraction.count + owed
    guard scale >= 0 else { return nil }
    while scale > 0 {
      scale -= 1
      guard push(0) else { return nil }
    }
    return value
  }
}
