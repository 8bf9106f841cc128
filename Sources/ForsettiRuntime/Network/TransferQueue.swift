/// Who goes next: exchanges that wait, by owner, and those under way. A value; whoever has it performs what it says.
///
/// Owners take turns, and each has a share of what can be under way at once. One that has nothing under way never
/// waits: however many exchanges of others hang, its own goes.
struct TransferQueue {
  /// What may be under way at once.
  struct Limits: Equatable {
    var exchanges = 128
    /// Of one owner.
    var perOwner = 16
    /// Of bodies, asked for and answered, as large as they may become.
    var bytes = 64 << 20
  }

  private struct Entry {
    let owner: String
    let bytes: Int
  }

  private let limits: Limits
  private var entries: [UInt64: Entry] = [:]
  /// By owner, oldest first.
  private var waiting: [String: [UInt64]] = [:]
  /// Owners of those, next first.
  private var turns: [String] = []
  private var underWay: [String: Set<UInt64>] = [:]
  private var underWayCount = 0
  private var underWayBytes = 0

  init(limits: Limits = Limits()) { self.limits = limits }

  /// Whether none waits.
  var isEmpty: Bool { turns.isEmpty }

  /// Adds an exchange that waits.
  mutating func add(_ number: UInt64, owner: String, bytes: Int) {
    entries[number] = Entry(owner: owner, bytes: bytes)
    if waiting[owner, default: []].isEmpty { turns.append(owner) }
    waiting[owner, default: []].append(number)
  }

  /// The next one to go, which counts as under way from now on; `nil` where all that wait must.
  mutating func next() -> UInt64? {
    guard let turn = turns.firstIndex(where: mayGo), let number = waiting[turns[turn]]?.first else {
      return nil
    }
    let owner = turns.remove(at: turn)
    waiting[owner]?.removeFirst()
    if waiting[owner]?.isEmpty == true { waiting[owner] = nil } else { turns.append(owner) }
    underWay[owner, default: []].insert(number)
    underWayCount += 1
    underWayBytes += entries[number]?.bytes ?? 0
    return number
  }

  private func mayGo(_ owner: String) -> Bool {
    let own = underWay[owner]?.count ?? 0
    if own == 0 { return true }
    guard let first = waiting[owner]?.first, let entry = entries[first] else { return false }
    return own < limits.perOwner && underWayCount < limits.exchanges
      && entry.bytes <= limits.bytes - underWayBytes
  }

  /// Forgets an exchange that is over, or that nobody waits for any more.
  mutating func remove(_ number: UInt64) {
    guard let entry = entries.removeValue(forKey: number) else { return }
    if underWay[entry.owner]?.remove(number) != nil {
      if underWay[entry.owner]?.isEmpty == true { underWay[entry.owner] = nil }
      underWayCount -= 1
      underWayBytes -= entry.bytes
    } else {
      waiting[entry.owner]?.removeAll { $0 == number }
      guard waiting[entry.owner]?.isEmpty == true else { return }
      waiting[entry.owner] = nil
      turns.removeAll { $0 == entry.owner }
    }
  }

  /// Forgets all that are under way: whoever performed them is gone. Those that wait stay.
  mutating func removeUnderWay() -> [UInt64] {
    let numbers = underWay.values.flatMap { $0 }.sorted()
    for number in numbers { remove(number) }
    return numbers
  }
}
