internal import ForsettiModuleKit

/// A view as a document for people: what it says, without what can be pressed or filled in.
enum ViewMarkdown {
  /// Draws a tree. Blocks stand apart by a blank line.
  static func document(_ node: ViewNode) -> String { blocks(node).joined(separator: "\n\n") + "\n" }

  private static func blocks(_ node: ViewNode) -> [String] {
    switch node {
    case .text(let text, let style): text.isBlank ? [] : [block(text, style)]
    case .list(let items, .plain): items.flatMap(blocks)
    case .list(let items, let style): [list(items, style)]
    case .table(let columns, let rows): [table(columns, rows)]
    case .keyValues(let pairs):
      [lines(columns: ["Field", "Value"], rows: pairs.map { [$0.key, line($0.value)] })]
    case .chart(let chart): [self.chart(chart)]
    case .badge(let text, _): ["**\(MarkdownTable.escaped(text))**"]
    case .progress(let share, let label): [MarkdownTable.escaped(progress(share, label))]
    case .form, .button: []
    }
  }

  private static func block(_ text: String, _ style: ViewTextStyle) -> String {
    switch style {
    case .title: "# \(MarkdownTable.escaped(text))"
    case .heading: "## \(MarkdownTable.escaped(text))"
    case .body, .caption, .code: MarkdownTable.escaped(text)
    }
  }

  private static func list(_ items: [ViewNode], _ style: ViewListStyle) -> String {
    items.enumerated().map { index, item in
      (style == .numbers ? "\(index + 1). " : "- ") + MarkdownTable.escaped(line(item))
    }.joined(separator: "\n")
  }

  /// A column of which no cell says anything, for there are buttons in it, is left out.
  private static func table(_ columns: [String], _ rows: [[ViewNode]]) -> String {
    let texts = rows.map { $0.map(line) }
    let kept = columns.indices.filter { index in
      !columns[index].isBlank || texts.contains { $0.indices.contains(index) && !$0[index].isEmpty }
    }
    return lines(
      columns: kept.map { columns[$0] },
      rows: texts.map { row in kept.map { row.indices.contains($0) ? row[$0] : "" } })
  }

  private static func chart(_ chart: ViewChart) -> String {
    lines(
      columns: [""] + chart.series.map(\.name),
      rows: chart.labels.enumerated().map { index, label in
        [label] + chart.series.map { $0.values.indices.contains(index) ? number($0.values[index]) : "" }
      })
  }

  private static func lines(columns: [String], rows: [[String]]) -> String {
    MarkdownTable.lines(columns: columns, rows: rows).joined(separator: "\n")
  }

  private static func number(_ value: Double) -> String {
    Int(exactly: value).map { "\($0)" } ?? "\(value)"
  }

  private static func progress(_ share: Double?, _ label: String) -> String {
    guard let share, share.isFinite else { return label }
    return "\(label): \(Int((min(max(share, 0), 1) * 100).rounded())) %"
  }

  /// What a node says on one line of a cell.
  private static func line(_ node: ViewNode) -> String {
    switch node {
    case .text(let text, _), .badge(let text, _): text
    case .list(let items, _): items.map(line).filter { !$0.isEmpty }.joined(separator: ", ")
    case .keyValues(let pairs): pairs.map { "\($0.key): \(line($0.value))" }.joined(separator: ", ")
    case .progress(let share, let label): progress(share, label)
    case .table, .chart, .form, .button: ""
    }
  }
}
