internal import ForsettiModuleKit

/// What Jamf Pro gives for credentials, and for how long.
struct JamfToken: Sendable, Hashable {
  /// As it goes into a header field.
  let text: String
  /// Milliseconds since 1970 from which on another is wanted.
  let staleAt: Int64

  /// How long a token holds whose answer doesn't say.
  private static let assumedLifetime: Int64 = 1_200_000
  /// How long before its end it is given up: requests under way must still arrive with it.
  private static let margin: Int64 = 60_000
  /// What is believed of a lifetime at most: a day.
  private static let longestLifetime: Int64 = 86_400_000
  /// Bytes of a token at most.
  private static let limit = 8_192

  /// Reads the answer to a login.
  /// - Parameter now: milliseconds since 1970.
  init(_ answer: JSONValue, of kind: JamfCredentials.Kind, at now: Int64) throws(JamfFailure) {
    let key = kind == .apiClient ? "access_token" : "token"
    guard let text = answer[key]?.stringValue, !text.isEmpty, text.utf8.count <= Self.limit,
      text.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
    else { throw .unreadable("the answer to the login holds no token.") }
    self.text = text
    let told = kind == .apiClient ? Self.seconds(answer) : Self.until(answer["expires"], now)
    let lifetime = min(
      told.flatMap { $0 > 0 ? $0 : nil } ?? Self.assumedLifetime, Self.longestLifetime)
    // A token that holds for less than two minutes is used for half its time.
    staleAt = now + lifetime - min(Self.margin, lifetime / 2)
  }

  private static func seconds(_ answer: JSONValue) -> Int64? {
    guard let seconds = answer["expires_in"]?.integerValue else { return nil }
    return min(max(seconds, 0), longestLifetime / 1_000) * 1_000
  }

  /// ISO 8601, or seconds since 1970.
  private static func until(_ moment: JSONValue?, _ now: Int64) -> Int64? {
    if let text = moment?.stringValue {
      return CivilTime(iso8601: text).map { $0.milliseconds - now }
    }
    guard let seconds = moment?.integerValue, CivilTime.bounds.contains(seconds.saturatingThousand)
    else {
      return nil
    }
    return seconds.saturatingThousand - now
  }

  /// Whether it may be used now.
  func isFresh(at now: Int64) -> Bool { now < staleAt }
}

extension Int64 {
  fileprivate var saturatingThousand: Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: 1_000)
    return overflow ? (self < 0 ? .min : .max) : product
  }
}
