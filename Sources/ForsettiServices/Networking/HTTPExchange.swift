import ForsettiCore

/// One request to one host, without redirects, as the engine performs it.
struct HTTPExchange: Sendable {
  /// Absolute, as `NetworkURL` made it.
  var url: String
  var method: String
  var headers: [HTTPField] = []
  var body: [UInt8] = []
  /// The largest body of the answer, in bytes.
  var responseBytes: Int
  var timeoutMilliseconds: Int
  /// Asked of each address before a socket is made for it: what is checked is what is connected to.
  var mayConnect: @Sendable (IPAddress) -> Bool = { _ in true }
  /// A file of certificate authorities instead of the system's.
  var authorities: String?
  /// `HOST:PORT:ADDRESS` in place of the resolver's answer.
  var pinned: [String] = []
}

/// The answer.
struct HTTPReply: Sendable {
  var status = 0
  var headers: [HTTPField] = []
  var body: [UInt8] = []

  /// The first field of a name, which is given in lower case.
  func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name }?.value }
}

/// Why there is no answer.
enum HTTPFault: Error, Sendable, Hashable {
  /// The name leads to an address that may not be reached.
  case refusedAddress(IPAddress)
  case bodyTooLarge
  case headersTooLarge
  case timedOut
  case cancelled
  /// The name leads nowhere.
  case unresolved
  case unreachable
  /// TLS failed, with libcurl's words.
  case insecure(String)
  case failed(String)
}
