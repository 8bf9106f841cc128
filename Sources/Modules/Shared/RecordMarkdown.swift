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

  private static func heading(_ record: SharedRecord) -> String { "## \(escaped(record.title))" }

  private static func table(_ fields: [SharedRecord.Field]) -> String {
    let rows = fields.map { "| \(escaped($0.label)) | \(escaped($0.value)) |" }
    return (["| Field | Value |", "| --- | --- |"] + rows).joined(separator: "\n")
  }

  /// On one line of one cell. Names of devices are anybody's: none may open a tag, or move the text of a reader.
  private static func escaped(_ text: String) -> String {
    var safe = ""
    var previous: Unicode.Scalar?
    for scalar in text.trimmedScalars.unicodeScalars {
      switch scalar {
      case "\\": safe += "\\\\"
      case "|": safe += "\\|"
      case "<": safe += "&lt;"
      case "\n" where previous == "\r": break
      case "\n", "\r": safe += "<br>"
      case _ where scalar.isUnfitForDisplay: safe += " "
      default: safe.unicodeScalars.append(scalar)
      }
      previous = scalar
    }
    return safe
  }
}
