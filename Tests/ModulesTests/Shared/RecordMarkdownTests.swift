import Testing

@testable import ForsettiModules

@Suite struct RecordMarkdownTests {
  @Test("a record is a heading and a table; one without fields is the heading alone; order is kept")
  func documents() {
    let mac = SharedRecord(
      title: "Mac", fields: [("Serial Number", "C02"), ("User", nil), ("E-mail", " "), ("Model", "iMac")])
    let bare = SharedRecord(title: " Bare ", fields: [("User", "")])
    #expect(
      RecordMarkdown.document([mac, bare, mac]) == """
        ## Mac

        | Field | Value |
        | --- | --- |
        | Serial Number | C02 |
        | Model | iMac |

        ## Bare

        ## Mac

        | Field | Value |
        | --- | --- |
        | Serial Number | C02 |
        | Model | iMac |

        """)
    #expect(RecordMarkdown.document([bare]) == "## Bare\n")
  }

  @Test(
    "a text stays in its cell, and is nothing but text",
    arguments: [
      ("a|b\nc", #"a\|b<br>c"#), ("a\r\nb\rc\n\nd", "a<br>b<br>c<br><br>d"), ("  x \n", "x"),
      (#"a\|b"#, #"a\\\|b"#), ("<script>", #"\<script\>"#), ("[a](b)_c_", #"\[a\](b)\_c\_"#),
      ("a\u{202E}b\u{0}c\td", "a b c d"), ("Zoë", "Zoë"),
    ])
  func escaping(text: String, cell: String) {
    let document = RecordMarkdown.document([SharedRecord(title: text, fields: [(text, text)])])
    #expect(
      document == "## \(cell)\n\n| Field | Value |\n| --- | --- |\n| \(cell) | \(cell) |\n")
  }

  @Test("many records go into as many documents as they need")
  func parts() {
    let record = SharedRecord(title: "Mac", fields: [("Note", String(repeating: "x", count: 900))])
    let documents = RecordMarkdown.documents(Array(repeating: record, count: 2_000))
    #expect(documents.count == 2)
    #expect(documents.allSatisfy { $0.utf8.count <= DocumentParts.documentLimit })
    #expect(
      documents.joined(separator: "\n") == RecordMarkdown.document(Array(repeating: record, count: 2_000)))
  }
}
