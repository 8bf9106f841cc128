internal import ForsettiIPC
internal import Glibc

/// Frames that come from the supervisor, some in each turn.
@MainActor final class FrameInput {
  /// Frames taken between two turns of the jobs they make ready, so that what those work on is still in the caches, and
  /// no module's events wait for all that one read brought.
  private static let framesPerTurn = 32

  /// What a read came to.
  enum Reading {
    case bytes
    /// Nothing is there now.
    case nothing
    /// Nobody will write any more.
    case end
    case failed(errno: Int32)
  }

  /// What they are read from.
  nonisolated let descriptor: Int32
  private var decoder = FrameDecoder()
  /// Whether complete frames may be left from the last turn.
  private(set) var hasBacklog = false

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// One read brings all frames that are there, up to the decoder's buffer. To be called where no backlog is left.
  func read() -> Reading {
    // There is always room: nothing is read before every complete frame is taken.
    guard let count = decoder.withWritableBuffer(readOnce) else { return .nothing }
    decoder.didRead(count)
    return Self.reading(count)
  }

  /// Takes the complete frames of a turn, as long as they are wanted.
  func take(while isWanted: () -> Bool, _ body: (borrowing Frame) throws -> Void) throws {
    // Frames borrow from the decoder, which therefore does not stay in a property meanwhile.
    var decoder = FrameDecoder()
    swap(&decoder, &self.decoder)
    defer { swap(&decoder, &self.decoder) }
    var taken = 0
    hasBacklog = false
    while taken < Self.framesPerTurn, isWanted(), try decoder.withNext(body) { taken += 1 }
    hasBacklog = taken == Self.framesPerTurn
  }

  /// Throws away what is there; false where nobody will write any more.
  func discard() -> Bool {
    switch Self.reading(withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1, readOnce)) {
    case .bytes, .nothing: true
    case .end, .failed: false
    }
  }

  /// read(2): the count, 0 at the end, or the negative errno.
  private func readOnce(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    return count < 0 ? -Int(errno) : count
  }

  private static func reading(_ result: Int) -> Reading {
    switch result {
    case 1...: .bytes
    case 0: .end
    case -Int(EAGAIN), -Int(EINTR): .nothing
    default: .failed(errno: Int32(-result))
    }
  }
}

extension FrameDecoder {
  /// Lends the next complete frame; false until more is read.
  fileprivate mutating func withNext(_ body: (borrowing Frame) throws -> Void) throws -> Bool {
    guard let frame = try next() else { return false }
    try body(frame)
    return true
  }
}
