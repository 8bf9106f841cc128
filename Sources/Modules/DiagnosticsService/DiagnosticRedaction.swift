internal import ForsettiModuleKit

/// Takes out of a report what nobody needs to keep: before it is kept anywhere, so nothing has to be taken out later.
///
/// Metadata is kept by its key alone, from a list of those that say what went wrong; an unknown key keeps its name and
/// loses its value. What names a secret or a device is taken out of every text.
enum DiagnosticRedaction {
  /// What stands for what was taken out.
  static let mark = "<redacted>"

  /// Bytes of a message at most, of a category, and of a value.
  private static let messageLimit = 1_024
  private static let categoryLimit = 64
  private static let valueLimit = 256
  /// Pairs of metadata at most.
  private static let pairLimit = 16

  /// Keys that may keep their values, in lower case without anything but letters and digits.
  private static let keys: Set<String> = [
    "action", "askedby", "attempt", "attempts", "bucket", "bytes", "capability", "category", "code", "count",
    "deadline", "dropped", "elapsedms", "error", "errordescription", "errortype", "event", "exit", "field",
    "format", "kind", "limit", "lost", "method", "milliseconds", "module", "moduleid", "outcome", "page",
    "path",
    "phase", "reason", "retryafter", "role", "rows", "seconds", "section", "service", "severity", "signal",
    "size",
    "state", "status", "step", "store", "symbology", "total", "verb", "version", "view", "viewid",
  ]

  /// A report as it may be kept.
  static func redacted(_ report: DiagnosticReport) -> DiagnosticReport {
    var kept = report
    kept.source = report.source.plain(limit: valueLimit)
    kept.category = report.category.plain(limit: categoryLimit)
    kept.message = text(report.message, limit: messageLimit)
    let pairs = report.metadata.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    kept.metadata = Dictionary(
      pairs.prefix(pairLimit).map { key, value in
        (key.plain(limit: categoryLimit), isKept(key) ? text(value, limit: valueLimit) : mark)
      }, uniquingKeysWith: { first, _ in first })
    return kept
  }

  private static func isKept(_ key: String) -> Bool {
    var folded = ""
    for byte in key.utf8.prefix(categoryLimit) {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        folded.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): folded.unicodeScalars.append(Unicode.Scalar(byte | 0x20))
      default: continue
      }
    }
    return keys.contains(folded)
  }

  // MARK: - Texts

  /// A text in one bounded line, word by word.
  private static func text(_ text: String, limit: Int) -> String {
    var previous: Substring = ""
    var isSeparated = false
    let words = text.plain(limit: limit).split(separator: " ", omittingEmptySubsequences: false).map { word in
      // A sign that stands alone and the name of a scheme stand between a secret and the word before it.
      if isBetween(word) {
        isSeparated = isSeparated || !word.isEmpty
        return String(word)
      }
      defer { (previous, isSeparated) = (word, false) }
      return isSecret(word, after: previous, isSeparated) ? mark : pair(word) ?? path(word)
    }
    return words.joined(separator: " ")
  }

  /// `password: x`, `Bearer x` and `PIN 1234` have the secret behind a word that says so; in `the token expired` nothing is
  /// secret.
  private static func isSecret(
    _ word: Substring, after previous: Substring, _ isSeparated: Bool
  ) -> Bool {
    guard !namesDeviceOrSecret(word) else { return true }
    let letters = letters(of: previous)
    guard introducers.contains(where: letters.hasSuffix) else { return false }
    return isSeparated || previous.hasSuffix(":") || previous.hasSuffix("=") || letters == "bearer"
      || !isPlain(word)
  }

  private static func isBetween(_ word: Substring) -> Bool {
    ["", ":", "=", "Basic", "Digest"].contains(word)
  }

  /// `password=x` and `"password":"x"`, without what stands on the right; nothing for another word.
  private static func pair(_ word: Substring) -> String? {
    for sign in word.indices where word[sign] == "=" || word[sign] == ":" {
      let right = word.index(after: sign)
      let letters = letters(of: word[..<sign])
      if right < word.endIndex, introducers.contains(where: letters.hasSuffix) {
        return word[..<right] + mark
      }
    }
    return nil
  }

  /// What a word ends in, in lower case, where a secret or a device follows.
  private static let introducers = [
    "authorization", "bearer", "password", "passcode", "pin", "secret", "serial", "serialnumber", "token",
    "udid",
  ]

  private static func letters(of word: Substring) -> String {
    String(word.unicodeScalars.filter { $0.properties.isAlphabetic }).lowercased()
  }

  /// Whether a word is one of a sentence: small letters, and what ends it.
  private static func isPlain(_ word: Substring) -> Bool {
    word.utf8.allSatisfy { 0x61...0x7A ~= $0 || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }
  }

  private static func namesDeviceOrSecret(_ word: Substring) -> Bool {
    // A UUID, also within brackets or behind a slash; and the head of a JSON Web Token.
    word.contains("eyJ") || hasUUID(word)
  }

  /// Eight, four, four, four and twelve hexadecimal digits.
  private static func hasUUID(_ word: Substring) -> Bool {
    let groups = [8, 4, 4, 4, 12]
    let length = groups.reduce(groups.count - 1, +)
    let bytes = Array(word.utf8)
    guard bytes.count >= length else { return false }
    return (0...(bytes.count - length)).contains { start in
      var place = start
      for (index, count) in groups.enumerated() {
        guard bytes[place..<(place + count)].allSatisfy(isHexDigit) else { return false }
        place += count
        guard index == groups.count - 1 || bytes[place] == UInt8(ascii: "-") else { return false }
        place += 1
      }
      return true
    }
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }

  /// A path of a call keeps its names and loses its IDs: `/api/v1/computers-inventory/…/filevault`.
  private static func path(_ word: Substring) -> String {
    guard word.utf8.first == UInt8(ascii: "/") else { return String(word) }
    return word.split(separator: "/", omittingEmptySubsequences: false).map { step in
      step.utf8.contains { 0x30...0x39 ~= $0 } && !isVersion(step) ? "…" : String(step)
    }.joined(separator: "/")
  }

  private static func isVersion(_ step: Substring) -> Bool {
    step.utf8.first == UInt8(ascii: "v") && step.utf8.count == 2
  }
}
