import CSodium
import ForsettiCore

/// JSON Web Tokens (RFC 7519) signed with Ed25519 (RFC 8037): what this supervisor says of a module.
struct TokenIssuer: Sendable {
  /// A token of ours is far shorter.
  static let longestToken = 4_096
  static let claimLimits = JSONLimits(bytes: longestToken, depth: 2, stringBytes: 1_024, arrayElements: 8)

  /// `iss` of every token.
  let name: String
  private let seed: SecretBytes
  private let publicKey: [UInt8]
  /// The first segment of every token: none with another is ours, so no algorithm is ever negotiated.
  private let header: String

  init(name: String, seed: SecretBytes) {
    self.name = name
    self.seed = seed
    publicKey = seed.withBytes { Ed25519.publicKey(seed: $0) }
    let keyID = Base64URL.encode(Array(Self.sha256(publicKey).prefix(9)))
    let header = JSONValue.object([
      ("alg", .string("EdDSA")), ("kid", .string(keyID)), ("typ", .string("JWT")),
    ])
    self.header = Base64URL.encode(JSONWriter.bytes(header))
  }

  /// A token; times in seconds since 1970.
  func issue(subject: String, audience: String, now: Int64, lifetime: Int64) -> String {
    var identifier = [UInt8](repeating: 0, count: 16)
    randombytes_buf(&identifier, identifier.count)
    let claims = JSONValue.object([
      ("iss", .string(name)), ("sub", .string(subject)), ("aud", .string(audience)), ("iat", .integer(now)),
      ("exp", .integer(now + lifetime)), ("jti", .string(Base64URL.encode(identifier))),
    ])
    let signed = header + "." + Base64URL.encode(JSONWriter.bytes(claims))
    let signature = seed.withBytes { Ed25519.sign(Array(signed.utf8), seed: $0) }
    return signed + "." + Base64URL.encode(signature)
  }

  /// Why a token is not taken.
  enum Fault: String, Error {
    case form = "no token of this supervisor"
    case signature = "the signature does not hold"
    case issuer = "another issuer"
    case expired
    case early = "issued in the future"
  }

  /// The claims of a token of ours that holds now.
  func verify(_ token: String, now: Int64) throws(Fault) -> [String: String] {
    guard token.utf8.count <= Self.longestToken else { throw .form }
    let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].elementsEqual(header.utf8),
      let payload = Base64URL.decode(parts[1]), let signature = Base64URL.decode(parts[2])
    else { throw .form }
    let signed = Array(parts[0]) + [UInt8(ascii: ".")] + Array(parts[1])
    guard Ed25519.verify(signature, of: signed, publicKey: publicKey) else { throw .signature }
    guard let document = try? JSONParser.parse(payload, limits: Self.claimLimits),
      let members = document.root.members
    else { throw .form }
    let root = document.root
    guard root["iss"]?.stringValue?.hasSameScalars(as: name) == true else { throw .issuer }
    guard let issued = root["iat"]?.integerValue, let end = root["exp"]?.integerValue else { throw .form }
    guard issued <= now else { throw .early }
    guard now < end else { throw .expired }
    var claims: [String: String] = [:]
    for member in members {
      claims[member.key] = member.value.stringValue ?? member.value.integerValue.map { String($0) }
    }
    return claims
  }

  private static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
    crypto_hash_sha256(&hash, bytes, UInt64(bytes.count))
    return hash
  }
}

/// Base64 for URLs, without padding (RFC 4648 §5).
enum Base64URL {
  private static let variant = Int32(sodium_base64_VARIANT_URLSAFE_NO_PADDING)

  static func encode(_ bytes: [UInt8]) -> String {
    let size = sodium_base64_encoded_len(bytes.count, variant)
    return String(unsafeUninitializedCapacity: size) { buffer in
      guard let base = buffer.baseAddress else { return 0 }
      base.withMemoryRebound(to: CChar.self, capacity: size) {
        _ = sodium_bin2base64($0, size, bytes, bytes.count, variant)
      }
      // Without the terminating zero.
      return size - 1
    }
  }

  /// The bytes; `nil` for another alphabet, padding, or bits left over.
  static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    let text = text.map { CChar(bitPattern: $0) }
    var bytes = [UInt8](repeating: 0, count: text.count)
    var count = 0
    let code = sodium_base642bin(&bytes, bytes.count, text, text.count, nil, &count, nil, variant)
    return code == 0 ? Array(bytes.prefix(count)) : nil
  }
}
