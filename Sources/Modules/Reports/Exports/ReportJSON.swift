internal import ForsettiModuleKit

/// A report as JSON: its definition, its figures, and all rows as arrays in the order of `columns`.
enum ReportJSON {
  /// Bytes of the rows of one document; the figures of any fleet fit beside them into one export.
  static let rowLimit = 640 << 10
  /// Groups that are listed by name. Models and systems are some hundreds; rooms are not grouped by.
  static let groupLimit = 1_000

  static func documents(of result: ReportResult, rowLimit: Int = ReportJSON.rowLimit) -> [[UInt8]] {
    let parts = parts(of: result.devices, limit: rowLimit)
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

  private static func parts(of devices: [ReportDevice], limit: Int) -> [[JSONValue]] {
    var parts: [[JSONValue]] = [[]]
    var bytes = 0
    for device in devices {
      let row = JSONValue.array(ReportField.columns.map { value(of: device, $0) })
      let size = JSONWriter.bytes(row).count + 1
      if bytes + size > limit, bytes > 0 {
        parts.append([])
        bytes = 0
      }
      parts[parts.count - 1].append(row)
      bytes += size
    }
    return parts
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
