internal import ForsettiModuleKit

/// What the tracker asks the scanner service, and what that answers.
enum DeploymentScan {
  static let scanner = ScannerServiceManifest.manifest.moduleID
  static let requestType = ScannerRequest.prefix + "scan"
  static let answerType = ScannerRequest.prefix + "result"

  /// What an answer says: a text that was scanned, or what to do instead.
  enum Answer: Sendable, Hashable {
    case text(String)
    case refused(advice: String)
  }

  /// Reads an answer. Whatever else it is, it is no scan.
  static func answer(_ payload: ForsettiEventPayload) -> Answer {
    if payload["status"] == "accepted", let value = payload["value"] { return .text(value) }
    return .refused(advice: payload["advice"] ?? "Scan again.")
  }
}
