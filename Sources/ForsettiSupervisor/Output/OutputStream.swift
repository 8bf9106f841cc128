import ForsettiRuntime
import Glibc

/// One of the process's own streams. A reader that has gone away is no error: what follows is dropped.
struct OutputStream: Sendable {
  let descriptor: Int32
  let style: TextStyle
  let isTerminal: Bool

  /// Takes a descriptor; colour only on a terminal, never under NO_COLOR or TERM=dumb.
  init(descriptor: Int32, environment: [String: String]) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
    let refused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    style = TextStyle(isColoured: isTerminal && !refused && environment["TERM"] != "dumb")
  }

  /// Writes all of the text. Fails with EX_IOERR where the device does (a full disk behind a redirection).
  func write(_ text: String) throws(CommandFailure) {
    try write(bytes: Array(text.utf8))
  }

  /// Writes what a reader takes within half a second; the rest is dropped.
  func offer(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      guard poll(&poller, 1, 500) > 0, poller.revents & Int16(POLLOUT) != 0 else { return }
      // PIPE_BUF bytes fit when poll says so, and no write of them blocks.
      let count = bytes.prefix(4096).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }

  /// Writes all of the bytes.
  func write(bytes: [UInt8]) throws(CommandFailure) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        // The slice is inside the buffer: written < count.
        Glibc.write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
      }
      if count >= 0 {
        written += count
      } else if errno == EAGAIN {
        var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&poller, 1, -1)
      } else if errno == EPIPE {
        return
      } else if errno != EINTR {
        let reason = SystemError.text(of: errno)
        throw CommandFailure(status: .ioError, message: "cannot write the output: \(reason)")
      }
    }
  }
}
