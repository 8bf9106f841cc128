import ForsettiCore

extension JSONValue {
  /// A number where there is one, else `null`.
  static func count(_ value: Int?) -> JSONValue { value.map { .integer($0) } ?? .null }

  /// A duration in milliseconds, to a microsecond; `null` where there is none.
  static func milliseconds(_ value: Double?) -> JSONValue {
    value.map { .number(($0 * 1000).rounded() / 1000) } ?? .null
  }

  /// The value on one line, with a line end.
  var line: String { JSONWriter.text(self) + "\n" }
}
