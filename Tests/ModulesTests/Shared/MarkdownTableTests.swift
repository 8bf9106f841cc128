import Testing

@testable import ForsettiModules

@Suite struct MarkdownTableTests {
  @Test("a table has a rule under its titles, and cells that stay cells") func table() {
    #expect(
      MarkdownTable.lines(columns: ["A", "B|"], rows: [["1", "<b>"], ["x\ny", "`c`"]]) == [
        "| A | B\\| |", "| --- | --- |", "| 1 | \\<b\\> |", "| x<br>y | \\`c\\` |",
      ])
  }
}
