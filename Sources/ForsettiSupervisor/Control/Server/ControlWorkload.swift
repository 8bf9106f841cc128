/// What the supervisor works on for clients, by who they are: a value. A call that nobody waits for any more, because its
/// deadline is over or its connection is gone, counts until its work has ended, so that asking again and again piles
/// nothing up.
struct ControlWorkload {
  /// Whose calls count together.
  struct Owner: Hashable {
    var userID: UInt32
    /// Those of the console are counted for themselves: they must not keep its user from the socket.
    var isScoped: Bool
  }

  /// Calls of one owner at most.
  let limit: Int
  private var counts: [Owner: Int] = [:]

  init(limit: Int) { self.limit = limit }

  /// Takes in a call; false where there is no room for it.
  mutating func begin(_ owner: Owner) -> Bool {
    let count = counts[owner] ?? 0
    guard count < limit else { return false }
    counts[owner] = count + 1
    return true
  }

  /// The work on a call has ended.
  mutating func end(_ owner: Owner) {
    guard let count = counts[owner] else { return }
    counts[owner] = count > 1 ? count - 1 : nil
  }
}
