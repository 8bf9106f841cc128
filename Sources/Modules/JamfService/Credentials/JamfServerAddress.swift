internal import ForsettiModuleKit

/// Where a Jamf Pro server is: scheme, host and port, and nothing else of a URL.
struct JamfServerAddress: Sendable, Hashable {
  /// As every path is put behind it: `https://tenant.example.com:8443`.
  let text: String

  /// Bytes of what a person enters at most.
  private static let limit = 2_048

  /// Reads what a person entered. White space around it, a path, a query and a fragment are dropped; without a scheme
  /// https is meant. Plain http is for this host alone.
  init(entered: String) throws(JamfCredentialFault) {
    let trimmed = entered.trimmedScalars
    guard !trimmed.isEmpty, trimmed.utf8.count <= Self.limit else { throw .server }
    guard trimmed.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { throw .server }
    let (scheme, rest) = Self.split(trimmed)
    guard ["https", "http"].contains(scheme) else { throw .scheme }
    // A backslash is a slash to some readers of URLs: what is ambiguous is not used.
    let authority = rest.prefix { !"/?#\\".contains($0) }
    guard !authority.contains("@"), let (host, port) = Self.hostAndPort(authority) else {
      throw .server
    }
    guard scheme == "https" || Self.isLoopback(host) else { throw .plainText }
    text = "\(scheme)://\(host)" + (port.map { ":\($0)" } ?? "")
  }

  private static func split(_ text: String) -> (scheme: String, rest: Substring) {
    guard let mark = text.firstRange(of: "://") else { return ("https", text[...]) }
    return (text[..<mark.lowerBound].lowercased(), text[mark.upperBound...])
  }

  private static func hostAndPort(_ authority: Substring) -> (host: String, port: Int?)? {
    let isBracketed = authority.first == "["
    let colon = isBracketed ? authority.lastIndex(of: ":") : authority.firstIndex(of: ":")
    let bracket = authority.lastIndex(of: "]")
    let end = isBracketed ? bracket.map(authority.index(after:)) : colon ?? authority.endIndex
    guard let end else { return nil }
    let host = authority[..<end].lowercased()
    guard isBracketed ? isAddress(host) : isName(host) else { return nil }
    let behind = authority[end...]
    guard !behind.isEmpty else { return (host, nil) }
    let digits = behind.dropFirst()
    guard behind.first == ":", (1...5).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let port = Int(digits), 1...65_535 ~= port
    else { return nil }
    return (host, port)
  }

  /// Whether it is a name or an IPv4 address in characters that have no other meaning.
  private static func isName(_ host: String) -> Bool {
    !host.isEmpty && host.utf8.count <= 253
      && host.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 || "-._".utf8.contains($0) }
      && host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
  }

  private static func isAddress(_ host: String) -> Bool {
    let inner = host.dropFirst().dropLast()
    return !inner.isEmpty
      && inner.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 || ":.".utf8.contains($0) }
  }

  private static func isLoopback(_ host: String) -> Bool {
    if host == "localhost" || host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return parts.count == 4 && parts[0] == 127 && parts.allSatisfy { $0 != nil }
  }
}
