internal import ForsettiModuleKit

// A new password for one local administrator of a Mac.
extension SupportDesk {
  /// Sets a password that is made here and shown once. Jamf Pro sends it to the Mac, and keeps it.
  func setLocalPassword(_ payload: [String: String]) {
    guard let (id, device) = opened(payload), id.kind == .computer else {
      return refusePassword("another device is open, or it is no Mac.", "Open it again.")
    }
    guard let managementID = device.managementID else {
      return refusePassword(
        "Jamf Pro knows no management ID of this Mac.", SupportAvailability.blocked(.managementID).reason)
    }
    let account = (payload["account"] ?? "").trimmedScalars
    guard (1...LocalPasswords.nameLimit).contains(account.utf8.count) else {
      return refusePassword("there is no name of an account.", "Enter the name of a local administrator.")
    }
    guard SupportConfirmation.localPasswordWord(id).isGiven(in: payload) else {
      return refusePassword("it was not confirmed.", TypedConfirmation.advice)
    }
    var dice = SystemRandomNumberGenerator()
    let secret = SupportSecret(
      title: LocalPasswords.title(account: account, orderedAt: WallClock.now()),
      value: SecretMaker.password(using: &dice))
    give(
      .setLocalPassword, .setLocalPassword(managementID: managementID, account: account, secret), to: id,
      device)
  }

  private func refusePassword(_ why: String, _ advice: String) {
    change { $0.notice = .error("No password was set: \(why)", advice) }
  }
}
