/// A first-in, first-out queue in one block of memory: no element moves when another leaves.
struct Ring<Element> {
  private static var smallest: Int { 16 }
  /// An emptied ring larger than this gives its memory back, so that one burst is not paid for for ever.
  private static var largestKept: Int { 1024 }

  private var slots: [Element?] = []
  private var head = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// Puts an element last. Amortised constant time.
  mutating func append(_ element: consuming Element) {
    if count == slots.count { grow() }
    slots[(head &+ count) & (slots.count &- 1)] = element
    count &+= 1
  }

  /// Takes the first element, or `nil` when there is none.
  mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    // Moved out: whatever it refers to is not counted once more.
    let element = slots[head].take()
    head = (head &+ 1) & (slots.count &- 1)
    count &-= 1
    if count == 0, slots.count > Self.largestKept { self = Ring() }
    return element
  }

  /// Doubles the block, which is always a power of two, and lays the elements out from its start.
  private mutating func grow() {
    var larger = [Element?](repeating: nil, count: max(Self.smallest, slots.count &* 2))
    for index in 0..<count { larger[index] = slots[(head &+ index) & (slots.count &- 1)].take() }
    slots = larger
    head = 0
  }
}
