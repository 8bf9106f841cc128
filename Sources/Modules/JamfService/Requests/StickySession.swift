internal import ForsettiModuleKit

/// Keeps to the node that has made a change, of a server that has several behind one address: others may not know of the change
/// yet. Jamf Cloud's load balancer marks answers with a cookie of the node that gave them, and sends a request with that
/// cookie there. Its nodes learn from each other every minute; after that requests are spread over them again, as Jamf
/// advises. No other cookie is kept, and none leaves this module.
@MainActor
final class StickySession {
  /// The load balancers' own: of Jamf Cloud, and of Jamf Premium Cloud.
  private static let names = ["jpro-ingress", "APBALANCEID"]
  /// Bytes of a value at most.
  private static let valueLimit = 256
  /// How long a change may take to be known everywhere, milliseconds: twice what Jamf says.
  private static let holdMilliseconds: Int64 = 120_000
  private static let reading: Set = ["GET", "HEAD", "OPTIONS"]

  private var values: [String: String] = [:]
  /// When the latest change was sent, milliseconds since 1970.
  private var changedAt: Int64?

  /// The request as it goes out.
  func marking(_ request: HTTPRequest, at now: Int64) -> HTTPRequest {
    if let changedAt, now - changedAt > Self.holdMilliseconds { values = [:] }
    if Self.isChange(request) { changedAt = now }
    let cookies = Self.names.compactMap { name in values[name].map { "\(name)=\($0)" } }
    guard !cookies.isEmpty else { return request }
    var request = request
    request.headers.append(HTTPField("Cookie", cookies.joined(separator: "; ")))
    return request
  }

  /// Takes up what an answer says of its node, where that has made a change, or was asked for.
  /// - Parameter request: as it went out.
  func hear(_ response: HTTPResponse, to request: HTTPRequest) {
    guard Self.isChange(request) || request.headers.contains(where: { $0.name == "Cookie" }),
      // One that a redirect has brought from elsewhere says nothing of this server's nodes.
      Self.origin(response.url) == Self.origin(request.url)
    else { return }
    for field in response.headers where field.name.lowercased() == "set-cookie" { take(field.value) }
  }

  /// Logins go by POST, and change nothing that another node would have to know of.
  private static func isChange(_ request: HTTPRequest) -> Bool {
    !reading.contains(request.method) && !JamfLogin.paths.contains { request.url.hasSuffix($0) }
  }

  /// Reads a Set-Cookie (RFC 6265 §5.2). One that ends the cookie, or holds what is no value, is the end of what was kept.
  private func take(_ text: String) {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false).map {
      String($0).trimmedScalars
    }
    let pair = parts[0].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard pair.count == 2, let name = Self.names.first(where: { $0 == pair[0] }) else { return }
    let isOver = parts.dropFirst().contains { part in
      let attribute = part.lowercased()
      return attribute == "max-age=0" || attribute.hasPrefix("max-age=-")
    }
    let value = String(pair[1])
    values[name] = Self.isValue(value) && !isOver ? value : nil
  }

  /// `cookie-octet` of RFC 6265 §4.1.1, at least one.
  private static func isValue(_ text: String) -> Bool {
    (1...valueLimit).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !#"",;\"#.utf8.contains($0) }
  }

  /// Scheme, host and port.
  private static func origin(_ url: String) -> [Substring] {
    Array(url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true).prefix(2))
  }
}
