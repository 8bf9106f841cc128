/// Bounds on a JSON document; all of them are checked before memory is spent (SPEC §1, "Limits").
public struct JSONLimits: Sendable, Hashable {
  /// Size of the whole text in bytes, a byte order mark included.
  public var bytes: Int
  /// Nesting of arrays and objects, the root counted; at most 256 whatever is asked.
  public var depth: Int
  /// Length of a string or key, in bytes of UTF-8 after unescaping.
  public var stringBytes: Int
  /// Elements of one array.
  public var arrayElements: Int

  /// Makes limits; the defaults are those of a manifest: 256 KiB, 32 levels, 4,096 bytes, 1,024 elements.
  public init(
    bytes: Int = 256 << 10, depth: Int = 32, stringBytes: Int = 4096, arrayElements: Int = 1024
  ) {
    self.bytes = bytes
    self.depth = min(depth, 256)
    self.stringBytes = stringBytes
    self.arrayElements = arrayElements
  }

  /// The limits of a manifest file.
  public static let manifest = JSONLimits()
}

/// A place in a text, as an editor shows it.
public struct TextPosition: Sendable, Hashable {
  /// 1-based; a line ends with LF or CR LF.
  public var line: Int
  /// 1-based, in Unicode scalars.
  public var column: Int

  /// Makes a position.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

/// A parsed JSON text together with its bytes, so that any value can be traced to its line.
public struct JSONDocument: Sendable {
  /// The value of the whole text.
  public let root: JSONValue
  /// Whether the text began with a UTF-8 byte order mark, which RFC 8259 §8.1 lets a reader ignore.
  public let hadByteOrderMark: Bool
  private let bytes: [UInt8]

  init(root: JSONValue, hadByteOrderMark: Bool, bytes: [UInt8]) {
    self.root = root
    self.hadByteOrderMark = hadByteOrderMark
    self.bytes = bytes
  }

  /// Line and column of a byte offset counted from behind any byte order mark.
  public func position(of offset: Int) -> TextPosition {
    Self.position(of: offset, in: bytes, from: hadByteOrderMark ? 3 : 0)
  }

  /// The same fault with its line and column filled in from its offset.
  public func locating(_ fault: JSONFault) -> JSONFault {
    var fault = fault
    let place = position(of: fault.offset)
    fault.line = place.line
    fault.column = place.column
    return fault
  }

  static func position(of offset: Int, in bytes: [UInt8], from base: Int) -> TextPosition {
    var place = TextPosition(line: 1, column: 1)
    let end = max(base, min(bytes.count, base &+ max(0, offset)))
    for byte in bytes[base..<end] {
      if byte == UInt8(ascii: "\n") {
        place.line += 1
        place.column = 1
      } else if byte & 0xC0 != 0x80 {
        place.column += 1
      }
    }
    return place
  }
}

/// What is wrong with a JSON text, and where. Readers of a parsed tree throw it too: line and column are 0
/// until `JSONDocument.locating(_:)` fills them in.
public struct JSONFault: Error, Sendable, Hashable {
  /// Byte offset counted from behind any byte order mark.
  public var offset: Int
  /// 1-based line, as in `TextPosition`.
  public var line: Int
  /// 1-based column, as in `TextPosition`.
  public var column: Int
  /// RFC 6901 pointer to the value at fault; empty for the whole document.
  public var pointer: String
  /// One line: what is wrong and what is right instead.
  public var reason: String

  /// Makes a fault.
  public init(offset: Int, line: Int = 0, column: Int = 0, pointer: String, reason: String) {
    self.offset = offset
    self.line = line
    self.column = column
    self.pointer = pointer
    self.reason = reason
  }
}

/// Building of RFC 6901 JSON Pointers.
public enum JSONPointer {
  /// One step down: `/` and the key, in which `~` and `/` become `~0` and `~1`.
  public static func step(_ key: String) -> String {
    if !key.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) { return "/" + key }
    var text = "/"
    for scalar in key.unicodeScalars {
      switch scalar {
      case "~": text += "~0"
      case "/": text += "~1"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// One step down into an array.
  public static func step(_ index: Int) -> String { "/\(index)" }
}
