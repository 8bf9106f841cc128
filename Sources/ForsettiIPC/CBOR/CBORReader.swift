/// A pull parser over borrowed bytes. It accepts the deterministic profile alone, checks every length against the
/// bytes that remain before anything is allocated, and never traps on what it reads.
public struct CBORReader: ~Escapable {
  /// Arrays and maps may nest this deep, the outermost counted.
  public static let maximumDepth = 32

  let bytes: Span<UInt8>
  /// How far the reader has come.
  public internal(set) var offset = 0

  /// Reads from the first byte on.
  @_lifetime(copy bytes)
  public init(_ bytes: Span<UInt8>) { self.bytes = bytes }

  /// Bytes not read yet.
  public var remaining: Int { bytes.count &- offset }

  /// Throws unless everything is read.
  public func finish() throws(CBORError) {
    if remaining > 0 { throw CBORError(.trailingBytes(remaining), at: offset) }
  }

  // MARK: Heads

  /// The initial byte and argument of an item.
  struct Head {
    var major: UInt8
    /// The low five bits of the initial byte.
    var information: UInt8
    var argument: UInt64
  }

  /// Inlined, since most heads are one byte.
  @inline(__always)
  mutating func head() throws(CBORError) -> Head {
    let start = offset
    guard start < bytes.count else { throw CBORError(.truncated, at: start) }
    let initial = bytes[start]
    let information = initial & 0x1f
    guard information < 24 else { return try longHead(initial) }
    offset = start &+ 1
    return Head(major: initial &>> 5, information: information, argument: UInt64(information))
  }

  private mutating func longHead(_ initial: UInt8) throws(CBORError) -> Head {
    let start = offset
    let major = initial &>> 5
    let information = initial & 0x1f
    // The length of most texts.
    if information == 24, major != 7, bytes.count &- start > 1, bytes[start &+ 1] >= 24 {
      offset = start &+ 2
      return Head(major: major, information: information, argument: UInt64(bytes[start &+ 1]))
    }
    guard information < 28 else {
      let isIndefinite = information == 31 && (major == 7 || 2...5 ~= major)
      throw CBORError(isIndefinite ? .indefiniteLength : .reservedInformation(information), at: start)
    }
    let width = 1 &<< Int(information &- 24)
    guard bytes.count &- start > width else { throw CBORError(.truncated, at: start) }
    // Unaligned loads of plain integers, inside the bytes just checked for.
    let raw = bytes.bytes
    let argument: UInt64 =
      switch information {
      case 24: UInt64(raw.unsafeLoadUnaligned(fromUncheckedByteOffset: start &+ 1, as: UInt8.self))
      case 25: UInt64(raw.bigEndian(at: start &+ 1, as: UInt16.self))
      case 26: UInt64(raw.bigEndian(at: start &+ 1, as: UInt32.self))
      default: raw.bigEndian(at: start &+ 1, as: UInt64.self)
      }
    offset = start &+ 1 &+ width
    // In major type 7 the argument is a float's bits or a simple value: judged by whoever knows which.
    if major != 7 {
      let least: UInt64 = information == 24 ? 24 : 1 &<< UInt64(4 &* width)
      if argument < least { throw CBORError(.notShortest, at: start) }
    }
    return Head(major: major, information: information, argument: argument)
  }

  /// Checks the length of a string, array or map against what the input can still hold. Inlined, so that nothing is
  /// divided.
  @inline(__always)
  func length(_ head: Head, bytesPerItem: Int, at start: Int) throws(CBORError) -> Int {
    guard head.argument <= UInt64(remaining / bytesPerItem) else {
      throw CBORError(.lengthExceedsInput(head.argument), at: start)
    }
    return Int(head.argument)
  }

  /// Steps over the bytes of a string and returns where they lie.
  mutating func stringRange(_ head: Head, at start: Int) throws(CBORError) -> Range<Int> {
    let count = try length(head, bytesPerItem: 1, at: start)
    let range = offset..<(offset &+ count)
    offset = range.upperBound
    return range
  }

  /// Throws unless the bytes in `range` are UTF-8.
  func checkUTF8(_ range: Range<Int>, at start: Int) throws(CBORError) {
    if isASCII(range) { return }
    do { _ = try UTF8Span(validating: bytes.extracting(range)) } catch {
      throw CBORError(.invalidUTF8, at: start)
    }
  }

  /// Whether the bytes in `range`, which lies in the input, are ASCII: that is what nearly all texts are, and it takes a
  /// tenth of what a look at UTF-8 takes.
  private func isASCII(_ range: Range<Int>) -> Bool {
    let raw = bytes.bytes
    var seen: UInt64 = 0
    var offset = range.lowerBound
    while range.upperBound &- offset >= 8 {
      seen |= raw.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
      offset &+= 8
    }
    while offset < range.upperBound {
      seen |= UInt64(bytes[offset])
      offset &+= 1
    }
    return seen & 0x8080_8080_8080_8080 == 0
  }

  func string(_ range: Range<Int>, at start: Int) throws(CBORError) -> String {
    // Unchecked: what is ASCII is UTF-8.
    if isASCII(range) {
      return String(copying: UTF8Span(unchecked: bytes.extracting(range), isKnownASCII: true))
    }
    do { return String(copying: try UTF8Span(validating: bytes.extracting(range))) } catch {
      throw CBORError(.invalidUTF8, at: start)
    }
  }

  /// Text for an error: at most 64 bytes of it, repaired where it is cut.
  func clipped(_ range: Range<Int>) -> String {
    let shown = range.lowerBound..<min(range.upperBound, range.lowerBound &+ 64)
    return bytes.extracting(shown).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  /// A float or one of the three simple values, after its head.
  func float(_ head: Head, at start: Int) throws(CBORError) -> Double {
    switch head.information {
    case 25:
      let value = Double(Float16(bitPattern: UInt16(truncatingIfNeeded: head.argument)))
      if value.isNaN, head.argument != 0x7e00 { throw CBORError(.notShortest, at: start) }
      return value
    case 26:
      let value = Float(bitPattern: UInt32(truncatingIfNeeded: head.argument))
      if value.isNaN || Float(Float16(value)) == value { throw CBORError(.notShortest, at: start) }
      return Double(value)
    default:
      let value = Double(bitPattern: head.argument)
      if value.isNaN || Double(Float(value)) == value { throw CBORError(.notShortest, at: start) }
      return value
    }
  }

  /// Compares two encoded keys bytewise: whether `first` comes before `second`; `nil` when they are the same.
  func precedes(_ first: Range<Int>, _ second: Range<Int>) -> Bool? {
    for step in 0..<min(first.count, second.count) {
      let left = bytes[first.lowerBound &+ step]
      let right = bytes[second.lowerBound &+ step]
      if left != right { return left < right }
    }
    // Of two different encodings neither is the start of the other, so equal length means equal.
    return first.count == second.count ? nil : first.count < second.count
  }
}

extension RawSpan {
  /// An integer in network order, all of whose bytes the caller has found to be there.
  func bigEndian<Value: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: Value.Type) -> Value {
    Value(bigEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: type))
  }
}
