import ForsettiCore

extension ViewNode {
  /// For programs: each node names its kind.
  var json: JSONValue {
    switch self {
    case .text(let text, let style):
      .record(["kind": .string("text"), "style": .string(style.rawValue), "text": .string(text)])
    case .list(let nodes, let style):
      .record(["kind": .string("list"), "style": .string(style.rawValue), "items": .array(nodes.map(\.json))])
    case .table(let columns, let rows):
      .record([
        "kind": .string("table"), "columns": .strings(columns),
        "rows": .array(rows.map { .array($0.map(\.json)) }),
      ])
    case .keyValues(let pairs):
      .record([
        "kind": .string("keyValues"),
        "pairs": .array(pairs.map { .record(["key": .string($0.key), "value": $0.value.json]) }),
      ])
    case .form(let form): form.json
    case .chart(let chart): chart.json
    case .badge(let word, let tone):
      .record(["kind": .string("badge"), "tone": .string(tone.rawValue), "text": .string(word)])
    case .progress(let value, let label):
      .record([
        "kind": .string("progress"), "value": value.map { .number($0) } ?? .null, "label": .string(label),
      ])
    case .button(let title, let action):
      .record(["kind": .string("button"), "title": .string(title), "action": action.jsonValue])
    }
  }
}

extension ViewForm {
  fileprivate var json: JSONValue {
    .record([
      "kind": .string("form"), "eventType": .string(eventType), "submitTitle": .string(submitTitle),
      "fields": .array(
        fields.map { field in
          let (kind, choices): (String, [String]) =
            switch field.kind {
            case .text: ("text", [])
            case .multiline: ("multiline", [])
            case .secret: ("secret", [])
            case .number: ("number", [])
            case .toggle: ("toggle", [])
            case .choice(let choices): ("choice", choices)
            }
          return .record([
            "fieldID": .string(field.fieldID), "label": .string(field.label), "kind": .string(kind),
            "choices": .strings(choices), "value": .string(field.value), "required": .bool(field.isRequired),
          ])
        }),
    ])
  }
}

extension ViewChart {
  fileprivate var json: JSONValue {
    .record([
      "kind": .string("chart"), "chart": .string(kind.rawValue), "labels": .strings(labels),
      "series": .array(
        series.map { .record(["name": .string($0.name), "values": .array($0.values.map { .number($0) })]) }),
    ])
  }
}

/// A view's tree as text.
enum ViewText {
  /// For people; everything in it is a module's, and made safe.
  static func of(_ node: JSONValue, _ style: TextStyle, indent: String = "") -> String {
    let text = node["text"]?.stringValue ?? ""
    switch node["kind"]?.stringValue {
    case "list":
      return (node["items"]?.elements ?? []).enumerated().map { number, item in
        let mark: String =
          switch node["style"]?.stringValue {
          case "bullets": "- "
          case "numbers": "\(number + 1). "
          default: ""
          }
        let body = of(item, style, indent: indent + String(repeating: " ", count: mark.count))
        return indent + mark + body.dropFirst(min(body.count, indent.count + mark.count))
      }.joined()
    case "table":
      let titles = (node["columns"]?.elements ?? []).map { style.dim(escaped($0.stringValue ?? "")) }
      let rows = (node["rows"]?.elements ?? []).map { ($0.elements ?? []).map { cell($0, style) } }
      return columns([titles] + rows, indent: indent)
    case "keyValues":
      return columns(
        (node["pairs"]?.elements ?? []).map {
          [style.dim(escaped($0["key"]?.stringValue ?? "")), cell($0["value"] ?? .null, style)]
        }, indent: indent)
    case "form":
      let fields = (node["fields"]?.elements ?? []).map { field in
        [
          style.dim(escaped(field["label"]?.stringValue ?? "")),
          "[\(escaped(field["value"]?.stringValue ?? ""))]",
          escaped(field["fieldID"]?.stringValue ?? ""),
        ]
      }
      return columns(fields, indent: indent)
        + "\(indent)(\(escaped(node["submitTitle"]?.stringValue ?? "")))\n"
    case "chart":
      let labels = [""] + (node["labels"]?.elements ?? []).map { style.dim(escaped($0.stringValue ?? "")) }
      let rows = (node["series"]?.elements ?? []).map { series in
        [escaped(series["name"]?.stringValue ?? "")]
          + (series["values"]?.elements ?? []).map { decimalText($0.doubleValue ?? 0, places: 2) }
      }
      return columns([labels] + rows, indent: indent)
    case "progress":
      let share = node["value"]?.doubleValue.map { "\(decimalText($0 * 100, places: 0)) %" } ?? "…"
      return "\(indent)\(escaped(node["label"]?.stringValue ?? ""))  \(share)\n"
    case "button": return "\(indent)(\(escaped(node["title"]?.stringValue ?? "")))\n"
    case "badge": return "\(indent)[\(escaped(text))]\n"
    default:
      let isTitle = ["title", "heading"].contains(node["style"]?.stringValue)
      return indent + (isTitle ? style.bold(escaped(text)) : escaped(text)) + "\n"
    }
  }

  /// A node in a row: its text on one line.
  private static func cell(_ node: JSONValue, _ style: TextStyle) -> String {
    of(node, style).split(separator: "\n").joined(separator: " ")
  }
}
