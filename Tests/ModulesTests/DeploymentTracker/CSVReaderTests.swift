import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite("The CSV reader") struct CSVReaderTests {
  private static let right: [(String, [[String]])] = [
    ("", []), ("\n\r\n", []), ("a", [["a"]]), ("a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"]]),
    ("a,b\nc,d", [["a", "b"], ["c", "d"]]), ("a,b\rc,d", [["a", "b"], ["c", "d"]]),
    ("\u{FEFF}a,b", [["a", "b"]]), (",", [["", ""]]), ("a,,", [["a", "", ""]]),
    (" a , b ", [["a", "b"]]), ("\" a \",\"\"", [[" a ", ""]]),
    ("\"a,b\",\"c\"\"d\"", [["a,b", "c\"d"]]), ("\"a\r\nb\",c\nd,e", [["a\r\nb", "c"], ["d", "e"]]),
    ("a;b\nc;d,e", [["a", "b"], ["c", "d,e"]]), ("a\tb\nc\td", [["a", "b"], ["c", "d"]]),
    ("\"a,b\";c\nd;e", [["a,b", "c"], ["d", "e"]]), ("ä,\u{1F4E6}\n", [["ä", "\u{1F4E6}"]]),
    ("a\n\n\nb", [["a"], ["b"]]), ("\"\"\"\"", [["\""]]),
  ]

  @Test("reads what RFC 4180 allows, and what spreadsheets make of it", arguments: right)
  func read(text: String, rows: [[String]]) throws {
    #expect(try CSVReader.rows(of: text).map { $0.map(\.text) } == rows)
  }

  private static let wrong: [(String, CSVFault.Reason, Int, Int)] = [
    ("a,b\nc,\"d", .unclosedQuote, 2, 3), ("a\"b", .quoteInText, 1, 2),
    ("a,b\r\nä,\u{1F4E6}\"", .quoteInText, 2, 4), ("\"a\"b", .textAfterQuote, 1, 4),
    ("\"a\nb\"c", .textAfterQuote, 2, 3), ("a\u{0}", .noText, 1, 2), ("\"\u{0}\"", .noText, 1, 2),
    ("a,b,c,d,e", .tooManyColumns(4), 1, 9), ("1\n2\n3\n4", .tooManyRows(3), 4, 1),
    ("a,123456789", .cellTooLong(bytes: 8), 1, 3), ("a\n\"123456789\"", .cellTooLong(bytes: 8), 2, 1),
    (String(repeating: "x\n", count: 33), .textTooLong(bytes: 64), 1, 1),
  ]

  @Test("names a fault by its line and column", arguments: wrong)
  func refused(text: String, reason: CSVFault.Reason, line: Int, column: Int) {
    let limits = CSVReader.Limits(bytes: 64, rows: 3, columns: 4, cellBytes: 8)
    let fault = #expect(throws: CSVFault.self) { try CSVReader.rows(of: text, limits: limits) }
    #expect(fault == CSVFault(TextPosition(line: line, column: column), reason))
    #expect(fault?.text.isEmpty == false)
  }

  @Test("never traps, whatever comes, and reads back what a writer wrote")
  func arbitrary() throws {
    var random = SplitMix64(seed: 4180)
    let pieces = ["\"", ",", ";", "\t", "\r", "\n", "a", "ä", "\u{1F4E6}", "\u{0}", "\u{FEFF}", " "]
    for _ in 0..<3_000 {
      let text = (0..<Int.random(in: 0...30, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined()
      _ = try? CSVReader.rows(of: text)
      let cells = [text.replacing("\u{0}", with: ""), "b"]
      var writer = CSVWriter(columns: ["A", "B"])
      writer.add(cells)
      let written = String(decoding: writer.documents.flatMap { $0 }, as: UTF8.self)
      let row = try #require(try CSVReader.rows(of: written).last)
      #expect(row.count == 2 && row[1].text == "b")
    }
  }
}
