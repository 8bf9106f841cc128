import Foundation
import Glibc

/// The address of a console as a command prints it, and the little of HTTP that a test needs.
struct ConsoleURL {
  let port: UInt16
  let token: String

  /// Finds it in an output.
  init?(_ output: String) {
    guard let match = output.firstMatch(of: #/http://127\.0\.0\.1:(\d+)/[#]([0-9a-f]{32})/#),
      let port = UInt16(match.1)
    else { return nil }
    self.port = port
    token = String(match.2)
  }

  /// The status of the answer; `nil` where nobody answers.
  func status(_ method: String, _ path: String, _ headers: [String: String] = [:], body: String = "") -> Int?
  {
    exchange(method, path, headers, body).flatMap { Int($0.dropFirst("HTTP/1.1 ".count).prefix(3)) }
  }

  /// The headers of a browser that is in.
  func signIn() -> [String: String]? {
    let answer = exchange(
      "POST", "/api/session", ["Content-Type": "application/json"], #"{"token":"\#(token)"}"#)
    guard let answer, let cookie = answer.firstMatch(of: #/Set-Cookie: ([^;]+);/#),
      let csrf = answer.firstMatch(of: #/"csrf":"([0-9a-f]+)"/#)
    else { return nil }
    return [
      "Cookie": String(cookie.1), "X-Forsetti-CSRF": String(csrf.1), "Content-Type": "application/json",
    ]
  }

  private func exchange(_ method: String, _ path: String, _ headers: [String: String], _ body: String)
    -> String?
  {
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
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }
}
