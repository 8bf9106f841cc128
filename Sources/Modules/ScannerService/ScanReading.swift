internal import ForsettiModuleKit

/// What a scanner read, cleaned and found right.
struct ScanReading: Sendable, Equatable {
  /// The text without control characters, and without white space at its ends.
  var value: String
  /// What kind of code it was, where the scanner said so.
  var symbology: Symbology?

  /// Bytes of a text at most. A QR code holds 4,296 characters; nothing that is scanned into a search is near that.
  static let limit = 4_096

  /// Judges what a scanner, or a keyboard wedge, has sent.
  /// - Parameters:
  ///   - text: as it came: a wedge ends it with a return, and may put tabs or escapes into it.
  ///   - symbology: the name of one, where the scanner said so.
  init(_ text: String, symbology name: String?) throws(ScanRefusal) {
    guard text.utf8.count <= Self.limit else { throw .tooLong }
    var kept = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where !scalar.isUnfitForDisplay { kept.append(scalar) }
    value = String(kept).trimmedScalars
    guard !value.isEmpty else { throw .empty }
    guard let name else { return }
    guard let known = Symbology(rawValue: name.lowercased()) else { throw .unknownSymbology }
    symbology = known
    try Self.check(value, known)
  }

  private static func check(_ value: String, _ symbology: Symbology) throws(ScanRefusal) {
    guard value.unicodeScalars.allSatisfy(symbology.holds) else { throw .foreignCharacter }
    guard let count = symbology.digitCount else { return }
    let digits = value.utf8.map { Int($0) - 0x30 }
    guard digits.count == count, let last = digits.last else { throw .digitCount(expected: count) }
    let rest = digits.dropLast()
    guard symbology == .upce else {
      guard CheckDigit.of(rest) == last else { throw .checkDigit }
      return
    }
    guard let expanded = CheckDigit.expandUPCE(rest), CheckDigit.of(expanded) == last else {
      throw .checkDigit
    }
  }
}

/// Why a scan is worth nothing.
enum ScanRefusal: Error, Sendable, Equatable {
  /// Nothing is left without control characters and white space.
  case empty
  case tooLong
  case unknownSymbology
  /// A character that this kind of code can't hold: what came is not what the scanner says.
  case foreignCharacter
  case digitCount(expected: Int)
  /// A digit was read wrongly.
  case checkDigit

  /// A short word for programs.
  var code: String {
    switch self {
    case .empty: "empty"
    case .tooLong: "too_long"
    case .unknownSymbology: "unknown_symbology"
    case .foreignCharacter: "foreign_character"
    case .digitCount: "digit_count"
    case .checkDigit: "check_digit"
    }
  }

  /// One line for people: what is wrong, and what to do.
  var advice: String {
    switch self {
    case .empty: "Nothing was read; scan again."
    case .tooLong: "The text has more than \(ScanReading.limit) bytes; scan a shorter code."
    case .unknownSymbology:
      "This kind of code is not known; known are \(Symbology.allCases.map(\.rawValue).joined(separator: ", "))."
    case .foreignCharacter: "The code has a character that its kind can't have; scan again."
    case .digitCount(let expected): "The code must have \(expected) digits; scan all of it."
    case .checkDigit: "The check digit does not fit, so a digit was read wrongly; scan again."
    }
  }
}
