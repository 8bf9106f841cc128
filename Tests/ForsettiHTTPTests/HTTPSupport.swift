import CLinux
import ForsettiCore
import Foundation
import Glibc
import Testing

@testable import ForsettiHTTP

/// A server on a thread of its own.
final class RunningServer: Sendable {
  let address: ListenAddress
  private let server: HTTPServer
  private let ended = AsyncStream<Never>.makeStream()

  /// Answers by `handler` until the test is over.
  convenience init(
    _ address: ListenAddress = .loopback(port: 0), limits: HTTPLimits = HTTPLimits(),
    handler: @escaping HTTPServer.Handler
  ) throws {
    try self.init(HTTPListener(address), limits: limits, handler: handler)
  }

  init(
    _ listener: consuming HTTPListener, limits: HTTPLimits = HTTPLimits(),
    handler: @escaping HTTPServer.Handler
  ) throws {
    let server = try HTTPServer(limits: limits, handler: handler)
    self.server = server
    address = listener.address
    let number = dup(listener.number)
    // A thread, not a task: tests that block would hold the few threads that tasks have.
    Thread.detachNewThread { [ended] in
      do { try server.run(on: HTTPListener(inheriting: number)) } catch { Issue.record(error) }
      ended.continuation.finish()
    }
  }

  deinit { server.stop() }

  /// Stops it, and waits until it has.
  func stop() async {
    server.stop()
    for await _ in ended.stream {}
  }

  /// A connection to it.
  func connect() throws -> RawClient { try RawClient(address) }

  /// Sends bytes on a connection of their own, and gives all that comes back.
  func exchange(_ text: String) throws -> String {
    let client = try connect()
    client.send(text)
    return client.readToEnd()
  }

  /// GET, and what comes back.
  func get(_ path: String, _ headers: String = "") throws -> String {
    try exchange("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(headers)Connection: close\r\n\r\n")
  }
}

/// A client that says exactly what it is told.
final class RawClient {
  let socket: Int32

  init(_ address: ListenAddress) throws {
    switch address {
    case .loopback(let port):
      socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      var peer = sockaddr_in()
      peer.sin_family = sa_family_t(AF_INET)
      peer.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      peer.sin_port = port.bigEndian
      let connected = withUnsafeBytes(of: &peer) {
        Glibc.connect(socket, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
      }
      try #require(connected == 0)
    case .unix(let path):
      socket = cl_unix_socket(0o600)
      try #require(cl_unix_connect(socket, path) == 0)
      _ = fcntl(socket, F_SETFL, 0)
    }
  }

  deinit { close(socket) }

  /// Sends what it can; the other end may have had enough.
  func send(_ text: String) { send(Array(text.utf8)) }
  func send(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  /// What comes next; empty at the end.
  func read() -> String {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = Glibc.read(socket, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  /// All there is to come.
  func readToEnd() -> String {
    var text = ""
    while case let piece = read(), !piece.isEmpty { text += piece }
    return text
  }

  /// Reads until `mark` has come; all that came.
  func read(until mark: String) throws -> String {
    var text = ""
    while !text.contains(mark) {
      let piece = read()
      try #require(!piece.isEmpty, "ended before \(mark): \(text)")
      text += piece
    }
    return text
  }
}

/// A stream that a test feeds through a pipe.
final class FedStream: HTTPStream {
  private let ends: [Int32]
  /// Finishes when the stream is cancelled.
  let cancelled: AsyncStream<Never>
  private let didCancel: AsyncStream<Never>.Continuation

  init() throws {
    var ends: [Int32] = [-1, -1]
    try #require(cl_pipe2(&ends, O_CLOEXEC) == 0)
    self.ends = ends
    (cancelled, didCancel) = AsyncStream.makeStream()
  }

  deinit { for end in ends { close(end) } }

  func feed(_ text: String) { _ = text.withCString { write(ends[1], $0, strlen($0)) } }

  func next() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 1_024)
    let count = Glibc.read(ends[0], &bytes, bytes.count)
    return count > 0 && bytes[0] != 0 ? Array(bytes.prefix(count)) : nil
  }

  func cancel() {
    // A NUL is the end: closing the pipe would take it from a `next` that reads it.
    var end: UInt8 = 0
    write(ends[1], &end, 1)
    didCancel.finish()
  }
}
