/// A strict, bounded JSON reader (RFC 8259): UTF-8 only, no comments, no trailing text, no duplicate keys, no
/// NaN, no lone surrogates. It reads bytes in place, makes one string per key or text, and traps for no input.
public struct JSONParser {
  let bytes: [UInt8]
  let limits: JSONLimits
  /// First byte behind any byte order mark: the origin of every offset.
  let base: Int
  var position: Int
  private var depth = 0
  private var path: [PathStep] = []

  private enum PathStep {
    case key(String)
    case index(Int)
  }

  /// Reads one document; throws the first fault with its place.
  public static func parse(
    _ bytes: [UInt8], limits: JSONLimits = .manifest
  ) throws(JSONFault) -> JSONDocument {
    var parser = JSONParser(bytes, limits)
    let root = try parser.document()
    return JSONDocument(root: root, hadByteOrderMark: parser.base > 0, bytes: bytes)
  }

  private init(_ bytes: [UInt8], _ limits: JSONLimits) {
    self.bytes = bytes
    self.limits = limits
    base = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    position = base
  }

  /// The byte at the position, `nil` at the end.
  var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Makes a fault at a byte of the text.
  func fault(_ reason: String, at place: Int) -> JSONFault {
    let position = JSONDocument.position(of: place - base, in: bytes, from: base)
    var pointer = ""
    for step in path {
      switch step {
      case .key(let key): pointer += JSONPointer.step(key)
      case .index(let index): pointer += JSONPointer.step(index)
      }
    }
    return JSONFault(
      offset: place - base, line: position.line, column: position.column, pointer: pointer, reason: reason)
  }

  private mutating func document() throws(JSONFault) -> JSONValue {
    if bytes.count > limits.bytes {
      throw fault("the text has \(bytes.count) bytes, the limit is \(limits.bytes)", at: base)
    }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw fault("the text is UTF-16; save it as UTF-8", at: base)
    }
    skipSpace()
    if current == nil { throw fault("the text is empty", at: position) }
    let root = try value()
    skipSpace()
    if current != nil { throw fault("text after the end of the document", at: position) }
    return root
  }

  private mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  private mutating func value() throws(JSONFault) -> JSONValue {
    let start = position
    let content: JSONValue.Content =
      switch current {
      case UInt8(ascii: "{"): try object()
      case UInt8(ascii: "["): try array()
      case UInt8(ascii: "\""): .string(try string())
      case .some(UInt8(ascii: "-")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): .number(try number())
      default: try literal()
      }
    return JSONValue(content, offset: start - base)
  }

  private mutating func enter() throws(JSONFault) {
    if depth >= limits.depth { throw fault("nested deeper than \(limits.depth) levels", at: position) }
    depth += 1
    position += 1
    skipSpace()
  }

  private mutating func leave() {
    depth -= 1
    position += 1
  }

  private mutating func object() throws(JSONFault) -> JSONValue.Content {
    try enter()
    var members: [JSONMember] = []
    var keys = KeySet()
    if current == UInt8(ascii: "}") {
      leave()
      return .object(members)
    }
    while true {
      let place = position
      guard current == UInt8(ascii: "\"") else { throw missing("a key in double quotes") }
      let key = try string()
      path.append(.key(key))
      if !keys.insert(key, into: members) { throw fault("the key \(key.quoted()) occurs twice", at: place) }
      skipSpace()
      guard current == UInt8(ascii: ":") else { throw missing("\":\" after the key") }
      position += 1
      skipSpace()
      members.append(JSONMember(key: key, keyOffset: place - base, value: try value()))
      path.removeLast()
      skipSpace()
      if current == UInt8(ascii: "}") {
        leave()
        return .object(members)
      }
      try comma(closing: UInt8(ascii: "}"))
    }
  }

  private mutating func array() throws(JSONFault) -> JSONValue.Content {
    try enter()
    var elements: [JSONValue] = []
    if current == UInt8(ascii: "]") {
      leave()
      return .array(elements)
    }
    while true {
      if elements.count >= limits.arrayElements {
        throw fault("the array has more than \(limits.arrayElements) elements", at: position)
      }
      path.append(.index(elements.count))
      elements.append(try value())
      path.removeLast()
      skipSpace()
      if current == UInt8(ascii: "]") {
        leave()
        return .array(elements)
      }
      try comma(closing: UInt8(ascii: "]"))
    }
  }

  private mutating func comma(closing: UInt8) throws(JSONFault) {
    let close = closing == UInt8(ascii: "}") ? "\"}\"" : "\"]\""
    let place = position
    guard current == UInt8(ascii: ",") else { throw missing("\",\" or \(close)") }
    position += 1
    skipSpace()
    if current == closing { throw fault("a comma before \(close) is not JSON; remove it", at: place) }
  }

  private mutating func literal() throws(JSONFault) -> JSONValue.Content {
    let start = position
    var end = position
    while end < bytes.count, end - start <= 16, isWordByte(bytes[end]) { end += 1 }
    switch String(decoding: bytes[start..<end], as: UTF8.self) {
    case "null":
      position = end
      return .null
    case "true":
      position = end
      return .bool(true)
    case "false":
      position = end
      return .bool(false)
    case "": throw missing("a value")
    case let word: throw fault("\(word) is not a JSON value", at: start)
    }
  }

  /// What stands where `expected` should, named so that the usual slips are understood.
  private func missing(_ expected: String) -> JSONFault {
    switch current {
    case nil: fault("the text ends where \(expected) is expected", at: position)
    case UInt8(ascii: "/"), UInt8(ascii: "#"): fault("comments are not JSON", at: position)
    case UInt8(ascii: "'"): fault("JSON texts stand in double quotes", at: position)
    default: fault("\(expected) is expected here", at: position)
    }
  }

  private func isWordByte(_ byte: UInt8) -> Bool {
    switch byte | 0x20 {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): true
    default: false
    }
  }
}

/// Notices a repeated key: by a walk in a small object, by a hash set in a large one, so that a hostile file
/// with tens of thousands of keys costs no quadratic time.
private struct KeySet {
  private static let walked = 16
  private var hashed: Set<ScalarText> = []

  /// Takes a key; `false` if the members already have it.
  mutating func insert(_ key: String, into members: [JSONMember]) -> Bool {
    if members.count < Self.walked { return !members.contains { $0.key.hasSameScalars(as: key) } }
    if hashed.isEmpty { for member in members { hashed.insert(ScalarText(member.key)) } }
    return hashed.insert(ScalarText(key)).inserted
  }
}
