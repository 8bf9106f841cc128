import ForsettiCore

/// File names that modules suggest, made into one component of a path. Plain string handling: nothing of a
/// name is ever resolved against a folder (SPEC §4).
enum ExportName {
  /// The longest name of a file (NAME_MAX), in bytes.
  static let longest = 255
  /// The longest suggestion looked at, in bytes.
  private static let longestSuggestion = 4_096
  /// A longer ending is taken for a part of the name.
  private static let longestEnding = 32

  /// The name that a suggestion comes to.
  static func name(of suggestion: String) throws(ServiceError) -> String {
    guard suggestion.utf8.count <= longestSuggestion else { throw refusal("it is too long") }
    guard !suggestion.utf8.contains(0) else { throw refusal("it holds a NUL") }
    let slashed = suggestion.unicodeScalars.map { $0 == "\\" ? "/" : $0 }
    guard let component = slashed.split(separator: "/").last else { throw refusal("it names no file") }
    guard !component.contains(where: isControl) else { throw refusal("it holds a control character") }
    var name = ""
    name.unicodeScalars.append(contentsOf: component)
    name = name.trimmedScalars
    guard !name.isEmpty, name != ".", name != ".." else { throw refusal("it names no file") }
    guard name.utf8.count <= longest else { throw refusal("it is longer than \(longest) bytes") }
    return name
  }

  /// The name for the case that it is taken: ` (2)` and so on before the ending, the name cut where need be.
  static func numbered(_ name: String, _ number: Int) -> String {
    let scalars = Array(name.unicodeScalars)
    var stem = scalars[...]
    var ending = scalars[scalars.endIndex...]
    // A dot at the beginning makes a hidden file, one at the end nothing.
    if let dot = scalars.lastIndex(of: "."), dot > 0, dot < scalars.count - 1,
      bytes(scalars[dot...]) <= longestEnding
    {
      (stem, ending) = (scalars[..<dot], scalars[dot...])
    }
    let mark = " (\(number))"
    while bytes(stem) + mark.utf8.count + bytes(ending) > longest { stem.removeLast() }
    var text = ""
    text.unicodeScalars.append(contentsOf: stem)
    text += mark
    text.unicodeScalars.append(contentsOf: ending)
    return text
  }

  private static func bytes(_ scalars: ArraySlice<Unicode.Scalar>) -> Int {
    scalars.reduce(0) { $0 + UTF8.width($1) }
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control
  }

  private static func refusal(_ reason: String) -> ServiceError {
    .invalidArgument(name: "suggestedFileName", reason: reason)
  }
}
