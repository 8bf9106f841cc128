/// Payloads by deadline, earliest first; among equal deadlines, in the order they came.
struct TimerHeap<Payload: BitwiseCopyable> {
  private struct Timer {
    var deadline: Int64
    var sequence: UInt64
    var payload: Payload

    func isBefore(_ other: Timer) -> Bool {
      deadline == other.deadline ? sequence < other.sequence : deadline < other.deadline
    }
  }

  private var timers: [Timer] = []
  private var nextSequence: UInt64 = 0

  var isEmpty: Bool { timers.isEmpty }
  /// The earliest deadline, in the unit and on the clock of whoever inserts.
  var earliest: Int64? { timers.first?.deadline }

  /// Adds a payload. Logarithmic time.
  mutating func insert(_ payload: Payload, deadline: Int64) {
    timers.append(Timer(deadline: deadline, sequence: nextSequence, payload: payload))
    nextSequence &+= 1
    var child = timers.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard timers[child].isBefore(timers[parent]) else { break }
      timers.swapAt(child, parent)
      child = parent
    }
  }

  /// Takes the earliest payload whose deadline is at or before `now`. Logarithmic time.
  mutating func popDue(at now: Int64) -> Payload? {
    guard let first = timers.first, first.deadline <= now else { return nil }
    let last = timers.removeLast()
    guard !timers.isEmpty else { return first.payload }
    timers[0] = last
    sink()
    return first.payload
  }

  private mutating func sink() {
    var parent = 0
    while true {
      var smallest = parent
      let left = 2 * parent + 1
      if left < timers.count, timers[left].isBefore(timers[smallest]) { smallest = left }
      if left + 1 < timers.count, timers[left + 1].isBefore(timers[smallest]) { smallest = left + 1 }
      if smallest == parent { return }
      timers.swapAt(parent, smallest)
      parent = smallest
    }
  }
}
