/// What was ordered: an action of the list, or a step of remote support.
enum SupportOrder: Sendable, Hashable {
  case action(SupportAction)
  case enableRemoteDesktop, disableRemoteDesktop
  /// Remote desktop stays on, and somebody said why. Jamf is told nothing.
  case leaveRemoteDesktop

  /// For storage and diagnostics.
  var word: String {
    switch self {
    case .action(let action): action.rawValue
    case .enableRemoteDesktop: "enableRemoteDesktop"
    case .disableRemoteDesktop: "disableRemoteDesktop"
    case .leaveRemoteDesktop: "leaveRemoteDesktop"
    }
  }

  /// For people.
  var title: String {
    switch self {
    case .action(let action): action.title
    case .enableRemoteDesktop: "Remote Desktop On"
    case .disableRemoteDesktop: "Remote Desktop Off"
    case .leaveRemoteDesktop: "Remote Desktop Left On"
    }
  }

  /// Reads `word`.
  init?(word: String) {
    let steps: [SupportOrder] = [.enableRemoteDesktop, .disableRemoteDesktop, .leaveRemoteDesktop]
    if let action = SupportAction(rawValue: word) {
      self = .action(action)
    } else if let step = steps.first(where: { $0.word == word }) {
      self = step
    } else {
      return nil
    }
  }

  /// What the account must hold.
  func privileges(on kind: SupportDeviceKind) -> [String] {
    switch self {
    case .action(let action): SupportEndpoints.privileges(of: action, on: kind)
    case .enableRemoteDesktop, .disableRemoteDesktop: SupportEndpoints.remotePrivileges
    case .leaveRemoteDesktop: []
    }
  }
}
