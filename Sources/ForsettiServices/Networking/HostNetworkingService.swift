public import ForsettiCore
import Glibc

/// HTTP of one module within its rules. The rules are asked again on every redirect, and each address before a
/// connection to it is made.
public struct HostNetworkingService: NetworkingService {
  /// Redirects that are followed.
  private static let mostRedirects = 5

  private let engine: HTTPEngine
  private let rules: NetworkingRules
  private let options: NetworkingOptions

  init(_ engine: HTTPEngine, rules: NetworkingRules, options: NetworkingOptions) {
    self.engine = engine
    self.rules = rules
    self.options = options
  }

  /// A request on its way from host to host.
  private struct Hop {
    var method: NetworkMethod
    var url: NetworkURL
    var headers: [HTTPField]
    var body: [UInt8]
  }

  /// Performs a request; the body arrives whole, bounded by the policy.
  public func data(_ request: HTTPRequest) async throws(ServiceError) -> HTTPResponse {
    guard let method = NetworkMethod(rawValue: request.method) else {
      throw .invalidArgument(
        name: "method", reason: "one of \(NetworkMethod.allCases.map(\.rawValue)) is meant")
    }
    guard request.body.count <= rules.requestBytes else { throw .tooLarge(limit: UInt64(rules.requestBytes)) }
    guard request.body.isEmpty || ![.get, .head].contains(method) else {
      throw .invalidArgument(name: "body", reason: "\(method.rawValue) has none")
    }
    try HeaderRules.check(request.headers)
    var hop = Hop(
      method: method, url: try url(request.url), headers: request.headers, body: request.body)
    let end = Self.now() + Int64(rules.timeoutMilliseconds)
    for _ in 0...Self.mostRedirects {
      let reply = try await perform(hop, until: end)
      guard let location = reply.header("location"), !location.isEmpty,
        [301, 302, 303, 307, 308].contains(reply.status)
      else {
        return HTTPResponse(
          status: reply.status, url: hop.url.text, headers: reply.headers, body: reply.body)
      }
      hop = next(hop, reply.status, to: try url(location, relativeTo: hop.url))
    }
    throw .failed(code: "redirects", message: "more than \(Self.mostRedirects) redirects")
  }

  private func perform(_ hop: Hop, until end: Int64) async throws(ServiceError) -> HTTPReply {
    let url = hop.url
    let targets = rules.targets(scheme: url.scheme, host: url.host, port: url.port, method: hop.method)
    guard !targets.isEmpty else {
      throw .serviceDenied(
        .policy,
        detail:
          "\(hop.method.rawValue) \(url.scheme.rawValue)://\(url.host):\(url.port) is not on the allow-list")
    }
    let left = end - Self.now()
    guard left > 0 else { throw .deadlineExceeded }
    let exchange = HTTPExchange(
      url: url.text, method: hop.method.rawValue, headers: hop.headers, body: hop.body,
      responseBytes: rules.responseBytes, timeoutMilliseconds: Int(left),
      mayConnect: { address in targets.contains { $0.mayConnect(to: address) } },
      authorities: options.authorities, pinned: options.pinned(url.host, url.port))
    switch await engine.perform(exchange) {
    case .success(let reply): return reply
    case .failure(let fault): throw error(fault, url)
    }
  }

  /// The request that a redirect asks for (RFC 9110 §15.4).
  private func next(_ hop: Hop, _ status: Int, to url: NetworkURL) -> Hop {
    let becomesGet = (status == 303 && hop.method != .head) || (status <= 302 && hop.method == .post)
    return Hop(
      method: becomesGet ? .get : hop.method, url: url,
      headers: HeaderRules.fields(
        hop.headers, keepingSecrets: hop.url.hasSameOrigin(as: url), keepingBody: !becomesGet),
      body: becomesGet ? [] : hop.body)
  }

  private func url(_ text: String, relativeTo base: NetworkURL? = nil) throws(ServiceError) -> NetworkURL {
    let name = base == nil ? "url" : "redirect"
    do throws(NetworkURL.Fault) { return try NetworkURL(text, relativeTo: base) } catch {
      switch error {
      case .malformed(let reason): throw .invalidArgument(name: name, reason: reason)
      case .credentials: throw .invalidArgument(name: name, reason: "credentials have no place in a URL")
      case .scheme(let scheme):
        throw .serviceDenied(.policy, detail: "scheme \(scheme.quoted()) of the \(name)")
      case .host: throw .invalidArgument(name: name, reason: "it names no host that can be asked")
      }
    }
  }

  private func error(_ fault: HTTPFault, _ url: NetworkURL) -> ServiceError {
    switch fault {
    case .refusedAddress(let address):
      .serviceDenied(.policy, detail: "\(url.host) leads to \(address), which is neither public nor listed")
    case .bodyTooLarge: .tooLarge(limit: UInt64(rules.responseBytes))
    case .headersTooLarge: .failed(code: "headers", message: "the answer's header fields are too large")
    case .timedOut: .deadlineExceeded
    case .cancelled: .cancelled
    case .unresolved: .failed(code: "dns", message: "\(url.host) has no address")
    case .unreachable: .failed(code: "connect", message: "nobody answers at \(url.host):\(url.port)")
    case .insecure(let words): .failed(code: "tls", message: words)
    case .failed(let words): .failed(code: "network", message: words)
    }
  }

  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}

/// How hosts are found and trusted.
public struct NetworkingOptions: Sendable {
  /// A file of certificate authorities instead of the system's.
  public var authorities: String?
  /// `HOST:PORT:ADDRESS` in place of the resolver's answer; for tests.
  var pinned: @Sendable (_ host: String, _ port: Int) -> [String] = { _, _ in [] }

  /// Makes options with the defaults.
  public init() {}
}
