/// A group of computers that somebody puts together by hand, and what its Macs do when they hear of it.
struct StaticGroup: Sendable, Equatable {
  /// What a policy of the made-up organisation does on the group's Macs.
  enum Effect: Sendable, Equatable {
    /// Makes the user an administrator for so many minutes.
    case elevates(minutes: Int)
    /// Ends that.
    case demotes
  }

  var number: Int
  var name: String
  var effect: Effect
  /// IDs of computers, sorted.
  var members: [Int] = []
}

/// The static groups, and what is still to come of who was put into them.
struct StaticGroupBook: Sendable {
  private(set) var groups: [StaticGroup]
  private var pending: [Change] = []

  /// What a computer will report, and when.
  struct Change: Sendable, Equatable {
    var computer: Int
    var due: Int64
    var status: String
    /// When the rights end.
    var expires: Int64?
  }

  private static let durations = [5, 15, 30, 60]

  init() {
    groups =
      Self.durations.enumerated().map { index, minutes in
        StaticGroup(
          number: index + 1, name: "Temporary Admin \(minutes) Minutes", effect: .elevates(minutes: minutes))
      } + [
        StaticGroup(number: Self.durations.count + 1, name: "Temporary Admin Demote Now", effect: .demotes)
      ]
  }

  func group(_ number: Int) -> StaticGroup? { groups.first { $0.number == number } }

  /// Gives a group a name and members. Those that are new there act as they act on orders.
  mutating func change(_ number: Int, name: String, members: [Int], now: Int64) {
    guard let index = groups.firstIndex(where: { $0.number == number }) else { return }
    let added = Set(members).subtracting(groups[index].members).sorted()
    groups[index].name = name
    groups[index].members = Set(members).sorted()
    for computer in added { plan(computer, groups[index].effect, now: now) }
  }

  private mutating func plan(_ computer: Int, _ effect: StaticGroup.Effect, now: Int64) {
    // Whatever was planned before is overtaken.
    pending.removeAll { $0.computer == computer }
    let fate = MDMCommand.Fate(device: computer)
    let due = now + (fate == .hesitates ? MDMCommand.retryTime : MDMCommand.answerTime)
    guard fate != .fails else {
      pending.append(Change(computer: computer, due: due, status: "failed", expires: nil))
      return
    }
    switch effect {
    case .demotes: pending.append(Change(computer: computer, due: due, status: "demoted", expires: nil))
    case .elevates(let minutes):
      let expires = due + Int64(minutes) * 60_000
      pending.append(Change(computer: computer, due: due, status: "elevated", expires: expires))
      pending.append(Change(computer: computer, due: expires, status: "demoted", expires: nil))
    }
  }

  /// What is reported by now, each once, in the order of time.
  mutating func takeDue(now: Int64) -> [Change] {
    let due = pending.filter { $0.due <= now }
    guard !due.isEmpty else { return [] }
    pending.removeAll { $0.due <= now }
    return due.sorted { $0.due < $1.due }
  }
}
