import CCurl
import ForsettiCore

/// A URL as libcurl itself reads it, so that what is checked is what is asked for: numbers for addresses in any
/// notation are four decimal ones by then, percent signs in the host are gone, and dots in the path resolved.
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
  /// The whole, without fragment.
  let text: String

  /// Reads an absolute URL, or one relative to `base`.
  init(_ text: String, relativeTo base: NetworkURL? = nil) throws(Fault) {
    guard text.utf8.count <= Self.longest else { throw .malformed("it is longer than \(Self.longest) bytes") }
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw .malformed("it holds white space, a control character or what is not ASCII")
    }
    guard let handle = curl_url() else { throw .malformed("there is no memory for it") }
    defer { curl_url_cleanup(handle) }
    if let base { curl_url_set(handle, CURLUPART_URL, base.text, 0) }
    let code = curl_url_set(
      handle, CURLUPART_URL, text, UInt32(CURLU_DISALLOW_USER | CURLU_NON_SUPPORT_SCHEME))
    guard code != CURLUE_USER_NOT_ALLOWED else { throw .credentials }
    guard code == CURLUE_OK else { throw .malformed(String(cString: curl_url_strerror(code))) }
    for part in [CURLUPART_USER, CURLUPART_PASSWORD] where Self.part(part, of: handle) != nil {
      throw .credentials
    }
    let schemeName = Self.part(CURLUPART_SCHEME, of: handle)?.lowercased() ?? ""
    guard let scheme = NetworkScheme(rawValue: schemeName) else { throw .scheme(schemeName) }
    curl_url_set(handle, CURLUPART_FRAGMENT, nil, 0)
    guard let host = Self.part(CURLUPART_HOST, of: handle)?.lowercased(), Self.isPlain(host),
      Self.part(CURLUPART_ZONEID, of: handle) == nil,
      let port = Self.part(CURLUPART_PORT, of: handle, UInt32(CURLU_DEFAULT_PORT)).flatMap({ Int($0) }),
      (1...65_535).contains(port), let whole = Self.part(CURLUPART_URL, of: handle)
    else { throw .host }
    self.scheme = scheme
    self.host = host
    self.port = port
    self.text = whole
  }

  /// Whether secrets for one may go to the other.
  func hasSameOrigin(as other: NetworkURL) -> Bool {
    scheme == other.scheme && host == other.host && port == other.port
  }

  private static func part(_ part: CURLUPart, of handle: OpaquePointer, _ flags: UInt32 = 0) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard curl_url_get(handle, part, &text, flags) == CURLUE_OK, let text else { return nil }
    defer { curl_free(text) }
    return String(cString: text)
  }

  /// Letters, digits, dots, hyphens and underscores, or an address in brackets.
  private static func isPlain(_ host: String) -> Bool {
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    let inner = isBracketed ? host.dropFirst().dropLast() : host[...]
    return !inner.isEmpty
      && inner.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        case UInt8(ascii: ":"): isBracketed
        default: false
        }
      }
  }
}
