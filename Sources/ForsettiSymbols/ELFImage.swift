/// What is known of an ELF executable of 64 bits before its symbols are looked at (elf(5)). Its bytes may be anything:
/// every number is compared with a bound before it is used, and what is out of bounds makes no image.
struct ELFImage {
  /// One section, as its header has it. Offset and size are the file's word.
  struct Section {
    static let headerSize = 64

    var kind: UInt32
    var offset: UInt64
    var size: UInt64
    var link: UInt32
    var entrySize: UInt64

    static let symbols: UInt32 = 2
    static let strings: UInt32 = 3
    static let dynamicSymbols: UInt32 = 11
  }

  /// The address that its first byte was linked for.
  let origin: UInt64
  /// Its sections, in the file's order.
  let sections: [Section]

  private static let headerSize = 64
  private static let segmentSize = 56
  private static let loadable: UInt32 = 1
  private static let mostSegments = 128
  private static let mostSections = 4_096

  /// Reads the headers; `nil` where they are none of an ELF64 program, little-endian.
  init?(_ read: FileReader) {
    let head = read(0, Self.headerSize)
    // The magic, ELFCLASS64, ELFDATA2LSB, EV_CURRENT.
    guard head.count == Self.headerSize, head.starts(with: [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]) else {
      return nil
    }
    let bytes = head.span.bytes
    // ET_EXEC, or ET_DYN where it can be moved.
    guard let kind = bytes.number(at: 16, UInt16.self), kind == 2 || kind == 3,
      let segments = Self.table(
        bytes, at: 32, entrySize: (54, Self.segmentSize), count: (56, Self.mostSegments)),
      let origin = Self.origin(of: read(segments.offset, segments.size)),
      let sections = Self.table(
        bytes, at: 40, entrySize: (58, Section.headerSize), count: (60, Self.mostSections))
    else { return nil }
    self.origin = origin
    self.sections = Self.sections(of: read(sections.offset, sections.size))
  }

  /// Where a table lies that the header tells of by three fields: its offset, the size of an entry and their number.
  private static func table(
    _ head: RawSpan, at offset: Int, entrySize: (at: Int, wanted: Int), count: (at: Int, most: Int)
  ) -> (offset: UInt64, size: Int)? {
    guard let start = head.number(at: offset, UInt64.self),
      head.number(at: entrySize.at, UInt16.self) == UInt16(entrySize.wanted),
      let entries = head.number(at: count.at, UInt16.self), (1...count.most).contains(Int(entries))
    else { return nil }
    return (start, Int(entries) * entrySize.wanted)
  }

  /// The address of the first segment that the file's first byte lies in.
  private static func origin(of table: [UInt8]) -> UInt64? {
    let bytes = table.span.bytes
    for start in stride(from: 0, to: table.count, by: segmentSize)
    where bytes.number(at: start) == loadable && bytes.number(at: start + 8) == UInt64(0) {
      return bytes.number(at: start + 16)
    }
    return nil
  }

  private static func sections(of table: [UInt8]) -> [Section] {
    let bytes = table.span.bytes
    return stride(from: 0, to: table.count, by: Section.headerSize).compactMap { start in
      guard let kind = bytes.number(at: start + 4, UInt32.self),
        let offset = bytes.number(at: start + 24, UInt64.self),
        let size = bytes.number(at: start + 32, UInt64.self),
        let link = bytes.number(at: start + 40, UInt32.self),
        let entrySize = bytes.number(at: start + 56, UInt64.self)
      else { return nil }
      return Section(kind: kind, offset: offset, size: size, link: link, entrySize: entrySize)
    }
  }
}
