/// An Internet address, and what kind of network it lies in. An IPv4 address in the clothes of IPv6
/// (`::ffff:a.b.c.d`) is the IPv4 address: both reach the same host.
public struct IPAddress: Sendable, Hashable {
  /// 4 bytes, or 16.
  public let bytes: [UInt8]

  /// An address of 4 or 16 bytes, in the network's order; `nil` for another length.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    let isMapped = bytes.count == 16 && bytes.starts(with: Self.mappedPrefix)
    self.bytes = isMapped ? Array(bytes.suffix(4)) : bytes
  }

  /// Reads the form of RFC 4291 §2.2, or four decimal numbers without leading zeros; nothing shorter, octal or
  /// hexadecimal, which programs read in different ways.
  public init?(_ text: String) {
    guard text.utf8.count <= 45, let bytes = Self.parse4(text) ?? Self.parse6(text) else { return nil }
    self.init(bytes: bytes)
  }

  private static let mappedPrefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]

  private static func parse4(_ text: some StringProtocol) -> [UInt8]? {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var bytes: [UInt8] = []
    for part in parts {
      guard (1...3).contains(part.count), part.allSatisfy({ (0x30...0x39).contains($0) }),
        part.count == 1 || part.first != UInt8(ascii: "0"),
        let byte = UInt8(String(decoding: part, as: UTF8.self))
      else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  private static func parse6(_ text: String) -> [UInt8]? {
    var halves: [[UInt8]] = []
    // At most one "::", which stands for one group of zeros or more.
    let sides = split(text, at: "::")
    guard sides.count <= 2 else { return nil }
    for (index, side) in sides.enumerated() {
      guard let bytes = groups(side, mayEndIn4: index == sides.count - 1) else { return nil }
      halves.append(bytes)
    }
    guard halves.count == 2 else { return halves[0].count == 16 ? halves[0] : nil }
    let zeros = 16 - halves[0].count - halves[1].count
    guard zeros >= 2 else { return nil }
    return halves[0] + [UInt8](repeating: 0, count: zeros) + halves[1]
  }

  private static func split(_ text: String, at mark: String) -> [Substring] {
    var parts: [Substring] = []
    var rest = text[...]
    while let colon = rest.utf8.indices.first(where: { rest[$0...].utf8.starts(with: mark.utf8) }) {
      parts.append(rest[..<colon])
      rest = rest[rest.utf8.index(colon, offsetBy: mark.utf8.count)...]
    }
    return parts + [rest]
  }

  private static func groups(_ text: Substring, mayEndIn4: Bool) -> [UInt8]? {
    guard !text.isEmpty else { return [] }
    var bytes: [UInt8] = []
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      if mayEndIn4, index == parts.count - 1, part.utf8.contains(UInt8(ascii: ".")) {
        guard let last = parse4(part) else { return nil }
        bytes += last
      } else {
        guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy(isHex),
          let group = UInt16(part, radix: 16)
        else { return nil }
        bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
      }
      guard bytes.count <= 16 else { return nil }
    }
    return bytes
  }

  private static func isHex(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
    default: false
    }
  }

  /// Whether it belongs to the public Internet: not to this host, a link, a private or shared network, a test
  /// range, a multicast group, or a way to carry IPv4 through IPv6 (IANA's special-purpose registries).
  var isPublic: Bool {
    bytes.count == 4
      ? !Self.special4.contains { $0.contains(self) }
      : Self.global6.contains(self) && !Self.special6.contains { $0.contains(self) }
  }

  private static let special4 = [
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
    "224.0.0.0/4", "240.0.0.0/4",
  ].compactMap(AddressRange.init)
  private static let global6 = AddressRange(prefix: [0x20], bits: 3)
  private static let special6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"].compactMap(
    AddressRange.init)
}

extension IPAddress: CustomStringConvertible {
  /// Dotted decimal, or eight groups of hex.
  public var description: String {
    guard bytes.count == 16 else { return bytes.map { String($0) }.joined(separator: ".") }
    return stride(from: 0, to: 16, by: 2).map {
      String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
    }.joined(separator: ":")
  }
}

/// A range of addresses in CIDR form.
public struct AddressRange: Sendable, Hashable, CustomStringConvertible {
  private let address: IPAddress
  private let bits: Int

  /// Reads `10.0.0.0/8`, `fd00::/8`, or one address. Bits beyond the prefix must be zero.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let address = IPAddress(String(parts[0])) else { return nil }
    // A mapped address would change the length that the number of bits is about.
    let isMapped = address.bytes.count == 4 && parts[0].utf8.contains(UInt8(ascii: ":"))
    var bits = address.bytes.count * 8
    if parts.count == 2 {
      guard !isMapped, (1...3).contains(parts[1].utf8.count),
        parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(parts[1]), number <= bits
      else { return nil }
      bits = number
    }
    self.address = address
    self.bits = bits
    let isWhole = address.bytes.indices.allSatisfy { address.bytes[$0] & ~mask(at: $0) == 0 }
    guard isWhole else { return nil }
  }

  /// The range of one address.
  public init(_ address: IPAddress) {
    self.address = address
    bits = address.bytes.count * 8
  }

  /// In CIDR form.
  public var description: String { "\(address)/\(bits)" }

  /// The IPv6 range of a prefix.
  fileprivate init(prefix: [UInt8], bits: Int) {
    address = IPAddress(bytes: prefix + [UInt8](repeating: 0, count: 16 - prefix.count)) ?? .any6
    self.bits = bits
  }

  /// Whether an address lies in the range.
  public func contains(_ other: IPAddress) -> Bool {
    address.bytes.count == other.bytes.count
      && address.bytes.indices.allSatisfy { (address.bytes[$0] ^ other.bytes[$0]) & mask(at: $0) == 0 }
  }

  private func mask(at index: Int) -> UInt8 {
    let left = min(max(bits - index * 8, 0), 8)
    return left == 0 ? 0 : ~UInt8(0) << (8 - left)
  }
}

extension IPAddress {
  fileprivate static let any6 = IPAddress(sixteen: [UInt8](repeating: 0, count: 16))

  private init(sixteen bytes: [UInt8]) { self.bytes = bytes }
}
