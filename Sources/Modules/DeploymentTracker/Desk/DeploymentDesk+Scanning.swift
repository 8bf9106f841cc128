internal import ForsettiModuleKit

// What was scanned, by way of the scanner service.
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
