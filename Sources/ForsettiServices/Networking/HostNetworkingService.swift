public import ForsettiCore
import Glibc

/// HTTP of one module within its rules. The rules are asked again on every redirect. Whoever performs the requests
/// connects to no address beyond them, and says to which it did, which is judged here once more.
public struct HostNetworkingService: NetworkingService {
  /// Redirects that are followed.
  private static let mostRedirects = 5

  private let transport: any HTTPTransport
  private let moduleID: String
  private let rules: NetworkingRules
  private let options: NetworkingOptions
  private let digester: BodyDigester

  /// - Parameter digester: for answers that are given in parts.
  init(
    _ transport: any HTTPTransport, for caller: ServiceCaller, rules: NetworkingRules,
    options: NetworkingOptions, digester: BodyDigester
  ) {
    self.transport = transport
    moduleID = caller.moduleID
    self.rules = rules
    self.options = options
    self.digester = digester
  }

  /// A request on its way from host to host.
  private struct Hop {
    var method: NetworkMethod
    var url: NetworkURL
    var headers: [HTTPField]
    var body: [UInt8]
  }

  /// Performs a request; the body arrives whole, or the part of it that `BodyPart` asks for, bounded by the policy.
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
    let delivery = try BodyDelivery(request.headers)
    var hop = Hop(
      method: method, url: try url(request.url), headers: BodyDelivery.sent(request.headers),
      body: request.body)
    let end = Self.now() + Int64(rules.timeoutMilliseconds)
    for _ in 0...Self.mostRedirects {
      let reply = try await perform(hop, until: end)
      guard let location = reply.header("location"), !location.isEmpty,
        [301, 302, 303, 307, 308].contains(reply.status)
      else {
        return try await delivery.response(to: hop.url.text, reply, for: moduleID, digestedBy: digester)
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
    let reach = AddressReach(of: targets)
    let exchange = HTTPExchange(
      url: url.text, method: hop.method.rawValue, headers: hop.headers, body: hop.body,
      responseBytes: rules.responseBytes, timeoutMilliseconds: Int(left), reach: reach,
      pinned: options.pinned(url.host, url.port))
    switch await transport.perform(exchange, for: moduleID) {
    case .success(let reply) where reach.contains(reply.address): return reply
    case .success(let reply): throw error(.refusedAddress(reply.address), url)
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
    case .workerLost(let why): .failed(code: "network_worker", message: why)
    }
  }

  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}

/// How hosts are found.
public struct NetworkingOptions: Sendable {
  /// `HOST:PORT:ADDRESS` in place of the resolver's answer; for tests.
  var pinned: @Sendable (_ host: String, _ port: Int) -> [String] = { _, _ in [] }

  /// Makes options with the defaults.
  public init() {}
}

/// Whoever was given nobody to perform requests.
struct NoTransport: HTTPTransport {
  func perform(_ exchange: HTTPExchange, for owner: String) async -> Result<HTTPReply, HTTPFault> {
    .failure(
      .workerLost(
        "there is no network worker: when the supervisor started, its policy let nothing leave the host; restart it"
      ))
  }
}
