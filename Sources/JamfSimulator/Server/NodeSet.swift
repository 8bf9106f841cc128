import ForsettiCore
import ForsettiHTTP

/// The nodes behind the server's one address, as a cloud's load balancer has them. They share a database and each keeps
/// what it has read: a change is seen at once by the node that made it, and a while later by the others.
struct NodeSet: Sendable {
  /// By which the load balancer finds the node that a client has spoken with.
  static let cookie = "jpro-ingress"

  /// What a node sees that has not heard of a change yet.
  private struct View: Sendable {
    var tenant: Tenant
    /// Milliseconds since 1970.
    var end: Int64
  }

  private let count: Int
  private let delay: Int64
  /// Requests without a cookie so far: the nodes take turns.
  private var turns = 0
  private var views: [Int: View] = [:]

  /// - Parameter replicationMilliseconds: until all nodes know of a change.
  init(count: Int, replicationMilliseconds: Int) {
    self.count = count
    delay = Int64(replicationMilliseconds)
  }

  /// Has one of the nodes answer.
  mutating func answer(
    _ request: ServerRequest, _ tenant: inout Tenant, now: Int64, _ body: (inout Tenant) -> ServerResponse
  ) -> ServerResponse {
    guard count > 1 else { return body(&tenant) }
    let known = node(of: request)
    let node = known ?? nextTurn()
    var response =
      request.method == "GET"
      ? read(node, &tenant, now, body) : write(node, &tenant, now, body)
    if known == nil { response.headers.add("Set-Cookie", "\(Self.cookie)=node\(node); Path=/; HttpOnly") }
    return response
  }

  private mutating func read(
    _ node: Int, _ tenant: inout Tenant, _ now: Int64, _ body: (inout Tenant) -> ServerResponse
  ) -> ServerResponse {
    guard var view = views[node], now < view.end else {
      views[node] = nil
      return body(&tenant)
    }
    // Tokens are signed, and need not be known.
    view.tenant.tokens = tenant.tokens
    return body(&view.tenant)
  }

  private mutating func write(
    _ node: Int, _ tenant: inout Tenant, _ now: Int64, _ body: (inout Tenant) -> ServerResponse
  ) -> ServerResponse {
    let before = tenant
    views[node] = nil
    for other in 0..<count where other != node && views[other].map({ $0.end <= now }) ?? true {
      views[other] = View(tenant: before, end: now + delay)
    }
    return body(&tenant)
  }

  private func node(of request: ServerRequest) -> Int? {
    for pair in (request.headers["Cookie"] ?? "").split(separator: ";") {
      let parts = String(pair).trimmedScalars.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0] == Self.cookie, parts[1].hasPrefix("node") else { continue }
      return Int(parts[1].dropFirst(4)).flatMap { (0..<count).contains($0) ? $0 : nil }
    }
    return nil
  }

  private mutating func nextTurn() -> Int {
    defer { turns += 1 }
    return turns % count
  }
}
