/// Cuts what a module writes to stdout and stderr into lines of bounded length.
struct LogLines: Sendable {
  /// Bytes kept of a line; the rest of it is counted and dropped.
  static let maximumLength = 8192

  /// One line, without its end.
  struct Line: Sendable, Hashable {
    /// The text, with what is no UTF-8 replaced.
    var text: String
    /// Bytes of the line that were dropped.
    var droppedBytes: Int
  }

  private var partial: [UInt8] = []
  private var dropped = 0

  /// Takes bytes and hands out every line that they end and that is wanted. What is not wanted costs no text, and a
  /// line without end costs `maximumLength` bytes and no more.
  mutating func feed(
    _ bytes: UnsafeRawBufferPointer, where isWanted: () -> Bool = { true }, _ emit: (Line) -> Void
  ) {
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      keep(rest[..<end])
      if isWanted() { emit(line) }
      clear()
      rest = rest[(end + 1)...]
    }
    keep(rest)
  }

  /// Hands out what stands without an end, when the pipe is closed.
  mutating func finish(_ emit: (Line) -> Void) {
    if !partial.isEmpty || dropped > 0 { emit(line) }
    clear()
  }

  private mutating func keep(_ bytes: Slice<UnsafeRawBufferPointer>) {
    let room = Self.maximumLength - partial.count
    partial.append(contentsOf: bytes.prefix(room))
    dropped += max(0, bytes.count - room)
  }

  private var line: Line {
    Line(text: String(decoding: partial, as: UTF8.self), droppedBytes: dropped)
  }

  private mutating func clear() {
    partial.removeAll(keepingCapacity: true)
    dropped = 0
  }
}
