internal import ForsettiModuleKit

/// The PreStage that a device came by, as one text: `Enrolled - Standard Mac (ID: 12)`.
enum PrestageText {
  /// Puts the parts together; those that are missing are left out, and nothing is made of none.
  static func make(status: String?, name: String?, id: String?) -> String? {
    let parts = [name, id.map { "(ID: \($0))" }].compactMap { $0 }.joined(separator: " ")
    let all = [status, parts.isEmpty ? nil : parts].compactMap { $0 }
    return all.isEmpty ? nil : all.joined(separator: " - ")
  }

  /// What is told of a device that a PreStage has in its scope.
  static func make(_ status: PrestageStatus, _ prestage: PrestageReference) -> String {
    "\(status.rawValue) - \(prestage.label)"
  }
}

/// Whether a device has come by its PreStage.
enum PrestageStatus: String, Sendable, CaseIterable {
  case enrolled = "Enrolled"
  case notEnrolled = "Not Enrolled"

  private static let paths = ["enrollmentStatus", "prestageEnrollmentStatus", "prestageStatus"].map {
    RecordPath("general." + $0)
  }
  private static let yes: Set = ["true", "yes", "enrolled", "managed"]
  private static let no: Set = [
    "false", "no", "not", "never", "non", "un", "unenrolled", "unmanaged", "disenrolled", "deenrolled",
  ]

  /// Reads a status as any server writes one. A word that says no counts wherever it stands, so that `not managed` and
  /// `unenrolled` are none of those that came; nothing for words that say neither.
  init?(_ text: String) {
    let words = Set(Self.words(text))
    if !words.isDisjoint(with: Self.no) {
      self = .notEnrolled
    } else if !words.isDisjoint(with: Self.yes) {
      self = .enrolled
    } else {
      return nil
    }
  }

  /// The status that a record of the inventory tells, where it tells one.
  init?(of record: JSONValue) {
    guard let text = Self.paths.lazy.compactMap({ $0.text(in: record) }).first else { return nil }
    self.init(text)
  }

  /// Words in lower case: `notEnrolled` and `NOT_ENROLLED` have two.
  private static func words(_ text: String) -> [String] {
    var words: [String] = [""]
    var wasLower = false
    for character in text {
      let isUpper = character.isUppercase
      if !character.isLetter || (isUpper && wasLower) { words.append("") }
      if character.isLetter { words[words.count - 1] += character.lowercased() }
      wasLower = character.isLetter && !isUpper
    }
    return words.filter { !$0.isEmpty }
  }
}
