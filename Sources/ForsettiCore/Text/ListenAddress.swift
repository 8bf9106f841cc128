/// Where a server of this host listens: never beyond the host itself.
public enum ListenAddress: Sendable, Hashable {
  /// A TCP port of 127.0.0.1; 0 lets the kernel choose one.
  case loopback(port: UInt16)
  /// A unix socket, by its absolute path.
  case unix(path: String)

  /// Bytes that the path of a unix socket has at most (unix(7), less the NUL).
  static let maximumPath = 107

  /// Reads `127.0.0.1:PORT`, `localhost:PORT` or `unix:/PATH`; `nil` for all else, any other address included.
  public init?(_ text: String) {
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst("unix:".count))
      guard path.hasPrefix("/"), path.utf8.count <= Self.maximumPath,
        !path.unicodeScalars.contains(where: \.isUnfitForDisplay)
      else { return nil }
      self = .unix(path: path)
      return
    }
    for host in ["127.0.0.1:", "localhost:"] where text.hasPrefix(host) {
      let digits = text.dropFirst(host.count)
      guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let port = UInt16(digits)
      else { return nil }
      self = .loopback(port: port)
      return
    }
    return nil
  }
}

extension ListenAddress {
  /// Whether it is a unix socket.
  public var isUnix: Bool {
    if case .unix = self { true } else { false }
  }
}

extension ListenAddress: CustomStringConvertible {
  /// As it is read.
  public var description: String {
    switch self {
    case .loopback(let port): "127.0.0.1:\(port)"
    case .unix(let path): "unix:\(path)"
    }
  }
}
