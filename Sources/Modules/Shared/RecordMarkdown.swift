internal import ForsettiModuleKit

/// A record as it is shared: a title, and what is known of it, in order.
struct SharedRecord: Sendable, Hashable {
  var title: String
  /// None of them is empty.
  private(set) var fields: [Field]

  struct Field: Sendable, Hashable {
    var label: String
    var value: String
  }

  /// Makes a record; fields without a value are left out.
  init(title: String, fields: [(label: String, value: String?)] = []) {
    self.title = title
    self.fields = fields.compactMap { label, value in
      guard let value, !value.isBlank else { return nil }
      return Field(label: label, value: value)
    }
  }
}

/// Records as Markdown, for people to paste elsewhere.
enum RecordMarkdown {
  /// Each record is a heading, and a table of what is known of it; a blank line stands between two.
  static func document(_ records: [SharedRecord]) -> String {
    records.map { $0.fields.isEmpty ? heading($0) : heading($0) + "\n\n" + table($0.fields) }
      .joined(separator: "\n\n") + "\n"
  }

  /// Records as documents that fit into an export each.
  static func documents(_ records: [SharedRecord]) -> [String] {
    DocumentParts.split(records.map { document([$0]) }, limit: DocumentParts.documentLimit) {
      $0.utf8.count + 1
    }.map { $0.joined(separator: "\n") }
  }

  private static func heading(_ record: SharedRecord) -> String {
    "## \(MarkdownTable.escaped(record.title))"
  }

  private static func table(_ fields: [SharedRecord.Field]) -> String {
    MarkdownTable.lines(columns: ["Field", "Value"], rows: fields.map { [$0.label, $0.value] })
      .joined(separator: "\n")
  }
}
