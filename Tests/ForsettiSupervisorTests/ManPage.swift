import Foundation

/// A page of docs/man as these tests see it: its entries by the section or subsection they stand in.
struct ManPage {
  /// The text of each entry (`.TP`, then `.B KEY`), by subsection, or by section where it has none, and key.
  private(set) var entries: [String: [String: String]] = [:]
  /// The pages that it names in SEE ALSO and elsewhere by `.BR name (section)`.
  private(set) var references: [String] = []
  /// The first of its examples (`.EX` to `.EE`).
  let example: String

  /// All pages there are, by the names of their files.
  static func all() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path("")).sorted()
  }

  static func path(_ name: String) -> String { Product.checkout + "/docs/man/" + name }

  init(_ name: String) throws {
    let text = try String(contentsOfFile: Self.path(name), encoding: .utf8)
    let lines = text.split(separator: "\n").map { Self.plain($0) }
    example = lines.drop { $0 != ".EX" }.dropFirst().prefix { $0 != ".EE" }.joined(separator: "\n")
    var section = ""
    var key: String?
    var isTagged = false
    for line in lines {
      if line.hasPrefix(".SS ") || line.hasPrefix(".SH ") {
        section = String(line.dropFirst(4))
        key = nil
      } else if line == ".TP" {
        isTagged = true
      } else if isTagged, line.hasPrefix(".B ") || line.hasPrefix(".I ") {
        key = String(line.dropFirst(3))
        entries[section, default: [:]][key ?? ""] = ""
        isTagged = false
      } else if let reference = line.wholeMatch(of: #/\.BR (\S+) \((\d)\),?/#) {
        references.append("\(reference.output.1).\(reference.output.2)")
      } else if let key, !line.hasPrefix(".") {
        entries[section]?[key]?.append(" " + line)
      }
    }
  }

  /// Without what tells troff to take a character as it is.
  private static func plain(_ line: Substring) -> String {
    line.replacingOccurrences(of: "\\-", with: "-").replacingOccurrences(of: "\\&", with: "")
      .replacingOccurrences(of: "\\(ga", with: "`")
  }
}
