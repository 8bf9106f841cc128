/// A secret on its way to the technician's eyes. It has no description, so no log can have it by accident.
struct SupportSecret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible {
  /// What it is, which is no secret.
  let title: String
  /// Not blank.
  let value: String

  var description: String { "\(title) (not shown)" }
  var debugDescription: String { description }
}

/// Secrets that wait to be looked at, each once.
struct SecretVault: Sendable {
  /// What a secret is fetched by; it tells nothing of it.
  struct Handle: Sendable, Hashable {
    let text: String
  }

  /// The oldest is forgotten for a further one.
  static let limit = 8

  private var waiting: [(handle: Handle, secret: SupportSecret)] = []

  /// Titles of what waits, oldest first.
  var titles: [(handle: Handle, title: String)] { waiting.map { ($0.handle, $0.secret.title) } }

  /// Takes a secret in.
  /// - Parameter token: nobody guesses it.
  mutating func keep(_ secret: SupportSecret, token: String) -> Handle {
    if waiting.count == Self.limit { waiting.removeFirst() }
    let handle = Handle(text: token)
    waiting.append((handle, secret))
    return handle
  }

  /// Gives a secret out, and forgets it.
  mutating func take(_ handle: Handle) -> SupportSecret? {
    guard let index = waiting.firstIndex(where: { $0.handle == handle }) else { return nil }
    return waiting.remove(at: index).secret
  }

  /// Forgets them all.
  mutating func clear() { waiting = [] }
}
