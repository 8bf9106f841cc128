import CLinux
import ForsettiBlocking
import Glibc
import Synchronization

/// Wakes whoever waits in poll(2), once and for all, from any thread.
final class Cancellation: Sendable {
  /// Hung up once it is cancelled.
  let reader: Int32
  private let writer: Mutex<Int32>

  init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    let made = cl_pipe2(&ends, O_CLOEXEC)
    guard made == 0 else { throw SystemError("pipe2", -made) }
    reader = ends[0]
    writer = Mutex(ends[1])
  }

  deinit {
    cancel()
    close(reader)
  }

  func cancel() {
    writer.withLock { writer in
      if writer >= 0 { close(writer) }
      writer = -1
    }
  }

  /// Waits; true when it is cancelled first.
  func wait(_ duration: Duration) -> Bool {
    var polled = pollfd(fd: reader, events: 0, revents: 0)
    let milliseconds =
      duration.components.seconds * 1_000 + duration.components.attoseconds / 1_000_000_000_000_000
    return poll(&polled, 1, Int32(clamping: milliseconds)) != 0
  }
}
