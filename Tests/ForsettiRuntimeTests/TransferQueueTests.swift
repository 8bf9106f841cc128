import Testing

@testable import ForsettiRuntime

/// Who goes next, as a value.
@Suite("The queue of exchanges") struct TransferQueueTests {
  private func queue(_ exchanges: Int = 6, perOwner: Int = 3, bytes: Int = 100) -> TransferQueue {
    TransferQueue(limits: .init(exchanges: exchanges, perOwner: perOwner, bytes: bytes))
  }

  private func all(_ queue: inout TransferQueue) -> [UInt64] {
    var numbers: [UInt64] = []
    while let number = queue.next() { numbers.append(number) }
    return numbers
  }

  @Test("lets owners take turns, and each one's exchanges go in order") func turns() {
    var queue = queue()
    for number in UInt64(1)...3 { queue.add(number, owner: "a", bytes: 1) }
    for number in UInt64(11)...12 { queue.add(number, owner: "b", bytes: 1) }
    #expect(all(&queue) == [1, 11, 2, 12, 3])
    #expect(queue.isEmpty)
  }

  @Test("gives no owner more than a share, and none more than all together") func shares() {
    var queue = queue(4)
    for number in UInt64(1)...5 { queue.add(number, owner: "a", bytes: 1) }
    for number in UInt64(11)...15 { queue.add(number, owner: "b", bytes: 1) }
    #expect(all(&queue) == [1, 11, 2, 12])
    queue.remove(1)
    #expect(all(&queue) == [3])
    queue.remove(11)
    queue.remove(12)
    #expect(all(&queue) == [13, 4])
  }

  @Test("holds back what would take too many bytes, until some are free") func bytes() {
    var queue = queue()
    for number in UInt64(1)...3 { queue.add(number, owner: "a", bytes: 50) }
    #expect(all(&queue) == [1, 2])
    queue.remove(2)
    #expect(all(&queue) == [3])
  }

  @Test("never lets an owner wait that has nothing under way, however much others have") func neverStarves() {
    var queue = queue(2, bytes: 10)
    for number in UInt64(1)...9 { queue.add(number, owner: "a", bytes: 10) }
    #expect(all(&queue) == [1])
    for owner in UInt64(1)...20 {
      queue.add(owner * 100, owner: "owner \(owner)", bytes: 1_000)
      queue.add(owner * 100 + 1, owner: "owner \(owner)", bytes: 1)
    }
    #expect(all(&queue) == (UInt64(1)...20).map { $0 * 100 })
  }

  @Test("forgets who waits no more, and who is over") func forgets() {
    var queue = queue(1)
    queue.add(1, owner: "a", bytes: 1)
    queue.add(2, owner: "a", bytes: 1)
    queue.add(3, owner: "a", bytes: 1)
    #expect(all(&queue) == [1])
    queue.remove(2)
    queue.remove(2)
    queue.remove(99)
    queue.remove(1)
    #expect(all(&queue) == [3])
    queue.remove(3)
    #expect(queue.isEmpty && all(&queue) == [])
  }

  @Test("keeps those that wait when all under way are lost") func lost() {
    var queue = queue(2)
    for number in UInt64(1)...3 { queue.add(number, owner: "a", bytes: 1) }
    #expect(all(&queue) == [1, 2])
    #expect(queue.removeUnderWay() == [1, 2])
    #expect(queue.removeUnderWay() == [])
    #expect(all(&queue) == [3])
  }
}
