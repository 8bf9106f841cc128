import ForsettiSymbols
import Testing

@Suite("The function around a place") struct FunctionSymbolTests {
  private static let small = SmallImage([
    SmallImage.Symbol(name: "first", start: 0x40_1000, size: 0x100),
    SmallImage.Symbol(name: "second", start: 0x40_1100, size: 0x80),
    SmallImage.Symbol(name: "data", start: 0x40_1180, size: 0x80, information: 1),
    SmallImage.Symbol(name: "label", start: 0x40_1180, size: 0),
    SmallImage.Symbol(name: "elsewhere", start: 0x40_1180, size: 0x80, section: 0),
  ])

  @Test("is the one whose range holds it, to the byte") func range() {
    let found = Self.small.functions([0x40_1000, 0x40_10ff, 0x40_1100, 0x40_117f, 0x40_0fff])
    #expect(found.map { $0?.name } == ["first", "first", "second", "second", nil])
    #expect(found[1]?.start == 0x1000)
  }

  @Test("is none where there is only data, a label, or something defined elsewhere") func none() {
    #expect(Self.small.functions([0x40_1180, 0, .max]) == [nil, nil, nil])
  }

  @Test("is found for each of the addresses, in their order, one twice if asked twice") func order() {
    let found = Self.small.functions([0x40_1100, 0x40_1000, 0x40_1100])
    #expect(found.map { $0?.name } == ["second", "first", "second"])
    #expect(Self.small.functions([]) == [])
  }

  @Test("is the inner of two, and of two names of one the one that others link to") func best() {
    let image = SmallImage([
      SmallImage.Symbol(name: "outer", start: 0x1000, size: 0x1000),
      SmallImage.Symbol(name: "inner", start: 0x1800, size: 0x10),
      SmallImage.Symbol(name: "alias", start: 0x1800, size: 0x10),
      SmallImage.Symbol(name: "linked", start: 0x1800, size: 0x10, information: 0x12),
      SmallImage.Symbol(name: "weak", start: 0x1800, size: 0x10, information: 0x22),
      SmallImage.Symbol(name: "wide", start: 0x1800, size: 0x100),
    ])
    #expect(image.functions([0x1804, 0x1810, 0x17ff]).map { $0?.name } == ["linked", "wide", "outer"])
  }

  @Test("is told by its distance from the first byte, wherever that was linked for") func moved() {
    for (kind, origin) in [(2, 0x40_0000), (3, 0), (3, UInt64.max)] as [(UInt16, UInt64)] {
      var image = SmallImage(
        [SmallImage.Symbol(name: "first", start: origin &+ 0x1000, size: 0x100)], kind: kind)
      image.put(origin, at: SmallImage.segments + 16)
      #expect(
        FunctionSymbol.around([0x1010], in: image.bytes.read) == [
          FunctionSymbol(name: "first", start: 0x1000)
        ])
    }
  }

  @Test("comes from the dynamic linker's table where there is no other") func dynamic() {
    let image = SmallImage([SmallImage.Symbol(name: "f", start: 8, size: 8)], table: 11)
    #expect(image.functions([9]).map { $0?.name } == ["f"])
  }

  @Test("a name may be long, but not for ever") func longNames() {
    func found(_ count: Int) -> Int? {
      let name = String(repeating: "n", count: count)
      return SmallImage([SmallImage.Symbol(name: name, start: 8, size: 8)]).functions([9])[0]?.name.utf8.count
    }
    #expect(found(FunctionSymbol.longestName) == FunctionSymbol.longestName)
    #expect(found(FunctionSymbol.longestName + 1) == nil)
    #expect(found(0) == nil)
  }
}
