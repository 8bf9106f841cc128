/// Why a frame could not be queued. Nothing of it was.
public enum OutboundQueueError: Error, Sendable, Hashable {
  /// The frame would exceed the queue's bytes or count: write first, or tell the producer to wait.
  case full
  /// Head or payload is longer than any frame may be.
  case frameTooLarge(head: Int, payload: Int)
}

/// Frames that wait to be written, back to back in one run of bytes, so that one write(2) sends all that wait.
///
/// Bounded by bytes and by count. The bytes are copied in once and taken from the front; the run is moved to the front
/// of its memory when no more bytes wait than were written since, so that memory stays within twice the bound and
/// one frame, and a frame costs no allocation.
public struct OutboundQueue: ~Copyable, Sendable {
  /// Bytes that may wait in an ordinary queue.
  public static let maximumBytes = 4 << 20
  /// Frames that may wait in an ordinary queue.
  public static let maximumFrames = 4096
  /// Memory kept when the queue runs empty and its last run needed no more.
  static let keptCapacity = 65_536

  let byteLimit: Int
  let frameLimit: Int
  var storage: [UInt8] = []
  /// Bytes before this are written.
  private var written = 0
  /// Where the oldest frame that is not wholly written begins.
  private var oldestFrame = 0
  /// Frames not wholly written.
  public private(set) var frameCount = 0
  /// The longest the run was since the queue was last empty.
  private var peak = 0
  private var scratch: [UInt8] = []

  /// Makes a queue. A queue that holds one frame of the largest size at least never refuses a frame for ever.
  public init(byteLimit: Int = maximumBytes, frameLimit: Int = maximumFrames) {
    self.byteLimit = byteLimit
    self.frameLimit = frameLimit
  }

  /// Bytes that wait.
  public var pendingBytes: Int { storage.count &- written }

  /// Whether nothing waits.
  public var isEmpty: Bool { pendingBytes == 0 }

  /// Bytes of memory held.
  public var capacity: Int { storage.capacity }

  /// Queues a frame of these parts; the header's two lengths are set from them.
  public mutating func append(
    _ header: FrameHeader, head: Span<UInt8>, payload: Span<UInt8>
  ) throws(OutboundQueueError) {
    guard head.count <= FrameHeader.maximumHead, payload.count <= FrameHeader.maximumPayload else {
      throw .frameTooLarge(head: head.count, payload: payload.count)
    }
    try reserve(FrameHeader.size &+ head.count &+ payload.count)
    var header = header
    header.headLength = UInt16(head.count)
    header.length = UInt32(head.count &+ payload.count)
    header.encode(into: &storage)
    head.withUnsafeBufferPointer { storage.append(contentsOf: $0) }
    payload.withUnsafeBufferPointer { storage.append(contentsOf: $0) }
    didAppend()
  }

  /// Queues one frame that `body` appends, header and all, to the empty bytes it is given. Those keep their memory from
  /// frame to frame.
  mutating func append<Failure: Error>(
    full: @autoclosure () -> Failure, _ body: (inout [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    guard frameCount < frameLimit else { throw full() }
    scratch.removeAll(keepingCapacity: scratch.capacity <= Self.keptCapacity)
    try body(&scratch)
    do { try reserve(scratch.count) } catch { throw full() }
    storage.append(contentsOf: scratch)
    didAppend()
  }

  /// Lends all bytes that wait to a write.
  public func withPendingBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try storage.withUnsafeBufferPointer { (all) throws(Failure) in
      try body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: all[written...])))
    }
  }

  /// Says how many bytes the write took. 0 and less (an error of write(2)) are no bytes.
  public mutating func didWrite(_ count: Int) {
    guard count > 0 else { return }
    precondition(count <= pendingBytes, "more bytes reported than were lent")
    written &+= count
    if written == storage.count {
      removeAll()
      return
    }
    while written &- oldestFrame >= FrameHeader.size {
      let next = oldestFrame &+ FrameHeader.size &+ bodyLength(at: oldestFrame)
      guard next <= written else { return }
      oldestFrame = next
      frameCount &-= 1
    }
  }

  /// Drops everything that waits: the other end is gone.
  public mutating func removeAll() {
    let isOversized = storage.capacity > Self.keptCapacity && peak <= Self.keptCapacity
    storage.removeAll(keepingCapacity: !isOversized)
    written = 0
    oldestFrame = 0
    frameCount = 0
    peak = 0
  }

  /// Lends each frame that waits to `body`, the oldest first. None of them may be written in part.
  public func forEachFrame(_ body: (Span<UInt8>) -> Void) {
    var start = oldestFrame
    for _ in 0..<frameCount {
      let end = start &+ FrameHeader.size &+ bodyLength(at: start)
      body(storage.span.extracting(start..<end))
      start = end
    }
  }

  mutating func didAppend(_ frames: Int = 1) {
    frameCount &+= frames
    peak = max(peak, storage.count)
  }

  /// Checks the bounds and makes room for `count` more bytes.
  mutating func reserve(_ count: Int) throws(OutboundQueueError) {
    guard frameCount < frameLimit, count <= byteLimit &- pendingBytes else { throw .full }
    makeRoom(count)
  }

  /// Makes room for `count` more bytes, which need not fit the bounds.
  mutating func makeRoom(_ count: Int) {
    let needed = storage.count &+ count
    guard needed > storage.capacity else { return }
    if oldestFrame > storage.count &- oldestFrame {
      // More is written than waits. Only whole frames leave, so that the oldest one's length can still be read.
      storage.removeSubrange(..<oldestFrame)
      written &-= oldestFrame
      oldestFrame = 0
    }
    if storage.count &+ count > storage.capacity {
      let largest = 2 &* byteLimit &+ FrameHeader.size &+ FrameHeader.maximumBody
      storage.reserveCapacity(max(storage.count &+ count, min(max(2 &* storage.capacity, 4096), largest)))
    }
  }

  private func bodyLength(at frame: Int) -> Int {
    var length = 0
    for step in 0..<4 { length |= Int(storage[frame &+ step]) &<< (8 &* step) }
    return length
  }
}
