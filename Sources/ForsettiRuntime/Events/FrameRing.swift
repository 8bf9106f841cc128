import ForsettiIPC

/// Whole frames that wait for room in a queue, oldest first, bounded by bytes and count. It takes no memory until it
/// is needed, and gives it back when it runs empty.
struct FrameRing {
  private let byteLimit: Int
  private let countLimit: Int
  private var storage: [UInt8] = []
  /// Where the oldest frame begins.
  private var start = 0
  /// Frames that wait.
  private(set) var count = 0

  init(byteLimit: Int, countLimit: Int) {
    self.byteLimit = byteLimit
    self.countLimit = countLimit
  }

  var isEmpty: Bool { count == 0 }

  /// Bytes that wait.
  var byteCount: Int { storage.count - start }

  /// Adds a frame unless a bound would be broken.
  mutating func append(_ frame: Span<UInt8>) -> Bool {
    guard count < countLimit, frame.count <= byteLimit - byteCount else { return false }
    if start > byteCount {
      // More has left than waits, so each byte is moved once for one that left.
      storage.removeSubrange(..<start)
      start = 0
    }
    frame.withUnsafeBufferPointer { storage.append(contentsOf: $0) }
    count += 1
    return true
  }

  /// Adds a frame and drops the oldest ones that stand in its way.
  /// - Returns: how many were dropped, the frame itself counted if it can never fit.
  mutating func appendDroppingOldest(_ frame: Span<UInt8>) -> Int {
    guard frame.count <= byteLimit, countLimit > 0 else { return 1 }
    var dropped = 0
    while !append(frame) {
      removeFirst()
      dropped += 1
    }
    return dropped
  }

  /// Lends the oldest frame; `nil` when there is none.
  func withFirst<Result>(_ body: (Span<UInt8>) -> Result) -> Result? {
    guard count > 0 else { return nil }
    return body(storage.span.extracting(start..<(start + firstLength)))
  }

  /// Drops the oldest frame.
  mutating func removeFirst() {
    guard count > 0 else { return }
    start += firstLength
    count -= 1
    if count == 0 { removeAll() }
  }

  /// Drops everything.
  mutating func removeAll() {
    storage = []
    start = 0
    count = 0
  }

  /// The frame's own header says how long it is.
  private var firstLength: Int {
    var length = 0
    for step in 0..<4 { length |= Int(storage[start + step]) << (8 * step) }
    return FrameHeader.size + length
  }
}
