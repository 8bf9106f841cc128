/// What a connection to the control socket is for, where that is less than its user may do. Whoever hands a connection to
/// somebody trusted less says so in its hello; it is never widened.
public enum ControlScope: String, Sendable, Hashable, CaseIterable {
  /// The web console, which reads the bytes of browsers: it looks, starts and stops modules, passes on what their views ask
  /// and what persons enter for them. It decides on no trust but that, and neither reloads nor ends the supervisor.
  case console

  /// The operations that it may ask for; the rights of its user are asked besides.
  public var operations: Set<String> {
    switch self {
    case .console:
      [
        "health", "overview", "surface", "module", "explain", "entitlements", "crashes", "crash", "figures",
        "live", "logs", "events", "metrics", "secrets", "render", "activate", "deactivate", "restart",
        "reset",
        "select-ui", "publish", "retry", "setSecret",
      ]
    }
  }
}
