/// Why values are none of a secret. It names fields, never what they hold.
public enum SecretFault: Error, Sendable, Hashable {
  /// The secret has no such field.
  case unknownField(String)
  /// A field that must be filled in is not.
  case missing(String)
  /// The value is none of the field's choices.
  case notAChoice(String)
  /// The value has more bytes than one may have.
  case tooLong(String)
  /// The value holds a character that nobody types: a control or bidirectional character in a text, NUL in a secret.
  case unfit(String)
  /// All values together have more bytes than they may have.
  case tooMuch
}

extension SecretFault: CustomStringConvertible {
  /// One line: which field, and what is meant there.
  public var description: String {
    switch self {
    case .unknownField(let field): "there is no field \(field.quoted())"
    case .missing(let field): "\(field.quoted()) must be filled in"
    case .notAChoice(let field): "\(field.quoted()) is one of a few choices, and this is none of them"
    case .tooLong(let field): "\(field.quoted()) has more than \(SecretLimits.valueBytes) bytes"
    case .unfit(let field): "\(field.quoted()) holds a character that has no place there"
    case .tooMuch: "all values together have more than \(SecretLimits.totalBytes) bytes"
    }
  }
}

extension SecretDeclaration {
  /// The values that the module gets of those that a person gave; a field left empty is as one that was not given.
  public func checked(_ given: [String: String]) throws(SecretFault) -> [String: String] {
    let values = given.filter { !$0.value.isEmpty }
    if let stranger = given.keys.sorted().first(where: { key in !fields.contains { $0.fieldID == key } }) {
      throw .unknownField(stranger)
    }
    for field in fields { try field.check(values[field.fieldID]) }
    guard values.values.reduce(0, { $0 + $1.utf8.count }) <= SecretLimits.totalBytes else { throw .tooMuch }
    return values
  }

  /// A text without the values of secret fields, wherever they stand in it: what a module says of a secret is shown and
  /// kept, and it may be careless.
  public func hiding(_ values: [String: String], in text: String) -> String {
    var bytes = Array(text.utf8)
    // As it was typed, and as a module that trims it knows it.
    let secrets = fields.filter(\.kind.isSecret).compactMap { values[$0.fieldID] }
      .flatMap { [$0, $0.trimmedScalars] + Self.lines(of: $0) }
    // The longest first, for one may be the beginning of another.
    for secret in secrets.sorted(by: { $0.utf8.count > $1.utf8.count }) where !secret.isEmpty {
      bytes = bytes.replacing(Array(secret.utf8), with: Array("•••".utf8))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension SecretDeclaration {
  /// Bytes of a line that is hidden by itself: a shorter one may stand in any text.
  private static let hiddenLine = 4

  /// The lines of a value that has several: a module may say one of them.
  private static func lines(of value: String) -> [String] {
    let lines = value.utf8.split(separator: UInt8(ascii: "\n"))
    guard lines.count > 1 else { return [] }
    return lines.map { String(decoding: $0, as: UTF8.self).trimmedScalars }.filter {
      $0.utf8.count >= hiddenLine
    }
  }
}

extension SecretDeclaration.Field {
  fileprivate func check(_ value: String?) throws(SecretFault) {
    guard let value else {
      if isRequired { throw .missing(fieldID) }
      return
    }
    guard value.utf8.count <= SecretLimits.valueBytes else { throw .tooLong(fieldID) }
    switch kind {
    case .text:
      if value.unicodeScalars.contains(where: \.isUnfitForDisplay) { throw .unfit(fieldID) }
    // A program may give several lines for either.
    case .secret, .multilineSecret:
      if value.utf8.contains(0) { throw .unfit(fieldID) }
    case .choice:
      if !choices.contains(where: { $0.hasSameScalars(as: value) }) { throw .notAChoice(fieldID) }
    }
  }
}
