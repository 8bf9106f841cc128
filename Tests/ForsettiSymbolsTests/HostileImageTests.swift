import ForsettiCore
import ForsettiSymbols
import Testing

/// An executable that lies about itself gives no names or wrong ones, and costs no more than one that doesn't.
@Suite("A hostile executable") struct HostileImageTests {
  private static let small = SmallImage([
    SmallImage.Symbol(name: "first", start: 0x40_1000, size: 0x100),
    SmallImage.Symbol(name: "second", start: 0x40_1100, size: 0x80),
  ])
  private static let addresses: [UInt64] = [0x40_1000, 0x40_1100, .max, 0]
  // Fields of the symbols' section header.
  private static let table = SmallImage.sections + 64
  private static let (offset, size, link, entrySize) = (table + 24, table + 32, table + 40, table + 56)
  private static let stringOffset = SmallImage.sections + 128 + 24
  private static let stringSize = SmallImage.sections + 128 + 32

  private func names(_ change: (inout SmallImage) -> Void) -> [String?] {
    var image = Self.small
    change(&image)
    return image.functions(Self.addresses).map { $0?.name }
  }

  private let nothing = [String?](repeating: nil, count: addresses.count)

  @Test("cut anywhere it gives what is whole, and nothing else") func truncated() {
    for length in 0..<Self.small.bytes.count {
      let found = names { $0.bytes.removeLast($0.bytes.count - length) }
      #expect(found.compactMap { $0 }.allSatisfy { ["first", "second"].contains($0) })
    }
    #expect(names { $0.bytes.removeLast(1) } == ["first", nil, nil, nil])
  }

  @Test("with headers of something else, or none, is not looked at") func headers() {
    #expect(names { $0.bytes = [] } == nothing)
    for (place, value) in [(0, 0), (4, 1), (5, 2), (6, 0), (16, 1), (54, 0), (58, 63)] as [(Int, UInt8)] {
      #expect(names { $0.bytes[place] = value } == nothing)
    }
    // No section, and more than any program has.
    #expect(names { $0.put(UInt16(0), at: 60) } == nothing)
    #expect(names { $0.put(UInt16.max, at: 60) } == nothing)
    #expect(names { $0.put(UInt64.max, at: 40) } == nothing)
    // No segment, one that isn't loaded, and none that has the first byte.
    #expect(names { $0.put(UInt16(0), at: 56) } == nothing)
    #expect(names { $0.put(UInt16.max, at: 56) } == nothing)
    #expect(names { $0.put(UInt64.max, at: 32) } == nothing)
    #expect(names { $0.put(UInt32(2), at: SmallImage.segments) } == nothing)
    #expect(names { $0.put(UInt64(1), at: SmallImage.segments + 8) } == nothing)
  }

  @Test("with offsets beyond its end, or that wrap around, gives nothing") func offsets() {
    for value in [1 << 20, UInt64(Int64.max), .max, .max - 23] as [UInt64] {
      #expect(names { $0.put(value, at: Self.offset) } == nothing)
      #expect(names { $0.put(value, at: Self.stringOffset) } == nothing)
    }
    #expect(names { $0.put(UInt32.max, at: SmallImage.symbols) } == [nil, "second", nil, nil])
  }

  @Test("with huge counts is read no further than it goes, and in pieces") func counts() {
    var image = Self.small
    image.put(UInt64.max, at: Self.size)
    image.put(UInt64.max, at: Self.stringSize)
    var largest = 0
    let found = FunctionSymbol.around(Self.addresses.map { $0 &- SmallImage.origin }) { offset, count in
      largest = max(largest, count)
      return image.bytes.read(at: offset, count)
    }
    #expect(found.map { $0?.name } == ["first", "second", nil, nil])
    #expect(largest <= 65_536)
  }

  @Test("without an end is read to a bound") func endless() {
    var image = Self.small
    image.put(UInt64.max, at: Self.size)
    var total = 0
    let found = FunctionSymbol.around([0x1000]) { offset, count in
      total += count
      let known = image.bytes.read(at: offset, count)
      return known + [UInt8](repeating: 0, count: count - known.count)
    }
    #expect(found.map { $0?.name } == ["first"])
    #expect(total < 64 << 20)
  }

  @Test("whose tables overlap each other or the headers, or name themselves, gives what lies there")
  func overlapping() {
    // The symbols lie over the headers: nothing there is a function.
    #expect(names { $0.put(UInt64(0), at: Self.offset) } == nothing)
    // The strings lie over the symbols.
    let found = names { $0.put(UInt64(SmallImage.symbols), at: Self.stringOffset) }
    #expect(found.compactMap { $0 }.allSatisfy { $0 != "first" && $0 != "second" })
    // A table of symbols that names itself, or a section that isn't there, as its strings.
    for value in [0, 1, 3, UInt32.max] as [UInt32] {
      #expect(names { $0.put(value, at: Self.link) } == nothing)
    }
    for value in [0, 1, 23, 25, UInt64.max] as [UInt64] {
      #expect(names { $0.put(value, at: Self.entrySize) } == nothing)
    }
  }

  @Test("whose functions reach over the end of memory gives them for what is in memory") func wrapping() {
    let image = SmallImage([SmallImage.Symbol(name: "all", start: 0x1000, size: .max)])
    #expect(image.functions([0, 0xfff, 0x1000, .max]).map { $0?.name } == [nil, nil, "all", "all"])
  }

  @Test("whose names are no text gives none") func noText() {
    #expect(names { $0.bytes[$0.strings + 1] = 0xff } == [nil, "second", nil, nil])
  }

  @Test("of whatever bytes makes nothing trap") func noise() {
    let seed = UInt64.random(in: 0...UInt64.max)
    // Said before anything is tried, for a trap says nothing: with this number in its place the same comes again.
    print("HostileImageTests.noise: seed \(seed)")
    var generator = SplitMix64(seed: seed)
    for _ in 0..<5_000 {
      let found = names { image in
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
          image.bytes[Int.random(in: 0..<image.bytes.count, using: &generator)] = .random(
            in: 0...255, using: &generator)
        }
        image.bytes.removeLast(Int.random(in: 0...8, using: &generator))
      }
      #expect(found.count == Self.addresses.count, "seed \(seed)")
    }
  }
}
