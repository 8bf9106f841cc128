import CLinux
import Glibc

@testable import ForsettiRuntime

/// The test's end of NOTIFY_SOCKET.
final class NoticeSocket: Sendable {
  private struct NoSocket: Error {}
  let path: String
  private let descriptor: Descriptor

  init(_ path: String) throws {
    self.path = path
    let number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0, cl_unix_bind(number, path) == 0 else { throw NoSocket() }
    descriptor = Descriptor(owning: number)
    // Nothing that is waited for here may keep a failing test from its end.
    var patience = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  /// The next datagram; `nil` when none comes.
  func next() -> String? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor.number, &buffer, buffer.count, 0)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }

  /// Datagrams up to one that begins so, which is the last of them.
  func upTo(_ begin: String) -> [String] {
    var found: [String] = []
    while let notice = next() {
      found.append(notice)
      if notice.hasPrefix(begin) { break }
    }
    return found
  }

  /// Says something as whoever is asked to would.
  func say(_ text: String) -> Bool {
    let number = cl_unix_datagram_socket()
    defer { close(number) }
    return cl_unix_send_to(number, path, Array(text.utf8), text.utf8.count) >= 0
  }
}
