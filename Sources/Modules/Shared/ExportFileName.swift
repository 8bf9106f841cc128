internal import ForsettiModuleKit

/// What an exported file is called: `<prefix>-yyyyMMdd-HHmmss.<extension>`, the time in UTC.
enum ExportFileName {
  /// Bytes of a prefix at most: with time and extension it stays below the 255 that a file's name may have.
  static let prefixLimit = 200

  /// The name of a file.
  /// - Parameters:
  ///   - prefix: letters, digits, `-`, `_` and spaces of it are kept; of a prefix without any, `export` is made.
  ///   - time: milliseconds since 1970.
  ///   - fileExtension: without the dot.
  static func make(_ prefix: String, at time: Int64, fileExtension: String) -> String {
    "\(kept(prefix))-\(CivilTime(milliseconds: time).compactText).\(fileExtension)"
  }

  private static func kept(_ prefix: String) -> String {
    var scalars = String.UnicodeScalarView()
    var bytes = 0
    for scalar in prefix.unicodeScalars where isFit(scalar) {
      bytes += UTF8.width(scalar)
      guard bytes <= prefixLimit else { break }
      scalars.append(scalar)
    }
    let text = String(scalars).trimmedScalars
    return text.isEmpty ? "export" : text
  }

  private static func isFit(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "-" || scalar == "_" || scalar == " " || scalar.properties.isAlphabetic
      || scalar.properties.numericType == .decimal
  }
}
