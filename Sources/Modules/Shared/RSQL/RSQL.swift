internal import ForsettiModuleKit

/// Texts of RSQL, the language of Jamf's filters (https://github.com/jirutka/rsql-parser, with `*` for anything).
enum RSQL {
  /// A text as a literal: in single quotes, with a backslash before `\`, `'` and `*`.
  ///
  /// A server that unescapes before it looks for `*` takes one for anything all the same, and finds too much; whoever must
  /// know looks at the records again, as `RSQLPlan.residual` says.
  static func quoted(_ text: String) -> String { pattern(text) }

  /// A text as a literal with `*` before it or behind it, for anything that may stand there.
  static func pattern(_ text: String, anythingBefore: Bool = false, anythingBehind: Bool = false) -> String {
    var literal = "'" + (anythingBefore ? "*" : "")
    for scalar in text.unicodeScalars {
      if scalar == "\\" || scalar == "'" || scalar == "*" { literal += "\\" }
      literal.unicodeScalars.append(scalar)
    }
    return literal + (anythingBehind ? "*'" : "'")
  }

  /// A filter for records that have a text in any of some fields; nothing for a text of white space alone.
  /// - Parameters:
  ///   - fields: names as the server knows them, at least one.
  ///   - text: what somebody typed; white space at its ends does not count.
  ///   - wildcard: whether it may stand anywhere in the field, rather than be all of it.
  static func anyOf(_ fields: [String], is text: String, wildcard: Bool) -> String? {
    let text = text.trimmedScalars
    guard !text.isEmpty, !fields.isEmpty else { return nil }
    let literal = pattern(text, anythingBefore: wildcard, anythingBehind: wildcard)
    return "(" + fields.map { "\($0)==\(literal)" }.joined(separator: ",") + ")"
  }

  /// A moment as filters have it, without fractions of a second: `2026-11-30T01:28:39Z`.
  /// - Parameter milliseconds: since 1970.
  static func moment(_ milliseconds: Int64) -> String {
    quoted("\(timestampText(milliseconds).prefix(19))Z")
  }
}
