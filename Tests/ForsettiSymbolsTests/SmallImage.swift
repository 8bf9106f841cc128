import ForsettiSymbols

/// An ELF executable of a few symbols, in bytes that a test can spoil.
struct SmallImage {
  struct Symbol {
    var name: String
    var start: UInt64
    var size: UInt64
    /// STT_FUNC, STB_LOCAL.
    var information: UInt8 = 2
    var section: UInt16 = 1
  }

  /// Where the program headers are, 56 bytes each: what is loaded from the file's first byte on.
  static let segments = 64
  /// Where the section headers are, 64 bytes each: none, symbols, strings.
  static let sections = segments + 56
  /// Where the symbols are, 24 bytes each.
  static let symbols = sections + 3 * 64
  /// The address that the first byte is linked for.
  static let origin: UInt64 = 0x40_0000

  var bytes: [UInt8] = []
  /// Where the names are.
  let strings: Int

  init(_ symbols: [Symbol], kind: UInt16 = 2, table: UInt32 = 2) {
    strings = Self.symbols + symbols.count * 24
    var names: [UInt8] = [0]
    var entries: [UInt8] = []
    for symbol in symbols {
      entries += Self.little(UInt32(names.count)) + [symbol.information, 0] + Self.little(symbol.section)
      entries += Self.little(symbol.start) + Self.little(symbol.size)
      names += Array(symbol.name.utf8) + [0]
    }
    bytes = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 9)
    bytes += Self.little(kind) + Self.little(UInt16(62)) + Self.little(UInt32(1)) + Self.little(Self.origin)
    bytes += Self.little(UInt64(Self.segments)) + Self.little(UInt64(Self.sections)) + Self.little(UInt32(0))
    for half in [64, 56, 1, 64, 3, 0] as [UInt16] { bytes += Self.little(half) }
    bytes +=
      Self.little(UInt32(1)) + Self.little(UInt32(5)) + Self.little(UInt64(0)) + Self.little(Self.origin)
    bytes += [UInt8](repeating: 0, count: 32 + 64)
    bytes += Self.section(table, at: Self.symbols, size: entries.count, link: 2, entrySize: 24)
    bytes += Self.section(3, at: strings, size: names.count, link: 0, entrySize: 0)
    bytes += entries + names
  }

  /// Puts a number into the bytes, little-endian.
  mutating func put(_ value: some FixedWidthInteger, at offset: Int) {
    let new = Self.little(value)
    bytes.replaceSubrange(offset..<offset + new.count, with: new)
  }

  /// The functions around addresses as linked.
  func functions(_ addresses: [UInt64]) -> [FunctionSymbol?] {
    FunctionSymbol.around(addresses.map { $0 &- Self.origin }, in: bytes.read)
  }

  private static func section(
    _ kind: UInt32, at offset: Int, size: Int, link: UInt32, entrySize: UInt64
  ) -> [UInt8] {
    little(UInt32(0)) + little(kind) + little(UInt64(0)) + little(UInt64(0)) + little(UInt64(offset))
      + little(UInt64(size)) + little(link) + little(UInt32(0)) + little(UInt64(8)) + little(entrySize)
  }

  private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}

extension [UInt8] {
  /// These bytes as a file.
  func read(at offset: UInt64, _ count: Int) -> [UInt8] {
    guard offset < UInt64(self.count) else { return [] }
    return Array(self[Int(offset)...].prefix(count))
  }
}
