/// A request as a handler sees it: whole, checked, and within the server's limits.
public struct HTTPRequest: Sendable {
  /// As it was sent: `GET`, `POST` and so on, case and all. A handler that knows GET need not know HEAD: the body of
  /// its answer is left out.
  public var method: String
  /// Decoded: absolute, without empty segments, `.` or `..`, without controls and without escaped slashes.
  public var path: String
  /// Decoded.
  public var query: HTTPQuery
  /// As they were sent.
  public var headers: HTTPHeaders
  /// Empty where there is none.
  public var body: [UInt8]

  /// Makes a request.
  public init(
    method: String = "GET", path: String, query: HTTPQuery = HTTPQuery(), headers: HTTPHeaders = [:],
    body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }

  /// The value of a cookie; `nil` where it was not sent, or more than once.
  public func cookie(_ name: String) -> String? {
    let pairs = headers.values(of: "Cookie").flatMap { $0.utf8.split(separator: UInt8(ascii: ";")) }
    let values = pairs.compactMap { pair -> String? in
      let text = String(decoding: pair.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
      return text.hasPrefix(name + "=") ? String(text.dropFirst(name.count + 1)) : nil
    }
    return values.count == 1 ? values[0] : nil
  }
}
