internal import ForsettiModuleKit

// Doing something to a device. Whatever a button or a form says is judged here again: an event can come from anywhere.
extension SupportDesk {
  /// Does an action, or asks for the word that it needs.
  func perform(_ payload: [String: String]) {
    guard let action = payload["action"].flatMap(SupportAction.init) else {
      change { $0.notice = .error("This is no action.", "Press one of the buttons of the page.") }
      return
    }
    guard let (id, device) = opened(payload) else {
      change {
        $0.notice = .error(
          "Nothing was done: another device is open than the one this was for.", "Open it again.")
      }
      return
    }
    let availability = SupportAvailability(action, on: device)
    guard availability.isPossible else {
      change { $0.notice = .error("\(action.title) can't be done.", availability.reason) }
      return
    }
    guard let message = Self.message(payload) else {
      change {
        $0.notice = .error(
          "Nothing was done: the message is too long.", "Write \(SupportActionInput.messageLimit) bytes.")
      }
      return
    }
    guard isConfirmed(action, id, payload) else { return }
    change { $0.page?.chosen = nil }
    var dice = SystemRandomNumberGenerator()
    let input = SupportActionInput(pin: SecretMaker.pin(using: &dice), message: message)
    guard let procedure = SupportProcedure(action, on: device, input) else { return }
    let hasTicket = !(payload["ticket"] ?? "").isBlank
    give(.action(action), procedure, to: id, device, hasTicket: hasTicket)
  }

  /// The device that a button or a form is for, if it is the one whose page is open.
  func opened(_ payload: [String: String]) -> (SupportDeviceID, SupportDevice)? {
    guard let page = state.page, page.id.text == payload["device"], let device = page.device else {
      return nil
    }
    return (page.id, device)
  }

  /// Whether the word was given, where one is needed; where not, the page asks for it.
  private func isConfirmed(
    _ action: SupportAction, _ id: SupportDeviceID, _ payload: [String: String]
  ) -> Bool {
    guard action.isTyped else { return true }
    let word = SupportConfirmation.word(action, on: id)
    if word.isGiven(in: payload) { return true }
    change { state in
      state.page?.chosen = action
      state.notice = payload[word.fieldID] == nil ? nil : .error(TypedConfirmation.advice)
    }
    return false
  }

  /// What a lost device is to show; nothing where it is too long.
  private static func message(_ payload: [String: String]) -> String? {
    let message = (payload["message"] ?? "").trimmedScalars
    guard message.utf8.count <= SupportActionInput.messageLimit else { return nil }
    return message.isEmpty ? SupportActionInput.usualMessage : message
  }
}
