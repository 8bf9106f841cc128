/// A request to the provider of the `api` role.
public struct APIRequest: Sendable, Hashable {
  /// The verb, upper case.
  public var method: String
  /// Absolute, normalised by the supervisor.
  public var path: String
  /// In order, not yet escaped.
  public var query: [HTTPField]
  /// In order.
  public var headers: [HTTPField]
  /// At most what the policy allows.
  public var body: [UInt8]

  /// Makes a request.
  public init(
    method: String = "GET", path: String, query: [HTTPField] = [], headers: [HTTPField] = [],
    body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }
}

/// The provider's answer.
public struct APIResponse: Sendable, Hashable {
  /// 100 to 599.
  public var status: Int
  /// In order.
  public var headers: [HTTPField]
  /// At most what the policy allows.
  public var body: [UInt8]

  /// Makes a response.
  public init(status: Int, headers: [HTTPField] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}
