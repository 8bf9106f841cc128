/// What was last seen of the memory of the modules' processes, and whose turn it is. To ask for a share of memory takes the
/// processor up to a tenth of a millisecond, so of a thousand processes only some are looked at each time, and of those only
/// some are asked for it.
struct ProcessLooks {
  /// Processes of one look: about a millisecond a second, of which calls notice nothing.
  static let processesAtOnce = 64
  /// Nanoseconds between two looks, however many ask.
  static let pause: UInt64 = 500_000_000

  /// By the order of the module, which no other process shares.
  private var seen: [Int: MemoryLook] = [:]
  private var last = Int.min
  private var next: UInt64 = 0

  /// Whose turn it is now, of those that run; all of them where there are few, none right after another look.
  /// - Parameter orders: of the modules that run, ascending. What was seen of others is forgotten.
  mutating func due(of orders: [Int], now: UInt64) -> [Int] {
    guard now >= next else { return [] }
    next = now &+ Self.pause
    if seen.count > orders.count {
      let running = Set(orders)
      seen = seen.filter { running.contains($0.key) }
    }
    let place = orders.firstPlace { $0 > last }
    let due = (orders[place...] + orders[..<place]).prefix(Self.processesAtOnce)
    last = due.last ?? last
    return Array(due)
  }

  /// What was seen of a module's process, where it was looked at.
  subscript(order: Int) -> MemoryLook? {
    get { seen[order] }
    set { seen[order] = newValue }
  }
}

/// What was seen of a process's memory.
struct MemoryLook: Sendable, Hashable {
  /// Looks for which a share that is known may be told, if the process has as many pages as it had then: the others that have
  /// some of them with it may come and go.
  static let looksOfShare = 8

  /// Pages that it has in core, of which the kernel keeps count.
  var residentPages: Int
  /// Bytes of them, those that it has with others by its share, as asked for some looks ago.
  var proportionalBytes: Int
  /// Looks since then.
  var age: Int

  /// A look after this one; `nil` where the share must be asked for.
  func next(residentPages: Int) -> MemoryLook? {
    guard residentPages == self.residentPages, age + 1 < Self.looksOfShare else { return nil }
    var next = self
    next.age += 1
    return next
  }
}

extension Array {
  /// Where the elements begin of which this holds, in an array whose last ones they are.
  func firstPlace(where holds: (Element) -> Bool) -> Int {
    var range = startIndex..<endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = holds(self[middle]) ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    return range.lowerBound
  }
}
