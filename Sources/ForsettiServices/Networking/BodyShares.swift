/// How many bodies of each module wait for their digest: a value; whoever has it takes in what it says.
///
/// A body counts in no share of the network worker any more, so that it must count here. What one module has takes
/// nothing of what is kept for another.
struct BodyShares {
  /// Of one module: as many as it may have requests under way.
  static let most = 16
  /// Of one module, whatever others have: 16 MiB, as large as they may be.
  static let kept = 4
  /// Of all modules, 64 MiB; with so many there, a module has no more than what is kept for it.
  static let total = 16

  private var counts: [String: Int] = [:]
  private var count = 0

  /// Takes in a body; false where there is no room for it.
  mutating func take(for moduleID: String) -> Bool {
    let own = counts[moduleID] ?? 0
    guard own < Self.kept || (own < Self.most && count < Self.total) else { return false }
    counts[moduleID] = own + 1
    count += 1
    return true
  }

  /// Gives one back that was taken in.
  mutating func giveBack(for moduleID: String) {
    guard let own = counts[moduleID] else { return }
    counts[moduleID] = own > 1 ? own - 1 : nil
    count -= 1
  }
}
