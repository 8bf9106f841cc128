/// How often a request is tried: what came of it last decides whether, and when, it goes out again.
struct JamfAttempts: Sendable {
  /// What came of the last try.
  enum Outcome: Sendable, Hashable {
    /// An answer with this status, and what it asks for in seconds.
    case status(Int, retryAfter: Int?)
    /// There is no answer, or half of one.
    case noAnswer
  }

  /// What follows.
  enum Step: Sendable, Hashable {
    /// What came is the answer.
    case done
    /// Again at once, with another token.
    case renewToken
    /// Jamf Pro takes no token of these credentials.
    case reject
    /// Again after so long.
    case wait(milliseconds: Int64)
  }

  /// Whether doing it twice is doing it once. A DELETE with a body is none: Jamf Pro's carry the lock of what they change,
  /// and the second would find it changed by the first.
  private let isRepeatable: Bool
  private var renewals = 0
  private var limited = 0
  private var failed = 0

  /// Waits for 429 that doesn't say how long; as many tries.
  private static let limitWaits: [Int64] = [2_000, 4_000, 8_000]
  /// Waits for a server that failed or was not there; as many tries.
  private static let failureWaits: [Int64] = [500, 2_000]
  /// What Retry-After may ask for at most, in seconds: with all tries it stays below what a caller waits.
  private static let patience = 30

  init(method: String, hasBody: Bool) {
    // No PUT: of a list that somebody else has changed since, the second would undo that.
    isRepeatable = ["GET", "HEAD", "OPTIONS"].contains(method) || method == "DELETE" && !hasBody
  }

  mutating func next(_ outcome: Outcome) -> Step {
    switch outcome {
    case .status(401, _):
      renewals += 1
      return renewals == 1 ? .renewToken : .reject
    // It was not looked at, so it may be asked again whatever it does.
    case .status(429, let retryAfter): return wait(&limited, Self.limitWaits, retryAfter)
    case .status(let status, let retryAfter)
    where [500, 502, 503, 504].contains(status) && isRepeatable:
      return wait(&failed, Self.failureWaits, retryAfter)
    case .noAnswer where isRepeatable: return wait(&failed, Self.failureWaits, nil)
    case .status, .noAnswer: return .done
    }
  }

  private func wait(_ count: inout Int, _ waits: [Int64], _ retryAfter: Int?) -> Step {
    guard count < waits.count else { return .done }
    if let retryAfter, retryAfter > Self.patience { return .done }
    defer { count += 1 }
    return .wait(milliseconds: retryAfter.map { Int64($0) * 1_000 } ?? waits[count])
  }
}
