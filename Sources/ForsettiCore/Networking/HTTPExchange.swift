/// One request to one host, without redirects.
public struct HTTPExchange: Sendable, Hashable {
  /// Absolute, in the canonical form of whoever checked it: its host is in lower case, its dots are resolved.
  public var url: String
  /// One of `NetworkMethod`.
  public var method: String
  /// In order.
  public var headers: [HTTPField]
  /// What is sent.
  public var body: [UInt8]
  /// The largest body of the answer, bytes.
  public var responseBytes: Int
  /// Until the whole answer must be there.
  public var timeoutMilliseconds: Int
  /// The addresses that the host's name may lead to.
  public var reach: AddressReach
  /// `HOST:PORT:ADDRESS` in place of the resolver's answer.
  public var pinned: [String]

  /// Makes an exchange.
  public init(
    url: String, method: String, headers: [HTTPField] = [], body: [UInt8] = [], responseBytes: Int,
    timeoutMilliseconds: Int, reach: AddressReach, pinned: [String] = []
  ) {
    self.url = url
    self.method = method
    self.headers = headers
    self.body = body
    self.responseBytes = responseBytes
    self.timeoutMilliseconds = timeoutMilliseconds
    self.reach = reach
    self.pinned = pinned
  }
}

/// Addresses that a connection may be made to.
public enum AddressReach: Sendable, Hashable {
  /// Any: the person who wrote the policy chose the host.
  case any
  /// The public Internet, and these ranges.
  case publicInternet(and: [AddressRange])

  /// What the entries of an allow-list that cover a request reach together.
  public init(of targets: [NetworkTarget]) {
    self = .publicInternet(and: targets.flatMap(\.ranges))
  }

  /// Whether an address is among them.
  public func contains(_ address: IPAddress) -> Bool {
    switch self {
    case .any: true
    case .publicInternet(let ranges): address.isPublic || ranges.contains { $0.contains(address) }
    }
  }
}

/// The answer to an exchange.
public struct HTTPReply: Sendable, Hashable {
  /// The status.
  public var status: Int
  /// In order; those of the final answer alone.
  public var headers: [HTTPField]
  /// The address that was connected to.
  public var address: IPAddress
  /// All of it.
  public var body: [UInt8]

  /// Makes an answer.
  public init(status: Int, headers: [HTTPField], address: IPAddress, body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.address = address
    self.body = body
  }

  /// The value of the first field of a name, which is given in lower case.
  public func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name }?.value }
}

/// Why there is no answer.
public enum HTTPFault: Error, Sendable, Hashable {
  /// The name leads to an address that may not be reached.
  case refusedAddress(IPAddress)
  /// The answer's body is larger than asked for.
  case bodyTooLarge
  /// The answer's header fields are larger or more than any answer may have.
  case headersTooLarge
  /// It took too long.
  case timedOut
  /// Nobody waits for it any more.
  case cancelled
  /// The name leads nowhere.
  case unresolved
  /// Nobody answers at the address.
  case unreachable
  /// TLS failed, with the library's words.
  case insecure(String)
  /// Anything else, with the library's words.
  case failed(String)
  /// The process that performed it ended meanwhile, or there is none to be had.
  case workerLost(String)
}

/// Whoever performs exchanges: a locked process.
public protocol HTTPTransport: Sendable {
  /// Performs one exchange; cancelling the task ends it.
  /// - Parameter owner: on whose account it goes; owners wait for themselves, not for each other.
  func perform(_ exchange: HTTPExchange, for owner: String) async -> Result<HTTPReply, HTTPFault>
}
