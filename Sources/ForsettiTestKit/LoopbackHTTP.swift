import Foundation
import Glibc

/// The little of HTTP that a test needs to speak with a server of this host: one request, one connection.
public struct LoopbackHTTP: Sendable {
  /// What came back.
  public struct Answer: Sendable {
    /// Status line and header fields.
    public var head: String
    /// What follows them.
    public var body: String

    /// The status; `nil` where the answer has none.
    public var status: Int? { Int(head.dropFirst("HTTP/1.1 ".count).prefix(3)) }
  }

  /// Where the server listens on 127.0.0.1.
  public let port: UInt16

  /// Speaks with a port.
  public init(port: UInt16) { self.port = port }

  /// Asks; `nil` where nobody answers.
  public func exchange(
    _ method: String, _ path: String, _ headers: [String: String] = [:], body: String = ""
  ) -> Answer? {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(socket) }
    var peer = sockaddr_in()
    peer.sin_family = sa_family_t(AF_INET)
    peer.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    peer.sin_port = port.bigEndian
    let connected = withUnsafeBytes(of: &peer) {
      connect(socket, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
    }
    guard connected == 0 else { return nil }
    var all = ["Host": "127.0.0.1:\(port)", "Connection": "close", "Content-Length": "\(body.utf8.count)"]
    all.merge(headers) { $1 }
    let text = "\(method) \(path) HTTP/1.1\r\n" + all.map { "\($0): \($1)\r\n" }.joined() + "\r\n" + body
    _ = text.withCString { send(socket, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while case let count = read(socket, &piece, piece.count), count > 0 { bytes += piece.prefix(count) }
    guard !bytes.isEmpty else { return nil }
    let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))
    return Answer(
      head: String(decoding: bytes[..<(end?.lowerBound ?? bytes.endIndex)], as: UTF8.self),
      body: String(decoding: bytes[(end?.upperBound ?? bytes.endIndex)...], as: UTF8.self))
  }
}
