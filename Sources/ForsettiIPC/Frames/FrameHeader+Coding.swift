extension FrameHeader {
  /// Largest payload: the body without its head.
  public static let maximumPayload = maximumBody - maximumHead
  /// The flag bits this version knows.
  static let knownFlags: UInt8 = 0

  /// Bytes of the body after the head.
  var payloadLength: Int { Int(length) &- Int(headLength) }

  /// Decodes and checks the header in the first 24 of `bytes`; throws `truncated` when there are fewer.
  public static func decode(_ bytes: Span<UInt8>) throws(FrameError) -> FrameHeader {
    guard bytes.count >= size else { throw .truncated(bytes.count) }
    // Unaligned loads of plain integers, inside the 24 bytes just checked for.
    let raw = bytes.bytes
    let first = UInt64(littleEndian: raw.unsafeLoadUnaligned(fromUncheckedByteOffset: 0, as: UInt64.self))
    let callID = UInt64(littleEndian: raw.unsafeLoadUnaligned(fromUncheckedByteOffset: 8, as: UInt64.self))
    let last = UInt64(littleEndian: raw.unsafeLoadUnaligned(fromUncheckedByteOffset: 16, as: UInt64.self))
    let length = UInt32(truncatingIfNeeded: first)
    let flags = UInt8(truncatingIfNeeded: first &>> 40)
    let headLength = UInt16(truncatingIfNeeded: first &>> 48)
    let reserved = UInt32(truncatingIfNeeded: last &>> 32)
    guard let kind = FrameKind(rawValue: UInt8(truncatingIfNeeded: first &>> 32)) else {
      throw .unknownKind(UInt8(truncatingIfNeeded: first &>> 32))
    }
    if flags & ~knownFlags != 0 { throw .unknownFlags(flags) }
    if length > UInt32(maximumBody) { throw .bodyTooLong(length) }
    if headLength > UInt16(maximumHead) { throw .headTooLong(headLength) }
    if UInt32(headLength) > length { throw .headExceedsBody(head: headLength, body: length) }
    let payload = length &- UInt32(headLength)
    if payload > UInt32(maximumPayload) { throw .payloadTooLong(payload) }
    if reserved != 0 { throw .reservedNotZero(reserved) }
    return FrameHeader(
      kind: kind, length: length, headLength: headLength, callID: callID,
      timeoutMilliseconds: UInt32(truncatingIfNeeded: last), flags: flags)
  }

  /// The 24 bytes on the wire, as three little-endian words.
  var words: (UInt64, UInt64, UInt64) {
    let first =
      UInt64(length) | UInt64(kind.rawValue) &<< 32 | UInt64(flags) &<< 40 | UInt64(headLength) &<< 48
    return (first.littleEndian, callID.littleEndian, UInt64(timeoutMilliseconds).littleEndian)
  }

  /// Appends the 24 bytes.
  public func encode(into bytes: inout [UInt8]) {
    withUnsafeBytes(of: words) { bytes.append(contentsOf: $0) }
  }

  /// Writes the 24 bytes over those at `offset`.
  func overwrite(_ bytes: inout [UInt8], at offset: Int) {
    let end = offset + Self.size
    bytes.withUnsafeMutableBytes { all in
      withUnsafeBytes(of: words) {
        UnsafeMutableRawBufferPointer(rebasing: all[offset..<end]).copyMemory(from: $0)
      }
    }
  }
}
