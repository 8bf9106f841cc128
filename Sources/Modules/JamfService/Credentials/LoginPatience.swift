/// How long credentials that were refused are left alone: shortly at first, for the server may refuse in a bad moment, then
/// ever longer, for a wrong password that is tried again and again locks an account.
struct LoginPatience: Sendable, Hashable {
  /// Milliseconds until the next login, by how many were refused in a row; the last holds from there on.
  static let pauses: [Int64] = [1_000, 5_000, 15_000, 60_000]

  private var refusals = 0
  /// Milliseconds since 1970.
  private var lastRefusal: Int64 = 0

  /// Whether a login may be made now.
  /// - Parameter now: milliseconds since 1970. A clock that was set back ends a pause: it can't be told how much is left.
  func allowsLogin(at now: Int64) -> Bool {
    guard refusals > 0 else { return true }
    let pause = Self.pauses[min(refusals, Self.pauses.count) - 1]
    return now < lastRefusal || now - lastRefusal >= pause
  }

  /// Takes that the server refused the credentials.
  mutating func noteRefusal(at now: Int64) {
    refusals = min(refusals + 1, Self.pauses.count)
    lastRefusal = now
  }

  /// Takes that the server accepted them.
  mutating func noteSuccess() { refusals = 0 }
}
