import CLinux
import Glibc
import Synchronization

/// A descriptor that log lines go to without ever blocking: what can't be written now waits in a bounded
/// buffer, and when that is full lines are dropped and counted.
///
/// The descriptor's own flags are left alone: O_NONBLOCK on stderr would be seen by every process that shares
/// the terminal. Pipes and terminals are opened anew instead, sockets are sent to with MSG_DONTWAIT, and where
/// neither works poll(2) is asked before each write of at most PIPE_BUF bytes, which then doesn't block.
public final class LogOutput: Sendable {
  private enum Way: Sendable {
    /// Writes never block, or say EAGAIN.
    case plain
    case socket
    case polled
  }

  private struct State {
    var buffer: [UInt8] = []
    /// Bytes at the front that are written already.
    var written = 0
    var dropped = 0
    var isWatched = false
    var isFlushDue = false
    /// The line that tells how many are missing, in the form of those around it.
    var dropNotice: @Sendable (Int) -> [UInt8] = { _ in [] }

    var waiting: Int { buffer.count - written }
  }

  private let descriptor: Int32
  private let reopened: Int32?
  private let way: Way
  private let capacity: Int
  private let usesReactor: Bool
  private let state = Mutex(State())

  /// Makes an output on a descriptor that stays open as long as it; stderr as a rule.
  ///
  /// - Parameters:
  ///   - capacity: bytes that may wait.
  ///   - usesReactor: a running supervisor's way: lines of one turn are written together at its end, and what
  ///     could not be written goes out when the reader has caught up. Without it each line is tried at once.
  public init(descriptor: Int32 = 2, capacity: Int = 256 << 10, usesReactor: Bool = false) {
    self.capacity = capacity
    self.usesReactor = usesReactor
    var status = stat()
    fstat(descriptor, &status)
    switch FileKind(mode: status.st_mode) {
    case .fifo, .device:
      let own = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
      reopened = own >= 0 ? own : nil
      way = own >= 0 ? .plain : .polled
    case .socket: (reopened, way) = (nil, .socket)
    // Opened anew, a file would have an offset of its own and overwrite what others append.
    default: (reopened, way) = (nil, .plain)
    }
    self.descriptor = reopened ?? descriptor
  }

  deinit { if let reopened { close(reopened) } }

  /// Whether this is a terminal that shows colours: not with NO_COLOR set, nor on TERM=dumb.
  public var wantsColour: Bool {
    guard isatty(descriptor) == 1, getenv("NO_COLOR") == nil else { return false }
    guard let terminal = getenv("TERM") else { return false }
    return strcmp(terminal, "dumb") != 0
  }

  /// Bytes that wait for the reader.
  public var waiting: Int { state.withLock { $0.waiting } }

  /// Says how a sink tells of dropped lines.
  func setDropNotice(_ notice: @escaping @Sendable (LogRecord) -> [UInt8]) {
    state.withLock { state in
      state.dropNotice = { count in
        notice(
          LogRecord(
            time: wallMilliseconds(), level: .warning,
            message: "The log's reader was stuck: lines were dropped",
            metadata: ["dropped": "\(count)"]))
      }
    }
  }

  /// Takes one line; drops and counts it if the buffer is full.
  ///
  /// - Parameter urgent: write at once, not at the end of the turn.
  func append(_ line: [UInt8], urgent: Bool = false) {
    let isLeft = state.withLock { state in
      guard state.waiting + line.count <= capacity else {
        state.dropped += 1
        return false
      }
      state.buffer += line
      if !urgent, usesReactor, Reactor.shared.isIsolatingCurrentContext() == true {
        defer { state.isFlushDue = true }
        if !state.isFlushDue { ReactorActor.assumeIsolated { Reactor.shared.atEndOfTurn(TurnEnd(self)) } }
        return false
      }
      return !write(&state) && beginWatch(&state)
    }
    if isLeft { Task { await self.watch() } }
  }

  /// Writes what can be written now; true if nothing is left.
  @discardableResult
  public func flush() -> Bool {
    state.withLock { write(&$0) }
  }

  /// Writes all, waiting for the reader; for the last words of a process.
  ///
  /// - Parameter milliseconds: how long to wait at most.
  public func drain(milliseconds: Int = 1_000) {
    let end = monotonicNanoseconds() &+ UInt64(max(0, milliseconds)) &* 1_000_000
    while !flush() {
      let now = monotonicNanoseconds()
      guard now < end else { return }
      var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      poll(&ready, 1, Int32((end - now) / 1_000_000 + 1))
      if ready.revents & Int16(POLLERR) != 0 { return }
    }
  }

  // MARK: Writing

  private func write(_ state: inout State) -> Bool {
    while state.waiting > 0 || state.dropped > 0 {
      if state.waiting == 0 {
        state.buffer = state.dropNotice(state.dropped)
        state.written = 0
        state.dropped = 0
      }
      let count = attempt(state.buffer, from: state.written)
      if count >= 0 {
        state.written += count
      } else if errno == EAGAIN {
        break
      } else if errno != EINTR {
        // Nobody reads any more (EPIPE), or the disk is full: waiting would not help.
        state.written = state.buffer.count
        state.dropped = 0
      }
    }
    if state.written > 0 {
      state.buffer.removeFirst(state.written)
      state.written = 0
    }
    return state.waiting == 0
  }

  private func attempt(_ bytes: [UInt8], from start: Int) -> Int {
    bytes.withUnsafeBytes { bytes in
      let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
      switch way {
      case .plain: return Glibc.write(descriptor, rest.baseAddress, rest.count)
      case .socket:
        return send(descriptor, rest.baseAddress, rest.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
      case .polled:
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&ready, 1, 0) == 1 else {
          errno = EAGAIN
          return -1
        }
        return Glibc.write(descriptor, rest.baseAddress, min(rest.count, Int(PIPE_BUF)))
      }
    }
  }

  // MARK: The reactor's part

  private func beginWatch(_ state: inout State) -> Bool {
    guard usesReactor, !state.isWatched else { return false }
    state.isWatched = true
    return true
  }

  @ReactorActor private func watch() {
    let box = WatchBox()
    // A file can't be watched (EPERM), and is never stuck either.
    box.source = try? Reactor.shared.watch(descriptor, for: .writable) { [weak self] _ in
      guard let self, !flush() else {
        box.source?.cancel()
        box.source = nil
        self?.state.withLock { $0.isWatched = false }
        return
      }
    }
    if box.source == nil { state.withLock { $0.isWatched = false } }
  }

  @ReactorActor private final class WatchBox {
    var source: EventSource?
  }

  /// One write for all lines of a turn.
  @ReactorActor private final class TurnEnd: EndOfTurn {
    private let output: LogOutput

    init(_ output: LogOutput) { self.output = output }

    func endOfTurn() {
      let isLeft = output.state.withLock { state in
        state.isFlushDue = false
        return !output.write(&state) && output.beginWatch(&state)
      }
      if isLeft { output.watch() }
    }
  }
}
