internal import ForsettiModuleKit

/// A report as JSON: its definition, its figures, and all rows as arrays in the order of `columns`.
enum ReportJSON {
  /// Bytes of the rows of one document; the figures of any fleet fit beside them into one export.
  static let rowLimit = 640 << 10
  /// Groups that are listed by name. Models and systems are some hundreds; rooms are not grouped by.
  static let groupLimit = 1_000

  static func documents(of result: ReportResult, rowLimit: Int = ReportJSON.rowLimit) -> [[UInt8]] {
    let parts = DocumentParts.split(result.devices.map(row), limit: rowLimit) {
      JSONWriter.bytes($0).count + 1
    }
    return parts.enumerated().map { index, rows in
      let part = JSONValue.record(["number": .integer(index + 1), "of": .integer(parts.count)])
      let members: [(String, JSONValue)] = [
        ("report", result.definition.json), ("takenAt", .string(timestampText(result.takenAt))),
        ("warnings", .strings(result.warnings)), ("total", .integer(result.devices.count)),
        ("groups", counts(result.groups)), ("figures", figures(result.figures)), ("part", part),
        ("columns", .strings(ReportField.columns.map(\.rawValue))), ("rows", .array(rows)),
      ]
      return JSONWriter.bytes(.object(members))
    }
  }

  private static func row(of device: ReportDevice) -> JSONValue {
    .array(ReportField.columns.map { value(of: device, $0) })
  }

  private static func value(of device: ReportDevice, _ field: ReportField) -> JSONValue {
    switch field.kind {
    case .flag: device.flag(of: field).map { .bool($0) } ?? .null
    case .percent: device.percent(of: field).map { .integer($0) } ?? .null
    case .text, .version, .day: .string(device.text(of: field))
    }
  }

  private static func figures(_ figures: FleetFigures) -> JSONValue {
    .record([
      "types": counts(figures.types), "models": counts(figures.models), "systems": counts(figures.systems),
      "buildings": counts(figures.buildings), "departments": counts(figures.departments),
      "storage": counts(figures.storage), "battery": counts(figures.battery),
      "unknown": .integer(figures.unknown), "inferred": .integer(figures.inferred),
    ])
  }

  private static func counts(_ counts: [ReportCount]) -> JSONValue {
    .array(
      counts.prefix(groupLimit).map { .record(["label": .string($0.label), "count": .integer($0.count)]) })
  }
}
