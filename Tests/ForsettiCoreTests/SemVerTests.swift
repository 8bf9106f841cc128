import ForsettiCore
import Testing

@Suite("Versions")
struct SemVerTests {
  @Test("the order is that of SemVer 2.0 §11")
  func order() throws {
    let ascending = [
      "0.9.9", "1.0.0-0", "1.0.0-2", "1.0.0-10", "1.0.0-99999999999999999998", "1.0.0-99999999999999999999",
      "1.0.0-100000000000000000000", "1.0.0-Beta", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta",
      "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.0.1", "1.1.0", "2.0.0",
    ]
    let versions = try ascending.map { try SemVer.parse($0) }
    #expect(versions.map(\.description) == ascending)
    for (index, low) in versions.enumerated() {
      #expect(!(low < low))
      for high in versions[(index + 1)...] {
        #expect(low < high)
        #expect(!(high < low))
      }
    }
  }

  @Test(
    "what is no version is refused",
    arguments: [
      "", "1", "1.2", "1.2.3.4", "1..3", "01.2.3", "+1.2.3", "-1.2.3", "1.-2.3", " 1.2.3", "1.2.3-",
      "1.2.3-a..b",
      "1.2.3-01", "1.2.3+b", "1.2.3-b+c", "1.2.x", "1.2.99999999999999999999", "１.2.3",
    ])
  func refused(text: String) {
    #expect(throws: SemVerParseError.invalidFormat(text)) { try SemVer.parse(text) }
  }
}
