import ForsettiCore
import Testing

@testable import ForsettiSupervisor

@Suite struct OutputTests {
  @Test("JSON keeps the order of members and rounds milliseconds") func json() {
    let value: JSONValue = .record([
      "z": .string("a\"b\n"), "a": .array([.integer(1), .count(nil), .bool(true), .milliseconds(1.00049)]),
      "o": .milliseconds(Double.nan), "s": .strings(["x"]), "n": .string(String?.none),
    ])
    #expect(value.line == #"{"z":"a\"b\n","a":[1,null,true,1],"o":null,"s":["x"],"n":null}"# + "\n")
  }

  @Test("decimals are rounded and padded") func decimals() {
    #expect(decimalText(0.05, places: 3) == "0.050")
    #expect(decimalText(12.3456, places: 1) == "12.3")
    #expect(decimalText(-1.5, places: 2) == "-1.50")
    #expect(decimalText(999.9996, places: 3) == "1000.000")
    #expect(decimalText(7.4, places: 0) == "7")
  }

  @Test("columns line up whether or not they are coloured") func alignment() {
    func lines(_ style: TextStyle) -> String {
      columns([[style.pass, "short", "end"], [style.fail, "longer cell", "end"]])
    }
    let plain = lines(.plain)
    #expect(plain == "  ✓  short        end\n  ✗  longer cell  end\n")
    let coloured = lines(TextStyle(isColoured: true))
    #expect(coloured.replacing(#/\u{1B}\[[0-9]+m/#, with: "") == plain)
    #expect(coloured != plain)
  }

  @Test("text from outside cannot steer a terminal") func escaping() {
    #expect(escaped("a\u{1B}[2Jb\u{202E}c\u{9B}d") == "a\\u{1B}[2Jb\\u{202E}c\\u{9B}d")
  }

  @Test("exit statuses are those of sysexits.h") func statuses() {
    #expect(ExitStatus.allCases.map(\.rawValue) == [0, 64, 65, 66, 69, 70, 71, 73, 74, 75, 77, 78])
  }
}
