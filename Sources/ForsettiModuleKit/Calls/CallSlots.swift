/// Open calls by the ID this end gave them, in slots that are used again: an ID is looked up without hashing, and
/// comes again only after its slot was used four thousand million times.
struct CallSlots<Call> {
  private struct Slot {
    var generation: UInt32 = 1
    var deadline = Int64.max
    var call: Call?
  }

  private let capacity: Int
  private var slots: [Slot] = []
  private var free: [UInt32] = []
  /// No open call's deadline is before this; may be earlier than all of them, for calls that ended leave it behind.
  private(set) var earliest = Int64.max
  private(set) var count = 0

  init(capacity: Int) { self.capacity = capacity }

  /// Opens a call; `nil` where as many are open as may be.
  mutating func insert(_ call: Call, deadline: Int64) -> UInt64? {
    let index: Int
    if let last = free.popLast() {
      index = Int(last)
    } else {
      guard slots.count < capacity else { return nil }
      index = slots.count
      slots.append(Slot())
    }
    slots[index].call = call
    slots[index].deadline = deadline
    earliest = min(earliest, deadline)
    count &+= 1
    return UInt64(slots[index].generation) &<< 32 | UInt64(index)
  }

  /// Closes a call and gives it; `nil` where none of this ID is open.
  mutating func remove(_ callID: UInt64) -> Call? {
    let index = Int(truncatingIfNeeded: callID & 0xffff_ffff)
    guard index < slots.count, UInt64(slots[index].generation) == callID &>> 32 else { return nil }
    return close(index)
  }

  private mutating func close(_ index: Int) -> Call? {
    guard let call = slots[index].call else { return nil }
    slots[index].call = nil
    slots[index].generation &+= 1
    // 0 in both halves would be no call at all.
    if slots[index].generation == 0 { slots[index].generation = 1 }
    free.append(UInt32(truncatingIfNeeded: index))
    count &-= 1
    if count == 0 { earliest = .max }
    return call
  }

  /// Closes all calls whose deadline is at or before `now`, with their IDs. Linear in the slots, but called only once
  /// `earliest` has passed.
  mutating func removeDue(at now: Int64) -> [(callID: UInt64, call: Call)] {
    guard earliest <= now else { return [] }
    var due: [(callID: UInt64, call: Call)] = []
    var next = Int64.max
    for index in slots.indices where slots[index].call != nil {
      guard slots[index].deadline <= now else {
        next = min(next, slots[index].deadline)
        continue
      }
      let callID = UInt64(slots[index].generation) &<< 32 | UInt64(index)
      if let call = close(index) { due.append((callID, call)) }
    }
    earliest = next
    return due
  }

  /// Closes all calls.
  mutating func removeAll() -> [Call] {
    var calls: [Call] = []
    for index in slots.indices {
      if let call = close(index) { calls.append(call) }
    }
    return calls
  }
}
