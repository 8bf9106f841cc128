internal import ForsettiModuleKit

/// How Jamf Pro is reached, in the words of service.jamf.
enum ConnectionView {
  static func badge(_ connection: RetailState.Connection?) -> ViewNode {
    guard let connection else { return .badge("unknown", tone: .neutral) }
    let (text, tone) = word(connection.state)
    return .badge(text, tone: tone)
  }

  static func pairs(_ connection: RetailState.Connection?) -> [ViewKeyValue] {
    [
      ViewKeyValue("State", badge(connection)),
      ViewKeyValue("Server", .text(connection?.server ?? "unknown")),
      ViewKeyValue("Since", .text(connection?.since.map(timestampText) ?? "unknown", style: .code)),
    ]
  }

  /// A state that this desk doesn't know is shown as it was said.
  private static func word(_ state: String) -> (String, ViewTone) {
    switch state {
    case "configured": ("configured, not tried yet", .info)
    case "connected": ("connected", .success)
    case "notConfigured": ("not configured", .warning)
    case "credentialsRejected": ("credentials rejected", .error)
    case "unreachable": ("unreachable", .error)
    default: (state, .info)
    }
  }
}
