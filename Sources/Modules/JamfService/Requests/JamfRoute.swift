internal import ForsettiModuleKit

/// Where a caller's request goes.
enum JamfRoute: Sendable, Hashable {
  /// To Jamf Pro.
  case server
  /// What this module answers itself: how it stands with Jamf Pro.
  case connection
  /// What the token may do.
  case privileges

  /// The paths that are answered here.
  static let ownPaths = ["/forsetti/connection", "/forsetti/privileges"]

  /// Reads a path as the supervisor normalised it.
  ///
  /// Whatever makes, prolongs or ends a token is refused, for a token in a caller's hands would be worth as much as the
  /// credentials: only this module speaks with those paths.
  init(method: String, path: String) throws(JamfFailure) {
    let segments = path.lowercased().split(separator: "/").map(String.init)
    if segments.first == "forsetti" {
      guard method == "GET" else { throw .invalidRequest("\(path) can be read alone.") }
      switch segments.dropFirst().joined(separator: "/") {
      case "connection": self = .connection
      case "privileges": self = .privileges
      default: throw .notFound(path)
      }
      return
    }
    guard let root = segments.first, ["api", "jssresource"].contains(root) else {
      throw .notFound(path)
    }
    guard !Self.concernsTokens(segments) else { throw .denied("tokens are Jamf Service's alone.") }
    self = .server
  }

  /// `oauth/…`, and everything below `auth` but the account's own record.
  private static func concernsTokens(_ segments: [String]) -> Bool {
    segments.contains("oauth")
      || segments.firstIndex(of: "auth").map { $0 < segments.count - 1 } ?? false
  }
}
