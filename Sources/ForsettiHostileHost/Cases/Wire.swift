import CLinux
import ForsettiIPC
import Glibc

/// The pipe to the supervisor, past the kit. What is sent is whole frames, so that the kit's own stay whole too.
enum Wire {
  private static let descriptor: Int32 = 4
  /// Up to so much is written whole or not at all (pipe(7)).
  static let atomicBytes = 4096

  /// Sends the frames that `make` queues.
  static func send(_ make: (inout OutboundQueue) throws -> Void) {
    var queue = OutboundQueue()
    guard (try? make(&queue)) != nil else { return }
    queue.withPendingBytes { send($0) }
  }

  /// Sends bytes, and waits where the pipe is full.
  static func send(_ bytes: [UInt8]) { bytes.withUnsafeBytes { send($0) } }

  private static func send(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count > 0 { rest = rest.dropFirst(count) } else if !waitForRoom() { return }
    }
  }

  /// Sends the same bytes again and again, each time whole, until they were sent so often or nobody has read for a
  /// while.
  /// - Returns: how often they were sent.
  static func flood(_ bytes: [UInt8], times: Int, patienceMilliseconds: Int64 = 1_000) -> Int {
    var sent = 0
    while sent < times {
      if write(descriptor, bytes, bytes.count) == bytes.count {
        sent += 1
      } else if !waitForRoom(milliseconds: patienceMilliseconds) {
        return sent
      }
    }
    return sent
  }

  private static func waitForRoom(milliseconds: Int64 = -1) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return cl_ppoll(&polled, 1, milliseconds < 0 ? -1 : milliseconds * 1_000_000) > 0
      && polled.revents & Int16(POLLOUT) != 0
  }
}

extension OutboundQueue {
  /// Its bytes, as they would be sent.
  var bytes: [UInt8] { withPendingBytes { Array($0) } }
}
