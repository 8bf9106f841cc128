/// Those who wait, each in the queue of its own caller; the callers take turns, however many wait for one of them.
struct FairQueue<Ticket: Hashable & Sendable>: Sendable {
  private var waiting: [String: [Ticket]] = [:]
  /// Callers with somebody who waits, the next one first.
  private var turns: [String] = []

  /// Who waits for one caller.
  func count(of caller: String) -> Int { waiting[caller]?.count ?? 0 }

  /// Puts a ticket behind the caller's others, and a caller who had none behind all.
  mutating func append(_ ticket: Ticket, of caller: String) {
    if waiting[caller] == nil { turns.append(caller) }
    waiting[caller, default: []].append(ticket)
  }

  /// Takes the first ticket of the caller whose turn it is; the caller goes behind all others.
  mutating func popFirst() -> Ticket? {
    guard let caller = turns.first, var tickets = waiting[caller], !tickets.isEmpty else {
      return nil
    }
    turns.removeFirst()
    let ticket = tickets.removeFirst()
    waiting[caller] = tickets.isEmpty ? nil : tickets
    if !tickets.isEmpty { turns.append(caller) }
    return ticket
  }

  /// Takes a ticket out, wherever it stands; false where it is not there.
  mutating func remove(_ ticket: Ticket, of caller: String) -> Bool {
    guard var tickets = waiting[caller], let place = tickets.firstIndex(of: ticket) else {
      return false
    }
    tickets.remove(at: place)
    waiting[caller] = tickets.isEmpty ? nil : tickets
    if tickets.isEmpty { turns.removeAll { $0 == caller } }
    return true
  }
}
