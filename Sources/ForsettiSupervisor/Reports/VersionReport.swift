import ForsettiCore
import ForsettiIPC

/// What `version` prints.
struct VersionReport {
  /// This build.
  static let current = VersionReport()

  private var version: String { ForsettiVersion.current.description }

  /// A line for people, or one JSON object.
  func text(json: Bool) -> String {
    let range = ProtocolRange.current
    guard json else {
      return "Forsetti \(version) (module protocol \(Self.span(range)))\n"
    }
    return JSONValue.record([
      "version": .string(version),
      "protocol": .record(["lowest": .integer(range.lowest), "highest": .integer(range.highest)]),
    ]).line
  }

  private static func span(_ range: ProtocolRange) -> String {
    range.lowest == range.highest ? "\(range.lowest)" : "\(range.lowest)–\(range.highest)"
  }
}
