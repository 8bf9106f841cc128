public import ForsettiCore

/// Methods of `AuthenticationService`.
public enum AuthenticationMethods {
  /// `identity()`
  public static let identity = ServiceMethod<Nothing, ModuleDescriptor>(
    .authentication, 1, "identity", .fixed(.read))
  /// `issueToken(audience:lifetime:)`
  public static let issueToken = ServiceMethod<TokenRequest, String>(
    .authentication, 2, "issueToken", .fixed(.write))
  /// `verify(_:)`
  public static let verify = ServiceMethod<String, [String: String]>(
    .authentication, 3, "verify", .fixed(.read))

  static let all = [identity.info, issueToken.info, verify.info]
}

/// A token that is wanted.
public struct TokenRequest: CallValue, Hashable {
  /// Whom it is for.
  public var audience: String
  /// Seconds.
  public var lifetime: Int

  /// Makes a request.
  public init(audience: String, lifetime: Int) {
    self.audience = audience
    self.lifetime = lifetime
  }

  /// Writes `[audience, lifetime]`.
  public func encode(into writer: inout CBORWriter) throws(CBORError) {
    writer.array(count: 2)
    try writer.name(audience)
    writer.integer(Int64(lifetime))
  }

  /// Reads it.
  public init(from reader: inout CBORReader) throws(CBORError) {
    try reader.parts(2)
    audience = try reader.name()
    lifetime = try Int(from: &reader)
  }
}

extension ModuleDescriptor: CallValue {
  /// Writes the map that `describe` has too.
  public func encode(into writer: inout CBORWriter) throws(CBORError) { try writer.descriptor(self) }

  /// Reads it.
  public init(from reader: inout CBORReader) throws(CBORError) { self = try reader.descriptor() }
}
