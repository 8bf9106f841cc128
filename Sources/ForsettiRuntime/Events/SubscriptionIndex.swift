import ForsettiCore

/// Who wants which events: an exact type, all types below a prefix (`prefix.*`), or all (`*`). A subscriber that several
/// of its patterns lead to is named once, for it gets an event once.
struct SubscriptionIndex<Subscriber: AnyObject> {
  private struct Entry {
    let subscriber: Subscriber
    /// Subscriptions with this pattern.
    var count: Int
  }

  private var entries: [String: [Entry]] = [:]
  /// Changes whenever the answer to `subscribers(of:)` may have changed.
  private(set) var generation: UInt64 = 1

  /// Adds one subscription.
  mutating func add(_ pattern: String, _ subscriber: Subscriber) {
    if let index = entries[pattern]?.firstIndex(where: { $0.subscriber === subscriber }) {
      entries[pattern]?[index].count += 1
      return
    }
    entries[pattern, default: []].append(Entry(subscriber: subscriber, count: 1))
    generation &+= 1
  }

  /// Removes one subscription; the others of the same pattern stay.
  mutating func remove(_ pattern: String, _ subscriber: Subscriber) {
    guard let index = entries[pattern]?.firstIndex(where: { $0.subscriber === subscriber }) else { return }
    entries[pattern]?[index].count -= 1
    guard entries[pattern]?[index].count == 0 else { return }
    entries[pattern]?.remove(at: index)
    if entries[pattern]?.isEmpty == true { entries[pattern] = nil }
    generation &+= 1
  }

  /// Everybody who wants events of this type: those of the exact type first, then of the shortest prefix on.
  func subscribers(of type: String) -> [Subscriber] {
    var found: [Subscriber] = []
    func add(_ pattern: String) {
      for entry in entries[pattern] ?? [] where !found.contains(where: { $0 === entry.subscriber }) {
        found.append(entry.subscriber)
      }
    }
    add(type)
    add("*")
    for dot in type.utf8.indices where type.utf8[dot] == UInt8(ascii: ".") { add(type[...dot] + "*") }
    return found
  }
}
