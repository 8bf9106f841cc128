import CLinux
import ForsettiCore

/// Takes records of last words out of a stream of log text, cut anywhere. The newest counts: after a real one nothing
/// follows, while a forged one is followed by whatever really ended the process.
struct LastWordsScanner: Sendable {
  /// Bytes of a whole record, the mark included.
  static let recordSize = MemoryLayout<cl_last_words>.size
  private static let mark: [UInt8] = withUnsafeBytes(of: cl_last_words_mark) { Array($0) }

  /// The newest record that was complete and sound.
  private(set) var newest: LastWords?
  /// The beginning of what may become a record.
  private var held: [UInt8] = []

  /// Passes text on, record bytes taken out. Text without the mark's first byte, which no UTF-8 holds, is never copied.
  mutating func feed(_ bytes: UnsafeRawBufferPointer, _ text: (UnsafeRawBufferPointer) -> Void) {
    var rest = bytes[...]
    while !rest.isEmpty {
      if held.isEmpty {
        let start = rest.firstIndex(of: Self.mark[0]) ?? rest.endIndex
        if start > rest.startIndex { text(UnsafeRawBufferPointer(rebasing: rest[..<start])) }
        rest = rest[start...]
      }
      while let byte = rest.first, held.count < Self.recordSize {
        if held.count < Self.mark.count, byte != Self.mark[held.count] { break }
        held.append(byte)
        rest = rest.dropFirst()
      }
      if held.count == Self.recordSize {
        newest = Self.decode(held) ?? newest
        held.removeAll()
      } else if !rest.isEmpty {
        release(text)
      }
    }
  }

  /// Passes on what was held back and never became a record.
  mutating func finish(_ text: (UnsafeRawBufferPointer) -> Void) {
    if held.count < Self.mark.count { release(text) } else { held.removeAll() }
  }

  private mutating func release(_ text: (UnsafeRawBufferPointer) -> Void) {
    held.withUnsafeBytes { if !$0.isEmpty { text($0) } }
    held.removeAll()
  }

  /// The record in these bytes; `nil` where a number is beyond its bounds.
  static func decode(_ bytes: [UInt8]) -> LastWords? {
    guard bytes.count == recordSize else { return nil }
    func word(_ offset: Int?) -> UInt64 {
      bytes[(offset ?? 0)...].prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    func half(_ offset: Int?) -> UInt32 { UInt32(truncatingIfNeeded: word(offset)) }
    typealias Record = cl_last_words
    let signal = half(MemoryLayout<Record>.offset(of: \.signal))
    let count = half(MemoryLayout<Record>.offset(of: \.count))
    guard (1...64).contains(signal), count <= LastWords.maximumFrames else { return nil }
    let frames = MemoryLayout<Record>.offset(of: \.frames) ?? 0
    return LastWords(
      signal: Int32(signal), code: Int32(bitPattern: half(MemoryLayout<Record>.offset(of: \.code))),
      address: word(MemoryLayout<Record>.offset(of: \.address)),
      base: word(MemoryLayout<Record>.offset(of: \.base)),
      frames: (0..<Int(count)).map { word(frames + 8 * $0) })
  }
}
