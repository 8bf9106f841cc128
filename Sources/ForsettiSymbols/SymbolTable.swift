/// One table of symbols with the strings that it names them by. It is read in pieces, so that memory never depends on
/// what the file says of itself.
struct SymbolTable {
  let symbols: ELFImage.Section
  let strings: ELFImage.Section

  private static let entrySize = 24
  private static let entriesAPiece = 2_048
  /// As many as are looked at; the module host has 44,000.
  private static let mostEntries: UInt64 = 2_000_000

  /// The tables of an image, the full one before the one for the dynamic linker: at most one of each.
  static func all(of image: ELFImage) -> [SymbolTable] {
    [ELFImage.Section.symbols, ELFImage.Section.dynamicSymbols].compactMap { kind in
      guard let symbols = image.sections.first(where: { $0.kind == kind }),
        symbols.entrySize == UInt64(entrySize), Int(symbols.link) < image.sections.count
      else { return nil }
      let strings = image.sections[Int(symbols.link)]
      return strings.kind == ELFImage.Section.strings ? SymbolTable(symbols: symbols, strings: strings) : nil
    }
  }

  /// The named function around each of these addresses, which ascend; those around which there is none are left out.
  func functions(around addresses: [UInt64], in file: FileReader) -> [UInt64: FunctionSymbol] {
    var best = [Entry?](repeating: nil, count: addresses.count)
    forEachFunction(in: file) { entry in
      var index = addresses.firstIndex(notBelow: entry.start)
      while index < addresses.count, addresses[index] - entry.start < entry.size {
        if best[index].map({ entry.isBetter(than: $0) }) ?? true { best[index] = entry }
        index += 1
      }
    }
    var found: [UInt64: FunctionSymbol] = [:]
    for (address, entry) in zip(addresses, best) {
      guard let entry, let name = name(at: entry.name, in: file) else { continue }
      found[address] = FunctionSymbol(name: name, start: entry.start)
    }
    return found
  }

  private func forEachFunction(in file: FileReader, _ body: (Entry) -> Void) {
    let count = min(symbols.size / UInt64(Self.entrySize), Self.mostEntries)
    var read: UInt64 = 0
    while read < count {
      let wanted = Int(min(UInt64(Self.entriesAPiece), count - read))
      let (offset, overflow) = symbols.offset.addingReportingOverflow(read * UInt64(Self.entrySize))
      if overflow { return }
      let piece = file(offset, wanted * Self.entrySize)
      let bytes = piece.span.bytes
      for index in 0..<piece.count / Self.entrySize {
        if let entry = Entry(bytes, at: index * Self.entrySize) { body(entry) }
      }
      // The file ends before its table does.
      if piece.count < wanted * Self.entrySize { return }
      read += UInt64(wanted)
    }
  }

  /// The string at an offset of the table, up to its NUL.
  private func name(at start: UInt32, in file: FileReader) -> String? {
    guard UInt64(start) < strings.size else { return nil }
    let (offset, overflow) = strings.offset.addingReportingOverflow(UInt64(start))
    if overflow { return nil }
    let bytes = file(offset, Int(min(UInt64(FunctionSymbol.longestName) + 1, strings.size - UInt64(start))))
    guard let end = bytes.firstIndex(of: 0), end > 0 else { return nil }
    return String(validating: bytes[..<end], as: UTF8.self)
  }
}

extension SymbolTable {
  /// A function with a size, as its table has it.
  struct Entry {
    let name: UInt32
    let start: UInt64
    let size: UInt64
    private let binding: UInt8

    private static let function: UInt8 = 2
    private static let indirectFunction: UInt8 = 10
    private static let global: UInt8 = 1

    /// Reads it; `nil` for what is no function, is defined elsewhere or has no size.
    init?(_ bytes: RawSpan, at offset: Int) {
      guard let name = bytes.number(at: offset, UInt32.self),
        let information = bytes.number(at: offset + 4, UInt8.self),
        let section = bytes.number(at: offset + 6, UInt16.self),
        let start = bytes.number(at: offset + 8, UInt64.self),
        let size = bytes.number(at: offset + 16, UInt64.self),
        [Self.function, Self.indirectFunction].contains(information & 0xf), section != 0, size > 0
      else { return nil }
      self.name = name
      self.start = start
      self.size = size
      binding = information >> 4
    }

    /// Of two functions around one address the inner one is meant, of two names of one function the one that others
    /// link to.
    func isBetter(than other: Entry) -> Bool {
      if start != other.start { return start > other.start }
      if size != other.size { return size < other.size }
      return binding == Self.global && other.binding != Self.global
    }
  }
}

extension [UInt64] {
  /// The first of ascending numbers that is not below `value`; the end where all are.
  fileprivate func firstIndex(notBelow value: UInt64) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if self[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
