internal import ForsettiModuleKit

/// Serial numbers as people type them and as Jamf sends them.
enum SerialNumbers {
  /// Serial numbers of one job at most: the journal of them and each request stay far below what storage and Jamf take.
  static let limit = 1_000
  /// Bytes of one at most; Apple's have 10 to 14.
  static let lengthLimit = 32

  /// One as it is compared: trimmed, in upper case; nothing for what can't be one.
  static func normalised(_ text: String?) -> String? {
    guard let text, text.utf8.count <= 4 * lengthLimit else { return nil }
    let serial = text.trimmedScalars.uppercased()
    return isSerial(serial) ? serial : nil
  }

  /// Reads a text of them, apart by white space, commas or semicolons: each once, sorted.
  static func read(_ text: String) throws(SerialRefusal) -> [String] {
    var found: Set<String> = []
    let words = text.unicodeScalars.split { $0.properties.isWhitespace || $0 == "," || $0 == ";" }
    for word in words {
      guard let serial = normalised(String(word)) else { throw .noSerial(String(word).quoted(limit: 40)) }
      found.insert(serial)
      guard found.count <= limit else { throw .tooMany }
    }
    guard !found.isEmpty else { throw .empty }
    return found.sorted()
  }

  private static func isSerial(_ text: String) -> Bool {
    (1...lengthLimit).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || $0 == 0x2D }
  }
}

/// Why a text is no list of serial numbers.
enum SerialRefusal: Error, Sendable, Equatable {
  case empty
  case tooMany
  /// This word, made safe to show, is none.
  case noSerial(String)

  /// One line for people: what is wrong, and what to do.
  var advice: String {
    switch self {
    case .empty: "No serial number was given; type at least one."
    case .tooMany: "More than \(SerialNumbers.limit) serial numbers were given; do it in several turns."
    case .noSerial(let word):
      "\(word) is no serial number: those have letters, digits and hyphens, \(SerialNumbers.lengthLimit) at most."
    }
  }
}
