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
