import ForsettiCore

/// An absolute URL of http or https in its canonical form (RFC 3986), so strict that no two programs read it in two
/// ways: what is checked here is what libcurl is asked for, in another process. Numbers for addresses in any notation
/// are four decimal ones, dots in the path are resolved, and there is no user and no fragment.
struct NetworkURL: Sendable, Hashable {
  /// Why a URL is not used.
  enum Fault: Error, Hashable {
    case malformed(String)
    case credentials
    case scheme(String)
    case host
  }

  private static let longest = 8_192

  let scheme: NetworkScheme
  /// In lower case; an IPv6 address in brackets.
  let host: String
  let port: Int
  /// Path and query; begins with a slash.
  let target: String

  /// The whole.
  var text: String {
    "\(scheme.rawValue)://\(host)\(port == scheme.defaultPort ? "" : ":\(port)")\(target)"
  }

  /// Reads an absolute URL, or one relative to `base`.
  init(_ text: String, relativeTo base: NetworkURL? = nil) throws(Fault) {
    guard text.utf8.count <= Self.longest else { throw .malformed("it is longer than \(Self.longest) bytes") }
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw .malformed("it holds white space, a control character or what is not ASCII")
    }
    let whole = text.prefix { $0 != "#" }
    let (schemeName, rest) = Self.split(whole)
    guard schemeName == nil || rest.hasPrefix("//") else {
      throw .malformed("its scheme is not followed by //")
    }
    guard let name = schemeName ?? base?.scheme.rawValue else { throw .malformed("it has no scheme") }
    guard let scheme = NetworkScheme(rawValue: name.lowercased()) else { throw .scheme(name) }
    self.scheme = scheme
    if let base, !rest.hasPrefix("//") {
      (host, port) = (base.host, base.port)
      target = Self.target(rest, from: base.target)
      return
    }
    let authority = rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
    (host, port) = try Self.place(authority, scheme)
    let behind = rest[authority.endIndex...]
    target = Self.target(behind.hasPrefix("/") ? behind : "/" + behind, from: "/")
  }

  /// Whether secrets for one may go to the other.
  func hasSameOrigin(as other: NetworkURL) -> Bool {
    scheme == other.scheme && host == other.host && port == other.port
  }

  /// The scheme, where a colon comes before anything else of a URL, and what follows it.
  private static func split(_ text: Substring) -> (scheme: String?, rest: Substring) {
    guard let colon = text.firstIndex(where: { ":/?".contains($0) }), text[colon] == ":",
      let first = text.utf8.first, isLetter(first)
    else { return (nil, text) }
    return (String(text[..<colon]), text[text.index(after: colon)...])
  }

  // MARK: Where it leads

  private static func place(
    _ authority: Substring, _ scheme: NetworkScheme
  ) throws(Fault) -> (host: String, port: Int) {
    guard !authority.contains("@") else { throw .credentials }
    let isBracketed = authority.hasPrefix("[")
    let end = isBracketed ? authority.firstIndex(of: "]").map(authority.index(after:)) : nil
    let name = authority[..<(end ?? authority.firstIndex(of: ":") ?? authority.endIndex)]
    let rest = authority[name.endIndex...]
    guard let host = isBracketed ? bracketed(name) : plain(name.lowercased()) else { throw .host }
    guard !rest.isEmpty, rest != ":" else { return (host, scheme.defaultPort) }
    guard rest.hasPrefix(":"), rest.count <= 6, rest.dropFirst().utf8.allSatisfy(isDigit),
      let port = Int(rest.dropFirst()), (1...65_535).contains(port)
    else { throw .malformed("its port is none") }
    return (host, port)
  }

  /// An IPv6 address in brackets, without a zone.
  private static func bracketed(_ name: Substring) -> String? {
    let inner = name.dropFirst().dropLast().lowercased()
    guard name.hasSuffix("]"), inner.contains(":"), IPAddress(inner) != nil else { return nil }
    return "[\(inner)]"
  }

  /// A name of letters, digits, dots, hyphens and underscores, or an IPv4 address of four decimal numbers.
  private static func plain(_ name: String) -> String? {
    guard !name.isEmpty, name.utf8.allSatisfy({ isLetter($0) || isDigit($0) || ".-_".utf8.contains($0) })
    else { return nil }
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    guard let last = labels.last, let first = last.utf8.first, isDigit(first) else { return name }
    // A last label that begins like a number makes the whole an address, or nothing: no top-level domain does.
    return address(labels)
  }

  /// What inet_aton(3) makes of one to four numbers, octal and hexadecimal ones among them.
  private static func address(_ labels: [Substring]) -> String? {
    guard labels.count <= 4 else { return nil }
    var value: UInt64 = 0
    for (index, label) in labels.enumerated() {
      let isLast = index == labels.count - 1
      let room = isLast ? UInt64(1) << (8 * UInt64(5 - labels.count)) : 256
      guard let number = number(label), number < room else { return nil }
      value = isLast ? value << (8 * UInt64(4 - index)) | number : value << 8 | number
    }
    return (0..<4).map { "\(value >> (8 * (3 - UInt64($0))) & 0xFF)" }.joined(separator: ".")
  }

  private static func number(_ label: Substring) -> UInt64? {
    guard !label.isEmpty, label.utf8.allSatisfy({ isLetter($0) || isDigit($0) }) else { return nil }
    if label.hasPrefix("0x") { return UInt64(label.dropFirst(2), radix: 16) }
    return UInt64(label, radix: label.hasPrefix("0") && label.count > 1 ? 8 : 10)
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  // MARK: What is asked for there

  /// A path and query, where they are relative from the base's (RFC 3986 §5.2), without dots.
  private static func target(_ text: some StringProtocol, from base: String) -> String {
    let path = text.prefix { $0 != "?" }
    let basePath = base.prefix { $0 != "?" }
    if path.isEmpty { return text.isEmpty ? base : String(basePath) + text }
    let query = text[path.endIndex...]
    if path.hasPrefix("/") { return withoutDots(path) + query }
    let folder = basePath[...(basePath.lastIndex(of: "/") ?? basePath.startIndex)]
    return withoutDots(folder + path) + query
  }

  /// `remove_dot_segments` of RFC 3986 §5.2.4, for a path that begins with a slash.
  private static func withoutDots(_ path: some StringProtocol) -> String {
    var kept: [Substring] = []
    let segments = Substring(path).split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    for segment in segments where segment != "." {
      if segment == ".." {
        _ = kept.popLast()
      } else {
        kept.append(segment)
      }
    }
    // A path that ends in a dot or two is that of a folder.
    if let last = segments.last, last == "." || last == ".." { kept.append("") }
    return "/" + kept.joined(separator: "/")
  }
}
