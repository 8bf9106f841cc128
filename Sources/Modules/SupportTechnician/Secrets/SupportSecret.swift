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

  /// Secrets at most, with those that orders under way may bring. None gives way to another: the code of a locked Mac may
  /// be nowhere else.
  static let limit = 8

  private var waiting: [(handle: Handle, secret: SupportSecret)] = []
  private var reserved = 0

  /// Titles of what waits, oldest first.
  var titles: [(handle: Handle, title: String)] { waiting.map { ($0.handle, $0.secret.title) } }

  /// Holds a place for the secret that an order may bring.
  /// - Returns: whether there is one; where not, the order must not be given.
  mutating func reserve() -> Bool {
    guard waiting.count + reserved < Self.limit else { return false }
    reserved += 1
    return true
  }

  /// Gives a place back: the order has come to its end, and its secret is taken in next, if it brought one.
  mutating func release() { reserved = max(0, reserved - 1) }

  /// Takes a secret in, for which a place was held.
  /// - Parameter token: nobody guesses it.
  mutating func keep(_ secret: SupportSecret, token: String) -> Handle {
    let handle = Handle(text: token)
    waiting.append((handle, secret))
    return handle
  }

  /// Gives a secret out, and forgets it.
  mutating func take(_ handle: Handle) -> SupportSecret? {
    guard let index = waiting.firstIndex(where: { $0.handle == handle }) else { return nil }
    return waiting.remove(at: index).secret
  }
}
