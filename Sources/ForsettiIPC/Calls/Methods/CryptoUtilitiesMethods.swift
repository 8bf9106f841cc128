import ForsettiCore

/// Methods of `CryptoUtilitiesService`.
public enum CryptoUtilitiesMethods {
  /// `random(count:)`
  public static let random = ServiceMethod<Int, Bytes>(.cryptoUtilities, 1, "random", .fixed(.grant))
  /// `sha256(_:)`
  public static let sha256 = ServiceMethod<Bytes, Bytes>(.cryptoUtilities, 2, "sha256", .fixed(.grant))
  /// `hmac(_:keyName:)`
  public static let hmac = ServiceMethod<KeyedData, Bytes>(.cryptoUtilities, 3, "hmac", .fixed(.grant))
  /// `seal(_:keyName:associated:)`
  public static let seal = ServiceMethod<KeyedPair, Bytes>(.cryptoUtilities, 4, "seal", .fixed(.grant))
  /// `open(_:keyName:associated:)`
  public static let open = ServiceMethod<KeyedPair, Bytes>(.cryptoUtilities, 5, "open", .fixed(.grant))
  /// `sign(_:keyName:)`
  public static let sign = ServiceMethod<KeyedData, Bytes>(.cryptoUtilities, 6, "sign", .fixed(.grant))
  /// `verify(_:of:keyName:)`, the signature in the place of what is associated
  public static let verify = ServiceMethod<KeyedPair, Bool>(.cryptoUtilities, 7, "verify", .fixed(.grant))

  static let all = [
    random.info, sha256.info, hmac.info, seal.info, open.info, sign.info, verify.info,
  ]
}

/// Data, and the key to use on it.
public struct KeyedData: CallValue, Hashable {
  /// Of a key of the module's own.
  public var keyName: String
  /// What to use it on.
  public var data: [UInt8]

  /// Makes a value.
  public init(keyName: String, data: [UInt8]) {
    self.keyName = keyName
    self.data = data
  }

  /// Writes `[keyName, data]`.
  public func encode(into writer: inout CBORWriter) throws(CBORError) {
    writer.array(count: 2)
    try writer.name(keyName)
    try writer.byteString(data)
  }

  /// Reads it.
  public init(from reader: inout CBORReader) throws(CBORError) {
    try reader.parts(2)
    keyName = try reader.name()
    data = try reader.byteString(limit: FrameHeader.maximumPayload)
  }

  /// What the parts take.
  public var sizeHint: Int { 32 &+ keyName.utf8.count &+ data.count }
}

/// Data, the key to use on it, and what belongs to it: associated data, or a signature.
public struct KeyedPair: CallValue, Hashable {
  /// Of a key of the module's own.
  public var keyName: String
  /// Associated data, or a signature.
  public var companion: [UInt8]
  /// What to use the key on.
  public var data: [UInt8]

  /// Makes a value.
  public init(keyName: String, companion: [UInt8], data: [UInt8]) {
    self.keyName = keyName
    self.companion = companion
    self.data = data
  }

  /// Writes `[keyName, companion, data]`.
  public func encode(into writer: inout CBORWriter) throws(CBORError) {
    writer.array(count: 3)
    try writer.name(keyName)
    try writer.byteString(companion)
    try writer.byteString(data)
  }

  /// Reads it.
  public init(from reader: inout CBORReader) throws(CBORError) {
    try reader.parts(3)
    keyName = try reader.name()
    companion = try reader.byteString(limit: FrameHeader.maximumPayload)
    data = try reader.byteString(limit: FrameHeader.maximumPayload)
  }

  /// What the parts take.
  public var sizeHint: Int { 48 &+ keyName.utf8.count &+ companion.count &+ data.count }
}
