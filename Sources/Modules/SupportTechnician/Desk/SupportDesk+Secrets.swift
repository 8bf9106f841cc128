internal import ForsettiModuleKit

// Secrets, from Jamf to one pair of eyes.
extension SupportDesk {
  /// How long a secret is on the screen.
  private static let shownTime = Duration.seconds(60)

  /// Keeps a secret of a device until somebody asks for it.
  func keep(_ secret: SupportSecret, of device: SupportDevice) {
    let named = SupportSecret(title: "\(secret.title): \(device.name)", value: secret.value)
    change { _ = $0.vault.keep(named, token: RandomToken.make()) }
  }

  /// Puts a secret on the screen, this once.
  func reveal(_ payload: [String: String]) {
    hide()
    var secret: SupportSecret?
    change { state in
      secret = payload["handle"].flatMap { state.vault.take(SecretVault.Handle(text: $0)) }
      state.shown = secret
      if secret == nil {
        state.notice = .error("This secret was shown already, or is gone.", "Ask Jamf Pro for it again.")
      }
    }
    guard secret != nil else { return }
    hideTask = Task { [weak self] in
      do { try await Task.sleep(for: Self.shownTime) } catch { return }
      self?.change { $0.shown = nil }
    }
  }

  /// Takes the secret off the screen.
  func hide() {
    hideTask?.cancel()
    hideTask = nil
    if state.shown != nil { change { $0.shown = nil } }
  }
}
