/// A module that needs a secret of a person, such as credentials. The policy says what is asked for (`secrets`); the host
/// asks on a form or a terminal of its own, which no module sees, and hands the values over.
@MainActor
public protocol ForsettiSecretReceiver: ForsettiModule {
  /// Verifies the values, then keeps them. What it throws says what was wrong with them and reaches the person who entered
  /// them; it must not repeat them, and no call ever answers them.
  /// - Parameter values: by the IDs of the policy's fields; one that was left empty is not there.
  func receiveSecret(_ secretID: String, values: [String: String]) async throws
}
