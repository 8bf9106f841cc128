/// A call that a clock makes once, unless it is cancelled before.
@ReactorActor public final class ScheduledTimer {
  /// When it is due, in the clock's nanoseconds.
  public let due: UInt64
  fileprivate var body: (@ReactorActor () -> Void)?
  fileprivate var position = 0
  private weak var timers: Timers?

  fileprivate init(due: UInt64, timers: Timers, body: @escaping @ReactorActor () -> Void) {
    self.due = due
    self.timers = timers
    self.body = body
  }

  /// True until it fired or was cancelled.
  public var isPending: Bool { body != nil }

  /// Takes the call back; nothing happens if it has been made.
  public func cancel() {
    guard isPending else { return }
    body = nil
    timers?.remove(self)
  }
}

/// Pending calls as a binary heap, earliest first; calls due at the same time keep no order.
/// Each timer knows its place, so a deadline that is met leaves nothing behind.
@ReactorActor public final class Timers {
  private var heap: [ScheduledTimer] = []

  /// Makes an empty heap; `nonisolated` so that a clock can be made anywhere.
  public nonisolated init() {}

  /// When the next call is due.
  public var nextDue: UInt64? { heap.first?.due }

  /// Number of pending calls.
  public var count: Int { heap.count }

  /// Adds a call.
  public func schedule(due: UInt64, _ body: @escaping @ReactorActor () -> Void) -> ScheduledTimer {
    let timer = ScheduledTimer(due: due, timers: self, body: body)
    timer.position = heap.count
    heap.append(timer)
    siftUp(from: timer.position)
    return timer
  }

  /// Makes every call that is due at `now`, earliest first; a call may schedule others.
  public func fire(now: UInt64) {
    while let timer = heap.first, timer.due <= now {
      remove(timer)
      let body = timer.body
      timer.body = nil
      body?()
    }
  }

  fileprivate func remove(_ timer: ScheduledTimer) {
    let position = timer.position
    let last = heap.removeLast()
    guard last !== timer else { return }
    heap[position] = last
    last.position = position
    siftDown(from: position)
    siftUp(from: last.position)
  }

  private func siftUp(from start: Int) {
    var child = start
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].due < heap[parent].due else { return }
      exchange(child, parent)
      child = parent
    }
  }

  private func siftDown(from start: Int) {
    var parent = start
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
        if heap[child].due < heap[least].due { least = child }
      }
      guard least != parent else { return }
      exchange(parent, least)
      parent = least
    }
  }

  private func exchange(_ first: Int, _ second: Int) {
    heap.swapAt(first, second)
    heap[first].position = first
    heap[second].position = second
  }
}
