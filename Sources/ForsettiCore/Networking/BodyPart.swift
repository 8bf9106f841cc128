/// One part of an answer's body that is longer than one frame carries.
///
/// Whoever asks says where the part begins (`offsetField`), and is told how long the whole body is and what its digest is.
/// Nothing is kept between two parts: each is a request of its own, and those belong together that tell the same length and
/// digest.
public struct BodyPart: Sendable, Hashable {
  /// Bytes of a part at most; the rest of a frame is for header fields.
  public static let largest = 983_040
  /// Bytes of a body at most.
  public static let largestBody = 4 << 20

  /// The request's field: the number of the first byte that is wanted, from 0.
  public static let offsetField = "forsetti-body-offset"
  /// The answer's field: bytes of the whole body.
  public static let lengthField = "forsetti-body-length"
  /// The answer's field: SHA-256 of the whole body, in hexadecimal digits.
  public static let digestField = "forsetti-body-digest"

  /// Bytes of the whole body.
  public var length: Int
  /// That of the whole body; empty where the body ends before the part begins.
  public var digest: String

  /// Makes a part.
  public init(length: Int, digest: String) {
    self.length = length
    self.digest = digest
  }

  /// What the fields of an answer say; `nil` where its body is whole.
  public init?(_ headers: [HTTPField]) {
    guard let length = Self.number(in: headers, Self.lengthField),
      let digest = headers.first(where: { $0.name.lowercased() == Self.digestField })?.value
    else { return nil }
    self.init(length: length, digest: digest)
  }

  /// As an answer says it.
  public var fields: [HTTPField] {
    [HTTPField(Self.lengthField, "\(length)"), HTTPField(Self.digestField, digest)]
  }

  /// Where the part that a request asks for begins; `nil` where it asks for none, or for one that no body has.
  public static func offset(in headers: [HTTPField]) -> Int? { number(in: headers, offsetField) }

  /// A number of up to `largestBody` in the one field of a name.
  private static func number(in headers: [HTTPField], _ name: String) -> Int? {
    let values = headers.filter { $0.name.lowercased() == name }.map(\.value)
    guard values.count == 1, let text = values.first, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
      let number = Int(text), number <= largestBody
    else { return nil }
    return number
  }
}
