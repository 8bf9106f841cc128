/// Turns a stream of bytes, cut anywhere, into frames.
///
/// The owner reads straight into the decoder's buffer and then takes every complete frame as a borrowed view:
///
///     let count = decoder.withWritableBuffer { read(descriptor, $0.baseAddress, $0.count) }
///     decoder.didRead(count)
///     while let frame = try decoder.next() { … }
///
/// The buffer starts at 4 KiB, doubles to 64 KiB while reads fill it, grows beyond that only for one frame whose
/// header has been checked, and shrinks again when such frames stay away. After an error the decoder is poisoned:
/// it throws the same error for ever, and takes further bytes only to drop them.
public struct FrameDecoder: ~Copyable, Sendable {
  static let firstCapacity = 4096
  static let steadyCapacity = 65_536
  /// No read is promised more room than this.
  static let largestMinimum = steadyCapacity / 2
  /// No buffer is larger: one frame of the largest size, and what a read may ask for after it.
  public static let maximumCapacity = FrameHeader.size + FrameHeader.maximumBody + largestMinimum
  /// A larger buffer is given up after it was not needed for so many reads.
  static let readsBeforeShrinking = 64

  private var storage: [UInt8] = []
  /// Bytes read and not yet taken lie in `start..<end`.
  private var start = 0
  private var end = 0
  /// Header of the frame at `start` whose body is not all there.
  private var pending: FrameHeader?
  private var lastOffered = 0
  private var lastReadWasFull = false
  private var readsSinceLargeFrame = 0
  /// Why the decoder is poisoned, if it is.
  public private(set) var error: FrameError?

  private let bodyLimit: UInt32

  /// Makes a decoder; memory is taken at the first read.
  /// - Parameter bodyLimit: bytes that a body may have here, where that is less than any frame may have.
  public init(bodyLimit: Int = FrameHeader.maximumBody) {
    self.bodyLimit = UInt32(clamping: bodyLimit)
  }

  /// Bytes read and not yet taken as frames.
  public var bufferedBytes: Int { end &- start }

  /// Bytes of memory held.
  public var capacity: Int { storage.count }

  /// Lends the free part of the buffer, at least `minimum` bytes (at most 32 KiB are promised), to a read. Returns
  /// `nil`, without a call to `body`, only when frames not taken yet fill the buffer: call `next` until it gives `nil`.
  public mutating func withWritableBuffer<Result, Failure: Error>(
    minimum: Int = 1, _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard prepare(minimum: max(1, min(minimum, Self.largestMinimum))) else { return nil }
    lastOffered = storage.count &- end
    let free = end..<storage.count
    return try storage.withUnsafeMutableBufferPointer { (all) throws(Failure) in
      try body(UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: all[free])))
    }
  }

  /// Says how many bytes the read brought. 0 and less (end of stream, an error of read(2)) are no bytes.
  public mutating func didRead(_ count: Int) {
    guard count > 0 else { return }
    precondition(count <= lastOffered, "more bytes reported than were lent")
    lastReadWasFull = count == lastOffered
    lastOffered = 0
    if error == nil { end &+= count }
  }

  /// The next complete frame, or `nil` until more is read. The decoder cannot be used while the frame is.
  @_lifetime(&self)
  public mutating func next() throws(FrameError) -> Frame? {
    if let error { throw error }
    let header: FrameHeader
    if let pending {
      header = pending
    } else {
      guard bufferedBytes >= FrameHeader.size else { return nil }
      do throws(FrameError) {
        header = try FrameHeader.decode(storage.span.extracting(start..<end))
        if header.length > bodyLimit { throw .bodyTooLong(header.length) }
      } catch {
        poison(error)
        throw error
      }
    }
    let total = FrameHeader.size &+ Int(header.length)
    guard bufferedBytes >= total else {
      pending = header
      return nil
    }
    pending = nil
    let headStart = start &+ FrameHeader.size
    let payloadStart = headStart &+ Int(header.headLength)
    start &+= total
    let bytes = storage.span
    return Frame(
      header: header, head: bytes.extracting(headStart..<payloadStart),
      payload: bytes.extracting(payloadStart..<start))
  }

  /// Says that the stream has ended; throws `truncated` if that was inside a frame. Call it after `next` gave `nil`.
  public func finish() throws(FrameError) {
    if let error { throw error }
    if bufferedBytes > 0 { throw .truncated(bufferedBytes) }
  }

  private mutating func poison(_ error: FrameError) {
    self.error = error
    start = 0
    end = 0
    pending = nil
  }

  /// Makes room for `minimum` bytes after `end`; false when undrained frames leave none.
  private mutating func prepare(minimum: Int) -> Bool {
    shrinkOrRewind()
    let frame = pending.map { FrameHeader.size &+ Int($0.length) } ?? 0
    let wanted = max(bufferedBytes &+ minimum, frame)
    // Beyond the steady size the buffer grows for a frame that is known to need it, not for frames left untaken.
    let isForFrame = frame > bufferedBytes
    guard isForFrame || wanted <= max(storage.count, Self.steadyCapacity) else { return false }
    var capacity = max(storage.count, Self.firstCapacity)
    if lastReadWasFull, capacity < Self.steadyCapacity { capacity &*= 2 }
    while capacity < wanted, capacity < Self.steadyCapacity { capacity &*= 2 }
    capacity = max(capacity, wanted)
    lastReadWasFull = false
    if capacity > storage.count {
      resize(to: capacity)
    } else if start > 0, start &+ wanted > storage.count || bufferedBytes <= start {
      // Moves no more bytes than were taken since the last move, unless the room is needed now.
      moveToFront()
    }
    return true
  }

  private mutating func shrinkOrRewind() {
    if storage.count > Self.steadyCapacity, bufferedBytes &+ FrameHeader.size <= Self.steadyCapacity {
      let needsIt = pending.map { FrameHeader.size &+ Int($0.length) > Self.steadyCapacity } ?? false
      readsSinceLargeFrame = needsIt ? 0 : readsSinceLargeFrame &+ 1
      if readsSinceLargeFrame > Self.readsBeforeShrinking {
        readsSinceLargeFrame = 0
        resize(to: Self.steadyCapacity)
      }
    }
    if start == end {
      start = 0
      end = 0
    }
  }

  private mutating func resize(to capacity: Int) {
    var fresh = [UInt8](repeating: 0, count: capacity)
    let count = bufferedBytes
    if count > 0 { fresh.replaceSubrange(0..<count, with: storage[start..<end]) }
    storage = fresh
    start = 0
    end = count
  }

  private mutating func moveToFront() {
    let range = start..<end
    storage.withUnsafeMutableBytes { all in
      // Both ranges lie inside the buffer; copyMemory is memmove, so they may overlap.
      if let base = all.baseAddress {
        base.copyMemory(from: base + range.lowerBound, byteCount: range.count)
      }
    }
    start = 0
    end = range.count
  }
}
