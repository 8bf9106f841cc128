import ForsettiCore

/// A view's tree as text.
enum ViewText {
  /// For people; everything in it is a module's, and made safe.
  static func of(_ node: JSONValue, _ style: TextStyle, indent: String = "") -> String {
    switch node["kind"]?.stringValue {
    case "list":
      return list(node, style, indent)
    case "table":
      let titles = (node["columns"]?.elements ?? []).map { style.dim(shown($0)) }
      let rows = (node["rows"]?.elements ?? []).map { ($0.elements ?? []).map { cell($0, style) } }
      return columns([titles] + rows, indent: indent)
    case "keyValues":
      return columns(
        (node["pairs"]?.elements ?? []).map {
          [style.dim(shown($0["key"])), cell($0["value"] ?? .null, style)]
        }, indent: indent)
    case "form":
      let fields = (node["fields"]?.elements ?? []).map { field in
        [style.dim(shown(field["label"])), "[\(shown(field["value"]))]", shown(field["fieldID"])]
      }
      return columns(fields, indent: indent) + "\(indent)(\(shown(node["submitTitle"])))\n"
    case "chart":
      let labels = [""] + (node["labels"]?.elements ?? []).map { style.dim(shown($0)) }
      let rows = (node["series"]?.elements ?? []).map { series in
        [shown(series["name"])]
          + (series["values"]?.elements ?? []).map { decimalText($0.doubleValue ?? 0, places: 2) }
      }
      return columns([labels] + rows, indent: indent)
    case "progress":
      let share = node["value"]?.doubleValue.map { "\(decimalText($0 * 100, places: 0)) %" } ?? "…"
      return "\(indent)\(shown(node["label"]))  \(share)\n"
    case "button": return "\(indent)(\(shown(node["title"])))\n"
    case "badge": return "\(indent)[\(shown(node["text"]))]\n"
    default:
      let isTitle = ["title", "heading"].contains(node["style"]?.stringValue)
      let text = shown(node["text"])
      return indent + (isTitle ? style.bold(text) : text) + "\n"
    }
  }

  private static func list(_ node: JSONValue, _ style: TextStyle, _ indent: String) -> String {
    (node["items"]?.elements ?? []).enumerated().map { number, item in
      let mark: String =
        switch node["style"]?.stringValue {
        case "bullets": "- "
        case "numbers": "\(number + 1). "
        default: ""
        }
      let body = of(item, style, indent: indent + String(repeating: " ", count: mark.count))
      return indent + mark + body.dropFirst(min(body.count, indent.count + mark.count))
    }.joined()
  }

  /// A text of the module's, made safe; empty where there is none.
  private static func shown(_ text: JSONValue?) -> String { escaped(text?.stringValue ?? "") }

  /// A node in a row: its text on one line.
  private static func cell(_ node: JSONValue, _ style: TextStyle) -> String {
    of(node, style).split(separator: "\n").joined(separator: " ")
  }
}
