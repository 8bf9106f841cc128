/// An HTTP request of a module.
public struct HTTPRequest: Sendable, Hashable {
  /// The verb, upper case.
  public var method: String
  /// Absolute.
  public var url: String
  /// In order.
  public var headers: [HTTPField]
  /// At most what the policy allows.
  public var body: [UInt8]

  /// Makes a request.
  public init(method: String = "GET", url: String, headers: [HTTPField] = [], body: [UInt8] = []) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// One header field; names compare without case, and may occur more than once.
public struct HTTPField: Sendable, Hashable {
  /// As written.
  public var name: String
  /// Without line breaks.
  public var value: String

  /// Makes a field.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// The answer to an HTTP request, redirects followed.
public struct HTTPResponse: Sendable, Hashable {
  /// 100 to 599.
  public var status: Int
  /// Where the answer came from, after redirects.
  public var url: String
  /// In order.
  public var headers: [HTTPField]
  /// At most what the policy allows.
  public var body: [UInt8]

  /// Makes a response.
  public init(status: Int, url: String, headers: [HTTPField], body: [UInt8]) {
    self.status = status
    self.url = url
    self.headers = headers
    self.body = body
  }
}
