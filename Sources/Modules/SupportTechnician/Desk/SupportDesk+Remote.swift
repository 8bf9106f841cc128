internal import ForsettiModuleKit

// Remote support: remote desktop on, an address for a viewer, and remote desktop off again.
extension SupportDesk {
  /// Bytes of a reason at most.
  private static let reasonLimit = 200

  /// Switches remote desktop on.
  func prepareRemote(_ payload: [String: String]) {
    switchRemote(payload, .enableRemoteDesktop) { $0.mayPrepare }
  }

  /// Switches remote desktop off.
  func endRemote(_ payload: [String: String]) {
    switchRemote(payload, .disableRemoteDesktop) { $0.mayEnd }
  }

  /// Leaves remote desktop on, with a reason.
  func leaveRemote(_ payload: [String: String]) async {
    let reason = (payload["reason"] ?? "").trimmedScalars
    guard let (id, device) = opened(payload), RemoteSupportState(device, journal.operations).mayEnd else {
      return refuseRemote()
    }
    guard !reason.isEmpty, reason.utf8.count <= Self.reasonLimit else {
      change {
        $0.notice = .error(
          "It must be said why remote desktop stays on.", "In 1 to \(Self.reasonLimit) bytes.")
      }
      return
    }
    guard
      let operation = await begin(
        .leaveRemoteDesktop, id, device, note: reason.plain(limit: Self.reasonLimit))
    else { return }
    await note(.answered, of: operation)
  }

  /// Takes another address for the Mac, or with none the one that Jamf knows.
  func aim(_ payload: [String: String]) {
    let host = (payload["host"] ?? "").trimmedScalars
    guard let (_, device) = opened(payload) else { return refuseRemote() }
    guard host.isEmpty || (RemoteTarget.isHost(host) && host.lowercased() != device.serial.lowercased())
    else {
      change {
        $0.notice = .error(
          "\(host.quoted()) is no address.", "Enter a name or an address, not a serial number.")
      }
      return
    }
    change { state in
      state.page?.remoteHost = host.isEmpty ? nil : host
      state.notice = nil
    }
  }

  private func switchRemote(
    _ payload: [String: String], _ order: SupportOrder, _ mayDo: (RemoteSupportState) -> Bool
  ) {
    guard let (id, device) = opened(payload), mayDo(RemoteSupportState(device, journal.operations)),
      let managementID = device.managementID
    else { return refuseRemote() }
    let isOn = order == .enableRemoteDesktop
    let attempts = SupportAttempts(
      calls: [
        MDMOrder.call(isOn ? "ENABLE_REMOTE_DESKTOP" : "DISABLE_REMOTE_DESKTOP", to: managementID),
        MDMOrder.classic(isOn ? "EnableRemoteDesktop" : "DisableRemoteDesktop", to: id),
      ], rule: .refused)
    give(order, .send(attempts), to: id, device)
  }

  private func refuseRemote() {
    change {
      $0.notice = .error(
        "Nothing was done: remote support of this Mac does not stand there.", "Open it again.")
    }
  }
}
