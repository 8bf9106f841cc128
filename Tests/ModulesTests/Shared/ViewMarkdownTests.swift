import ForsettiCore
import Testing

@testable import ForsettiModules

@Suite("A view as Markdown") struct ViewMarkdownTests {
  @Test(
    "has what the view says, and nothing that is pressed or filled in",
    arguments: [
      (.text("Home", style: .title), "# Home\n"),
      (.text("a|b <i>", style: .body), "a\\|b \\<i\\>\n"),
      (.text(" "), "\n"),
      (.list([.text("a", style: .heading), .text("b")]), "## a\n\nb\n"),
      (.list([.text("a"), .badge("b")], style: .bullets), "- a\n- b\n"),
      (.list([.text("a"), .text("b")], style: .numbers), "1. a\n2. b\n"),
      (
        .keyValues([ViewKeyValue("State", .badge("up", tone: .success))]),
        "| Field | Value |\n| --- | --- |\n| State | up |\n"
      ),
      (
        .table(
          columns: ["A", ""],
          rows: [[.text("1"), .button(title: "Open", action: .openOverlay(routeID: "r"))]]),
        "| A |\n| --- |\n| 1 |\n"
      ),
      (
        .chart(ViewChart(.bar, labels: ["x", "y"], series: [ViewChart.Series("n", [1, 0.5])])),
        "|  | n |\n| --- | --- |\n| x | 1 |\n| y | 0.5 |\n"
      ),
      (.badge("good", tone: .success), "**good**\n"),
      (.progress(0.256, label: "Reading"), "Reading: 26 %\n"),
      (.progress(nil, label: "Reading"), "Reading\n"),
      (.form(ViewForm(fields: [], submitTitle: "Go", eventType: "a.b")), "\n"),
    ] as [(ViewNode, String)])
  func nodes(node: ViewNode, expected: String) {
    #expect(ViewMarkdown.document(node) == expected)
  }
}
