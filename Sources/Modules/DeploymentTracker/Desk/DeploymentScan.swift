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

extension DeploymentDesk {
  /// Sends what was scanned on to the scanner, which cleans it.
  func scan(_ text: String) async throws(DeploymentRefusal) {
    do throws(ServiceError) {
      try await context.sendMessage(
        to: DeploymentScan.scanner, type: DeploymentScan.requestType, payload: ["text": text])
    } catch {
      context.logger.warning("the scanner can't be asked", error: error)
      throw .scannerMissing
    }
  }

  /// Opens the page of the device whose serial number was scanned.
  func scanned(_ event: ForsettiEvent) {
    guard event.sourceModuleID == DeploymentScan.scanner else { return }
    switch DeploymentScan.answer(event.payload) {
    case .refused(let advice):
      screen.notice = DeploymentScreen.Notice(tone: .warning, text: "That was no scan.", advice: advice)
    case .text(let text):
      do throws(DeploymentRefusal) { select(try store.state.device(text).serial) } catch {
        screen.notice = DeploymentScreen.Notice(error)
      }
    }
    changed()
  }
}
