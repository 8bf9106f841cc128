/// Where the events of modules with the capability `telemetry` go (SPEC §4).
public enum TelemetryPolicy: Sendable, Hashable {
  /// Nowhere.
  case off
  /// Into the state folder, one JSON object a line: so many files of at most so many bytes.
  case file(bytes: Int, files: Int)
  /// To this URL of an OpenTelemetry collector, by OTLP over HTTP with JSON bodies.
  case collector(url: String)

  /// The destinations; raw values are the names of the file.
  public enum Destination: String, Sendable, Hashable, CaseIterable {
    case off, file, collector

    /// The keys that belong to this destination.
    var keys: Set<String> {
      switch self {
      case .off: []
      case .file: ["bytes", "files"]
      case .collector: ["url"]
      }
    }
  }

  /// What a policy may ask of the size of a file, in bytes.
  static let bytesRange: ClosedRange<Int64> = 4_096...1_073_741_824
  /// What a policy may ask of the number of files.
  static let filesRange: ClosedRange<Int64> = 1...100
  /// A file's size where the policy is silent of it, in bytes.
  static let defaultBytes = 16_777_216
  /// The number of files where the policy is silent of it.
  static let defaultFiles = 4
}
