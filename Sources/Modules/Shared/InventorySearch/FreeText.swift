internal import ForsettiModuleKit

/// Free text as a filter over many fields.
enum FreeText {
  /// Fields of one filter at most.
  static let limit = 12

  /// The fields to search: those that tell devices apart first, then others, each once.
  static func keys(identity: [String], more: [String], fallback: [String]) -> [String] {
    var keys: [String] = []
    for key in identity + more where !keys.contains(key) && keys.count < limit { keys.append(key) }
    return keys.isEmpty ? Array(fallback.prefix(limit)) : keys
  }

  /// A filter for records that have the text in one of the fields; nothing for a text of white space alone.
  ///
  /// A number is looked for only if the text is one, a truth only if the text says yes or no.
  static func filter(_ text: String, in fields: [RSQLField], wildcard: Bool) -> String? {
    let text = text.trimmedScalars
    guard !text.isEmpty else { return nil }
    let literal = RSQL.pattern(text, anythingBefore: wildcard, anythingBehind: wildcard)
    let tests = fields.compactMap { field -> String? in
      guard let name = field.serverName else { return nil }
      switch field.type {
      case .string, .enumeration: return "\(name)==\(literal)"
      case .bool: return truth(text).map { "\(name)==\($0)" }
      case .integer, .double:
        let isNumber = text.utf8.allSatisfy { 0x30...0x39 ~= $0 } && Int64(text) != nil
        return isNumber ? "\(name)==\(RSQL.quoted(text))" : nil
      case .date: return nil
      }
    }
    return tests.isEmpty ? nil : "(" + tests.joined(separator: ",") + ")"
  }

  private static func truth(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "true", "yes", "1": true
    case "false", "no", "0": false
    default: nil
    }
  }
}
