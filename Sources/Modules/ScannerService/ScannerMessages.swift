internal import ForsettiModuleKit

/// What other modules ask this one, as messages. Each is answered by a message to whoever asked, with the `requestID` of
/// the question where it has one.
enum ScannerRequest: Sendable, Equatable {
  /// A text that a scanner or a keyboard wedge sent.
  case scan(text: String, symbology: String?)
  /// A scan by camera: a scan without a text.
  case camera
  case availability
  /// The newest scans of whoever asks.
  case history(count: Int)

  /// Names of messages begin with the module's own ID.
  static let prefix = ScannerServiceManifest.manifest.moduleID + "."
  static let pattern = prefix + "*"
  /// Scans of one answer at most: with the longest of texts it stays far below what a message may hold.
  static let historyLimit = 20

  /// Reads a message; nothing for one that is no question.
  init?(type: String, payload: ForsettiEventPayload) {
    switch type {
    case Self.prefix + "scan":
      self = payload["text"].map { .scan(text: $0, symbology: payload["symbology"]) } ?? .camera
    case Self.prefix + "availability": self = .availability
    case Self.prefix + "history":
      let count = payload["count"].flatMap { Int($0) } ?? Self.historyLimit
      self = .history(count: min(max(0, count), Self.historyLimit))
    default: return nil
    }
  }
}

/// What is said of a question.
struct ScannerAnswer: Sendable, Equatable {
  /// Below `ScannerRequest.prefix`.
  var name: String
  var payload: [String: String]

  static func accepted(_ reading: ScanReading) -> ScannerAnswer {
    var payload = ["status": "accepted", "value": reading.value]
    payload["symbology"] = reading.symbology?.rawValue
    return ScannerAnswer(name: "result", payload: payload)
  }

  static func refused(_ refusal: ScanRefusal) -> ScannerAnswer {
    ScannerAnswer(
      name: "result", payload: ["status": "refused", "reason": refusal.code, "advice": refusal.advice])
  }

  static let noCamera = ScannerAnswer(
    name: "result",
    payload: [
      "status": "unsupported", "reason": "camera",
      "advice": "There is no camera here; use a scanner that types, or type the code.",
    ])

  static let availability = ScannerAnswer(
    name: "availability.result",
    payload: [
      "camera": "unsupported", "text": "ready",
      "symbologies": Symbology.allCases.map(\.rawValue).joined(separator: ","),
    ])

  static func history(_ entries: [ScanHistory.Entry]) -> ScannerAnswer {
    ScannerAnswer(
      name: "history.result",
      payload: ["count": "\(entries.count)", "scans": JSONWriter.text(.array(entries.map(\.json)))])
  }
}
