import Glibc

/// The terminal that a supervisor was started at, if any.
struct Terminal: Sendable {
  let descriptor: Int32?

  /// The one behind the standard streams.
  static func current() -> Terminal { Terminal(descriptor: (0...2).first { isatty($0) == 1 }) }

  /// Whether it was there and has been closed, which is what SIGHUP tells then: its driver answers EIO.
  var hasHungUp: Bool {
    guard let descriptor else { return false }
    var settings = termios()
    return tcgetattr(descriptor, &settings) != 0
  }
}
