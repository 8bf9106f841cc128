/// What was ordered: an action of the list, a step of remote support, a note, or a new password of one account.
enum SupportOrder: Sendable, Hashable {
  case action(SupportAction)
  case enableRemoteDesktop, disableRemoteDesktop
  /// Remote desktop stays on, and somebody said why. Jamf is told nothing.
  case leaveRemoteDesktop
  /// A file with the record of a Mac.
  case attachNote
  /// A new password for one local administrator of a Mac.
  case setLocalPassword

  /// For storage and diagnostics.
  var word: String {
    switch self {
    case .action(let action): action.rawValue
    case .enableRemoteDesktop: "enableRemoteDesktop"
    case .disableRemoteDesktop: "disableRemoteDesktop"
    case .leaveRemoteDesktop: "leaveRemoteDesktop"
    case .attachNote: "attachNote"
    case .setLocalPassword: "setLocalPassword"
    }
  }

  /// For people.
  var title: String {
    switch self {
    case .action(let action): action.title
    case .enableRemoteDesktop: "Remote Desktop On"
    case .disableRemoteDesktop: "Remote Desktop Off"
    case .leaveRemoteDesktop: "Remote Desktop Left On"
    case .attachNote: "Attach Note"
    case .setLocalPassword: "Set Local Password"
    }
  }

  /// Why an order that brings a code is not given again while the one before may still be carried out.
  static let standingAdvice =
    "That order stands, with its own code. It can be given again a day after it was."

  /// What in Jamf Pro shows whether it was done.
  var evidence: String {
    switch self {
    case .attachNote: "the attachments of the Mac"
    case .setLocalPassword: "the password that Jamf Pro keeps"
    default: "the command history"
    }
  }

  /// Reads `word`.
  init?(word: String) {
    let others: [SupportOrder] = [
      .enableRemoteDesktop, .disableRemoteDesktop, .leaveRemoteDesktop, .attachNote, .setLocalPassword,
    ]
    if let action = SupportAction(rawValue: word) {
      self = .action(action)
    } else if let other = others.first(where: { $0.word == word }) {
      self = other
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
    case .attachNote: SupportEndpoints.notePrivileges
    case .setLocalPassword: SupportEndpoints.localPasswordPrivileges
    }
  }
}
