import ForsettiCore

/// What a request is for: the path and query of RFC 9112 §3.2.1, checked and decoded. Other forms, such as a whole URL,
/// are for proxies, and refused.
struct HTTPTarget: Sendable, Hashable {
  /// Decoded. Absolute, without empty or dot segments, without controls.
  var path: String
  var query: HTTPQuery

  /// Why a target is refused.
  enum Fault: Error, Sendable, Hashable {
    case path(APIPath.Fault)
    /// An escape that is none, or bytes that are no UTF-8.
    case badEscape
    case tooManyParameters
  }

  /// Parameters of a query at most.
  static let maximumParameters = 64

  /// Reads a target as it was sent.
  init(_ text: String) throws(Fault) {
    let parts = text.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    let normal: String
    do throws(APIPath.Fault) {
      normal = try APIPath.normalise(parts.first.map { String($0) ?? "" } ?? "")
    } catch {
      throw .path(error)
    }
    guard let path = Self.decoded(normal.utf8, plusIsSpace: false) else { throw .badEscape }
    self.path = path
    query = try parts.count == 2 ? Self.query(parts[1]) : HTTPQuery()
  }

  /// Reads pairs as a query or a form has them.
  static func query(_ bytes: some Collection<UInt8>) throws(Fault) -> HTTPQuery {
    let pairs = bytes.split(separator: UInt8(ascii: "&"), maxSplits: maximumParameters)
    guard pairs.count <= maximumParameters else { throw .tooManyParameters }
    var query = HTTPQuery()
    for pair in pairs {
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = decoded(parts[0], plusIsSpace: true),
        let value = parts.count == 2 ? decoded(parts[1], plusIsSpace: true) : ""
      else { throw .badEscape }
      query.fields.append(HTTPField(name, value))
    }
    return query
  }

  /// The text without escapes; `nil` where an escape is none or the bytes are no UTF-8.
  private static func decoded(_ bytes: some Sequence<UInt8>, plusIsSpace: Bool) -> String? {
    var result: [UInt8] = []
    var rest = bytes.makeIterator()
    while let byte = rest.next() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.next().flatMap(APIPath.hexValue),
          let low = rest.next().flatMap(APIPath.hexValue)
        else { return nil }
        result.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace: result.append(UInt8(ascii: " "))
      default: result.append(byte)
      }
    }
    return String(validating: result, as: UTF8.self)
  }
}
