import Foundation

/// The address of a console as a command prints it, and a browser's way in.
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
    LoopbackHTTP(port: port).exchange(method, path, headers, body: body)?.status
  }

  /// The headers of a browser that is in.
  func signIn() -> [String: String]? {
    let answer = LoopbackHTTP(port: port).exchange(
      "POST", "/api/session", ["Content-Type": "application/json"], body: #"{"token":"\#(token)"}"#)
    guard let answer, let cookie = answer.head.firstMatch(of: #/Set-Cookie: ([^;]+);/#),
      let csrf = answer.body.firstMatch(of: #/"csrf":"([0-9a-f]+)"/#)
    else { return nil }
    return [
      "Cookie": String(cookie.1), "X-Forsetti-CSRF": String(csrf.1), "Content-Type": "application/json",
    ]
  }
}
