import ForsettiIPC

/// What one module is still to be told: messages, which are refused when there are too many, and events, of which the
/// oldest give way. Nothing waits here while the module's pipe takes everything.
struct EventInbox {
  /// Bytes and frames of each at most, as of any queue.
  private var messages = FrameRing(
    byteLimit: OutboundQueue.maximumBytes, countLimit: OutboundQueue.maximumFrames)
  private var events = FrameRing(
    byteLimit: OutboundQueue.maximumBytes, countLimit: OutboundQueue.maximumFrames)
  /// Events lost since the module was last told.
  private var lost = 0

  var hasMessages: Bool { !messages.isEmpty }
  var hasEvents: Bool { !events.isEmpty || lost > 0 }

  /// Keeps a message; false when the mailbox is full.
  mutating func add(message frame: Span<UInt8>) -> Bool { messages.append(frame) }

  /// Keeps an event; the oldest ones give way.
  /// - Returns: how many did.
  mutating func add(event frame: Span<UInt8>) -> Int {
    let dropped = events.appendDroppingOldest(frame)
    lost += dropped
    return dropped
  }

  /// Drops everything.
  mutating func removeAll() {
    messages.removeAll()
    events.removeAll()
    lost = 0
  }

  /// Moves what waits into a queue while it has room; messages first, and before any event how many were lost.
  /// - Returns: how many events were moved.
  mutating func drain(
    into queue: inout OutboundQueue, while hasRoom: (borrowing OutboundQueue) -> Bool
  ) -> Int {
    var moved = 0
    while hasRoom(queue), Self.move(&messages, &queue) {}
    while hasRoom(queue), hasEvents {
      if lost > 0 {
        guard (try? queue.appendDropped(count: lost)) != nil else { return moved }
        lost = 0
      }
      guard Self.move(&events, &queue) else { return moved }
      moved += 1
    }
    return moved
  }

  private static func move(_ ring: inout FrameRing, _ queue: inout OutboundQueue) -> Bool {
    var isMoved = false
    ring.withFirst { frame in
      isMoved = (try? queue.append(encodedFrame: frame)) != nil
    }
    if isMoved { ring.removeFirst() }
    return isMoved
  }
}
