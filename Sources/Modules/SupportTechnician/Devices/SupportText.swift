internal import ForsettiModuleKit

/// Reading of what Jamf answers: it may be anything, so every text is bounded and fit to be shown.
extension JSONValue {
  /// A text or an integer at the end of a path of keys, trimmed; nothing for blank and for other kinds.
  func supportText(_ path: String...) -> String? {
    supportValue(path)?.supportScalar
  }

  /// The value at the end of a path of keys.
  func supportValue(_ path: [String]) -> JSONValue? {
    path.reduce(self) { (place: JSONValue?, step) in place?[step] }
  }

  /// This text or integer as a text that can be shown.
  var supportScalar: String? {
    if let integer = integerValue { return String(integer) }
    guard let text = stringValue?.trimmedScalars, !text.isEmpty else { return nil }
    return text.plain(limit: SupportText.limit)
  }
}

/// Bounds of the texts that this module takes from Jamf.
enum SupportText {
  /// Scalars of one value.
  static let limit = 280

  /// The ID of an inventory, where it can be one: it becomes part of a path, so it has digits only.
  static func inventoryID(_ text: String?) -> String? {
    guard let text, (1...18).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return text
  }

  /// A management ID or the UUID of a command, where it can be one: letters, digits and hyphens.
  static func uuid(_ text: String?) -> String? {
    guard let text, (1...64).contains(text.utf8.count), text.utf8.allSatisfy(isWord) else { return nil }
    return text
  }

  /// A word that can stand alone between two slashes of a path: letters, digits, dots, hyphens and underscores.
  static func pathWord(_ text: String) -> String? {
    guard (1...64).contains(text.utf8.count), text.contains(where: { $0 != "." }),
      text.utf8.allSatisfy({ isWord($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_") })
    else { return nil }
    return text
  }

  /// A letter, a digit or a hyphen.
  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"): true
    default: false
    }
  }
}
