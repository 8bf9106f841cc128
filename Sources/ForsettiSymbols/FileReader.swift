/// Reads a file that nobody vouches for: at most `count` bytes from `offset` on, fewer where it ends or can't be read.
public typealias FileReader = (_ offset: UInt64, _ count: Int) -> [UInt8]

extension RawSpan {
  /// A little-endian number; `nil` where the bytes end before it.
  func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int, _: Number.Type = Number.self)
    -> Number?
  {
    let size = MemoryLayout<Number>.size
    guard offset >= 0, size <= byteCount, offset <= byteCount - size else { return nil }
    // Unsafe in name only: an integer is valid whatever its bits are, and the bounds are checked above and again there.
    return Number(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: Number.self))
  }
}
