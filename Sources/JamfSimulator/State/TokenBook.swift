/// The access tokens that are out.
struct TokenBook: Sendable {
  struct Token: Sendable, Equatable {
    var text: String
    var account: Account
    /// Milliseconds since 1970.
    var expires: Int64
  }

  /// Seconds that a token holds.
  let lifetime: Int
  private let seed: UInt64
  private var tokens: [Token] = []
  private var issued = 0

  /// So many hold at once; a further one ends the oldest.
  static let limit = 1_000

  init(seed: UInt64, lifetime: Int) {
    self.seed = seed
    self.lifetime = lifetime
  }

  mutating func issue(_ account: Account, now: Int64) -> Token {
    issued += 1
    var dice = Dice(seed: seed, .token, issued)
    let token = Token(text: dice.hex(48), account: account, expires: now + Int64(lifetime) * 1_000)
    if tokens.count == Self.limit { tokens.removeFirst() }
    tokens.append(token)
    return token
  }

  /// The token of this text, while it holds.
  func find(_ text: String, now: Int64) -> Token? { tokens.first { $0.text == text && now < $0.expires } }

  mutating func invalidate(_ text: String) { tokens.removeAll { $0.text == text } }
}
