import Testing

@testable import ForsettiModules

@Suite struct CSVWriterTests {
  private static let cells: [(String, String)] = [
    ("plain", "plain"), ("", ""), ("a,b", "\"a,b\""), ("say \"yes\"", "\"say \"\"yes\"\"\""),
    ("two\nlines", "\"two\nlines\""), ("a;b", "\"a;b\""), ("Zoë’s Mac", "Zoë’s Mac"),
    ("=1+1", "'=1+1"), ("+SUM(A1)", "'+SUM(A1)"), ("-2+3", "'-2+3"), ("@cmd", "'@cmd"), ("=", "'="),
    ("=HYPERLINK(\"x\",\"y\")", "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\""), ("\t=1", "\"'\t'=1\""),
    ("\r=1", "\"'\r'=1\""), ("\u{FF1D}1", "'\u{FF1D}1"), ("-12", "-12"), ("+49", "+49"), ("-1.5", "-1.5"),
    ("-", "'-"), ("-1.2.3", "'-1.2.3"), ("-.", "'-."), ("1=1", "1=1"),
    ("a;=1+1;b", "\"a;'=1+1;b\""), ("a, \"=1", "\"a, \"\"'=1\""), ("a\n@x", "\"a\n'@x\""), ("a;b", "\"a;b\""),
  ]

  @Test("a cell is quoted where it must be, and never a formula", arguments: cells)
  func cell(text: String, written: String) {
    var csv = CSVWriter(columns: ["A", "B"])
    csv.add([text, "x"])
    #expect(csv.documents.map { String(decoding: $0, as: UTF8.self) } == ["A,B\r\n\(written),x\r\n"])
  }

  @Test("a table without rows has its titles") func empty() {
    #expect(CSVWriter(columns: ["A", "=B"]).documents == [Array("A,'=B\r\n".utf8)])
  }

  @Test("what is too large goes on in a next document, with the titles again") func parts() {
    var csv = CSVWriter(columns: ["A"], documentLimit: 9)
    for cell in ["11", "22", "333333333", "44"] { csv.add([cell]) }
    #expect(
      csv.documents.map { String(decoding: $0, as: UTF8.self) } == [
        "A\r\n11\r\n", "A\r\n22\r\n", "A\r\n333333333\r\n", "A\r\n44\r\n",
      ])
  }
}
