/// The kinds of code that scanners read and this module knows.
enum Symbology: String, CaseIterable, Sendable {
  case qr, aztec, code128, code39, code93, ean8, ean13, itf14, pdf417, upce
  case dataMatrix = "datamatrix"

  /// How many digits it has, its check digit among them; nothing for one that holds other text too.
  var digitCount: Int? {
    switch self {
    case .ean8, .upce: 8
    case .ean13: 13
    case .itf14: 14
    case .qr, .aztec, .code128, .code39, .code93, .pdf417, .dataMatrix: nil
    }
  }

  /// Whether a code of this kind can hold a character. ISO/IEC 16388 gives Code 39 forty-three of them; Code 93 and
  /// Code 128 hold ASCII, the matrix codes any text.
  func holds(_ scalar: Unicode.Scalar) -> Bool {
    switch self {
    case .ean8, .ean13, .itf14, .upce: ("0"..."9").contains(scalar)
    case .code39:
      ("0"..."9").contains(scalar) || ("A"..."Z").contains(scalar)
        || " -.$/+%".unicodeScalars.contains(scalar)
    case .code93, .code128: scalar.isASCII
    case .qr, .aztec, .pdf417, .dataMatrix: true
    }
  }
}
