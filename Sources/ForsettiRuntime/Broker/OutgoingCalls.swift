/// The calls that the supervisor has open with one module, by the ids it gave them, so that each answer ends its own
/// call once: what comes late is told from what was never asked.
///
/// An id is the place in the table and a serial number. Nothing is allocated for a call once the table has grown.
struct OutgoingCalls<Caller> {
  /// What becomes of an answer.
  enum Answer {
    /// It ends a call.
    case ends(Caller)
    /// The call was given up already: its caller cancelled, left, or ran out of time.
    case late
    /// No such call was made, or it was answered already.
    case unknown
  }

  private struct Place {
    var id: UInt64
    /// `nil` in a free place, and in one whose call was given up.
    var caller: Caller?
    var deadline: UInt64
  }

  /// Calls open at most.
  let limit: Int
  private var places: [Place] = []
  private var free: [UInt32] = []
  /// Places of calls that were given up and may be answered still, oldest first from `oldestAbandoned` on.
  private var abandoned: [UInt64] = []
  private var oldestAbandoned = 0
  private var serial: UInt64 = 0
  /// Calls given up with this serial or an earlier one are forgotten: their answers count as late.
  private var forgotten: UInt64 = 0
  /// Open calls.
  private(set) var count = 0

  private static var placeBits: UInt64 { 16 }

  init(limit: Int) { self.limit = min(limit, 1 << 15) }

  /// Opens a call; `nil` when too many are open.
  mutating func open(_ caller: Caller, deadline: UInt64) -> UInt64? {
    guard count < limit, let place = takePlace() else { return nil }
    serial &+= 1
    let id = serial &<< Self.placeBits | UInt64(place)
    places[Int(place)] = Place(id: id, caller: caller, deadline: deadline)
    count &+= 1
    return id
  }

  /// Ends the call that an answer names.
  mutating func answer(_ id: UInt64) -> Answer {
    let place = Self.place(of: id)
    // Free places have the id 0, which is no call's.
    guard id != 0, place < places.count, places[place].id == id else {
      let number = id &>> Self.placeBits
      return number > 0 && number <= forgotten ? .late : .unknown
    }
    guard let caller = places[place].caller else {
      release(place)
      return .late
    }
    release(place)
    count &-= 1
    return .ends(caller)
  }

  /// Gives up a call whose answer nobody waits for any more; returns its caller if it was open.
  mutating func abandon(_ id: UInt64) -> Caller? {
    let place = Self.place(of: id)
    guard place < places.count, places[place].id == id, let caller = places[place].caller else { return nil }
    places[place].caller = nil
    if abandoned.count >= 4 * limit { dropAnswered() }
    abandoned.append(id)
    count &-= 1
    return caller
  }

  /// Gives up every call that is due and hands it over.
  /// - Returns: when the next one is due, of those that are left.
  mutating func expire(now: UInt64, _ body: (UInt64, Caller) -> Void) -> UInt64? {
    var next: UInt64?
    for place in places.indices {
      guard let caller = places[place].caller else { continue }
      let deadline = places[place].deadline
      guard deadline <= now else {
        next = min(next ?? deadline, deadline)
        continue
      }
      let id = places[place].id
      if abandon(id) != nil { body(id, caller) }
    }
    return next
  }

  /// Ends all calls and forgets everything.
  /// - Returns: who waited.
  mutating func takeAll() -> [Caller] {
    let callers = places.compactMap(\.caller)
    self = OutgoingCalls(limit: limit)
    return callers
  }

  private mutating func takePlace() -> UInt32? {
    if let place = free.popLast() { return place }
    // Twice the limit: as many calls as may be open can have been given up and unanswered before the oldest of
    // them is forgotten.
    if places.count < 2 * limit {
      places.append(Place(id: 0, caller: nil, deadline: 0))
      return UInt32(places.count - 1)
    }
    forgetOldest()
    return free.popLast()
  }

  private mutating func forgetOldest() {
    while oldestAbandoned < abandoned.count {
      let id = abandoned[oldestAbandoned]
      oldestAbandoned += 1
      let place = Self.place(of: id)
      // Answered late since, and perhaps in use again.
      guard places[place].id == id else { continue }
      forgotten = max(forgotten, id &>> Self.placeBits)
      release(place)
      return
    }
  }

  /// At most two limits of calls can wait for a late answer, so this at least halves the list.
  private mutating func dropAnswered() {
    abandoned = abandoned[oldestAbandoned...].filter { places[Self.place(of: $0)].id == $0 }
    oldestAbandoned = 0
  }

  private mutating func release(_ place: Int) {
    places[place].id = 0
    places[place].caller = nil
    free.append(UInt32(place))
  }

  private static func place(of id: UInt64) -> Int { Int(id & (1 &<< placeBits &- 1)) }
}
