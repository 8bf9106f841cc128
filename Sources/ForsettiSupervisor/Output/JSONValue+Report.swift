import ForsettiCore

extension JSONValue {
  /// An object from a literal; members are written in this order.
  static func record(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
    .object(members.map { ($0.key, $0.value) })
  }

  /// A number where there is one, else `null`.
  static func count(_ value: Int?) -> JSONValue { value.map { .integer($0) } ?? .null }

  /// A duration in milliseconds, to a microsecond; `null` where there is none.
  static func milliseconds(_ value: Double?) -> JSONValue {
    value.map { .number(($0 * 1000).rounded() / 1000) } ?? .null
  }

  /// The value on one line, with a line end.
  var line: String { JSONWriter.text(self) + "\n" }
}
