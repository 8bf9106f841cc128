extension RawSpan {
  /// Whether both hold the same bytes; eight are compared at once.
  public func isEqual(to other: RawSpan) -> Bool {
    guard byteCount == other.byteCount else { return false }
    var offset = 0
    while byteCount &- offset >= 8 {
      // Unaligned loads of plain integers, inside the bytes of both.
      let left = unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
      let right = other.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
      if left != right { return false }
      offset &+= 8
    }
    while offset < byteCount {
      let left = unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt8.self)
      let right = other.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt8.self)
      if left != right { return false }
      offset &+= 1
    }
    return true
  }
}
