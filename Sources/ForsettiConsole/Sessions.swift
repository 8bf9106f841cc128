import ForsettiCore

/// The browsers that have shown the token, as a value: who is in, and since when. Times are of a clock that never goes
/// back.
struct Sessions {
  /// A browser that is in.
  struct Session: Sendable, Hashable {
    /// What its cookie says.
    let id: String
    /// What its pages say with everything that changes something; another site's page cannot know it.
    let csrf: String
    fileprivate(set) var lastUse: SuspendingClock.Instant
  }

  /// Browsers at once; the one that has been silent for longest makes room.
  static let limit = 16
  /// How long a browser may be silent.
  static let idle = Duration.seconds(12 * 3_600)

  private let token: String
  private var sessions: [String: Session] = [:]

  init(token: String) { self.token = token }

  /// Whether a text is the token. Every byte is looked at, whatever the first ones are.
  func isToken(_ text: String) -> Bool { Self.isSame(text, token) }

  /// Lets a browser in.
  mutating func begin(at now: SuspendingClock.Instant) -> Session {
    if sessions.count >= Self.limit, let oldest = sessions.values.min(by: { $0.lastUse < $1.lastUse }) {
      sessions[oldest.id] = nil
    }
    let session = Session(id: RandomToken.make(), csrf: RandomToken.make(), lastUse: now)
    sessions[session.id] = session
    return session
  }

  /// The session of a cookie; `nil` where there is none, or none any more.
  mutating func find(_ id: String, at now: SuspendingClock.Instant) -> Session? {
    guard var session = sessions[id] else { return nil }
    guard session.lastUse.duration(to: now) < Self.idle else {
      sessions[id] = nil
      return nil
    }
    session.lastUse = now
    sessions[id] = session
    return session
  }

  /// Shows a browser out.
  mutating func end(_ id: String) { sessions[id] = nil }

  /// Compares without telling by its time how much of it is right.
  static func isSame(_ one: String, _ other: String) -> Bool {
    let (left, right) = (Array(one.utf8), Array(other.utf8))
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
