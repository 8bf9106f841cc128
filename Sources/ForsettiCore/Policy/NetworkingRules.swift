/// What a module may reach by the networking service. Silence allows nothing.
public struct NetworkingRules: Sendable, Hashable {
  /// The bounds of a request; raw values are the keys of the file.
  public enum Number: String, Sendable, Hashable, CaseIterable {
    case requestBytes, responseBytes, timeoutMilliseconds

    /// What a policy may ask. A frame holds 1 MiB, head and headers included; of a body that is longer, a module is given parts.
    public var range: ClosedRange<Int64> {
      switch self {
      case .requestBytes: 0...983_040
      case .responseBytes: 1...Int64(BodyPart.largestBody)
      case .timeoutMilliseconds: 100...300_000
      }
    }
  }

  /// What may be reached; a request needs one entry that covers it.
  public var allow: [NetworkTarget]
  /// The largest request body, in bytes.
  public var requestBytes: Int
  /// The largest response body, in bytes. One above `BodyPart.largest` is handed over in parts.
  public var responseBytes: Int
  /// From the first redirect's first byte to the last one's last, in milliseconds.
  public var timeoutMilliseconds: Int

  /// Makes rules; the default allows nothing.
  public init(
    allow: [NetworkTarget] = [], requestBytes: Int = 983_040, responseBytes: Int = BodyPart.largest,
    timeoutMilliseconds: Int = 30_000
  ) {
    self.allow = allow
    self.requestBytes = requestBytes
    self.responseBytes = responseBytes
    self.timeoutMilliseconds = timeoutMilliseconds
  }

  /// A bound by its name in the file.
  public subscript(number: Number) -> Int {
    get {
      switch number {
      case .requestBytes: requestBytes
      case .responseBytes: responseBytes
      case .timeoutMilliseconds: timeoutMilliseconds
      }
    }
    set {
      switch number {
      case .requestBytes: requestBytes = newValue
      case .responseBytes: responseBytes = newValue
      case .timeoutMilliseconds: timeoutMilliseconds = newValue
      }
    }
  }

  /// The entries that cover a request; none: it is refused.
  ///
  /// - Parameter host: in lower case, as a URL says it; an IPv6 address in brackets or without.
  public func targets(
    scheme: NetworkScheme, host: String, port: Int, method: NetworkMethod
  ) -> [NetworkTarget] {
    allow.filter { $0.covers(scheme: scheme, host: host, port: port, method: method) }
  }
}

/// The schemes of URLs that modules may use.
public enum NetworkScheme: String, Sendable, Hashable, CaseIterable {
  case https, http

  /// The port where the URL names none.
  public var defaultPort: Int { self == .https ? 443 : 80 }
}

/// The verbs of HTTP that modules may use; CONNECT and TRACE are no verbs for them.
public enum NetworkMethod: String, Sendable, Hashable, CaseIterable {
  case get = "GET"
  case head = "HEAD"
  case options = "OPTIONS"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
}

/// One entry of an allow-list: it covers a request whose scheme, host, port and verb are all in it.
public struct NetworkTarget: Sendable, Hashable {
  /// Names, `*.` names, or addresses.
  public var hosts: [NetworkHost]
  /// `https` alone unless said otherwise.
  public var schemes: [NetworkScheme]
  /// Empty: the scheme's own.
  public var ports: [Int]
  /// GET and HEAD unless said otherwise.
  public var methods: [NetworkMethod]
  /// Ranges besides the public Internet that the hosts' names may lead to.
  public var addresses: [AddressRange]

  /// Makes an entry.
  public init(
    hosts: [NetworkHost], schemes: [NetworkScheme] = [.https], ports: [Int] = [],
    methods: [NetworkMethod] = [.get, .head], addresses: [AddressRange] = []
  ) {
    self.hosts = hosts
    self.schemes = schemes
    self.ports = ports
    self.methods = methods
    self.addresses = addresses
  }

  func covers(scheme: NetworkScheme, host: String, port: Int, method: NetworkMethod) -> Bool {
    schemes.contains(scheme) && methods.contains(method)
      && (ports.isEmpty ? port == scheme.defaultPort : ports.contains(port))
      && hosts.contains { $0.matches(host) }
  }

  /// The ranges besides the public Internet that a connection may be made to: those listed, and hosts that are addresses.
  var ranges: [AddressRange] {
    addresses
      + hosts.compactMap { host in
        if case .address(let address) = host { AddressRange(address) } else { nil }
      }
  }
}

/// A host of an allow-list.
public enum NetworkHost: Sendable, Hashable {
  /// This name.
  case name(String)
  /// Every name below this one, not the name itself: written `*.example.com`.
  case below(String)
  /// This address, written as a host.
  case address(IPAddress)

  /// Reads a host; `nil` for what no URL can name in this way.
  public init?(_ text: String) {
    if let address = IPAddress(Self.withoutBrackets(text)) {
      self = .address(address)
    } else if text.hasPrefix("*.") {
      let name = text.dropFirst(2).lowercased()
      // Nothing is below one label alone: `*.com` is no list.
      guard Self.isName(name), name.utf8.contains(UInt8(ascii: ".")) else { return nil }
      self = .below(name)
    } else {
      let name = text.lowercased()
      guard Self.isName(name) else { return nil }
      self = .name(name)
    }
  }

  /// Whether a URL's host, in lower case, is this one.
  public func matches(_ host: String) -> Bool {
    switch self {
    case .name(let name): host.hasSameScalars(as: name)
    case .below(let name): host.utf8.count > name.utf8.count + 1 && host.hasSuffix("." + name)
    case .address(let address): IPAddress(Self.withoutBrackets(host)) == address
    }
  }

  private static func withoutBrackets(_ text: String) -> String {
    text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
  }

  /// Letters, digits and hyphens in labels of 1 to 63 bytes; the last one holds a letter, or it would be a number.
  private static func isName(_ name: String) -> Bool {
    let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard name.utf8.count <= 253, let last = labels.last, last.contains(where: { $0 >= 0x61 }) else {
      return false
    }
    return labels.allSatisfy { label in
      (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
        && label.allSatisfy {
          (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
        }
    }
  }
}
