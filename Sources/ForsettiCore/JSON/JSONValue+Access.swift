/// Building and reading of trees in code.
extension JSONValue {
  /// `null`.
  public static var null: JSONValue { JSONValue(.null) }

  /// A boolean.
  public static func bool(_ value: Bool) -> JSONValue { JSONValue(.bool(value)) }

  /// A text.
  public static func string(_ text: String) -> JSONValue { JSONValue(.string(text)) }

  /// A text, or `null` for none.
  public static func string(_ text: String?) -> JSONValue { text.map { JSONValue(.string($0)) } ?? .null }

  /// An integer.
  public static func integer(_ value: some BinaryInteger) -> JSONValue {
    let integer = Int64(exactly: value)
    return JSONValue(
      .number(
        JSONNumber(
          double: Double(value), integer: integer, large: integer == nil ? UInt64(exactly: value) : nil)))
  }

  /// A number; written as `null` where it is not finite, since JSON has no such number.
  public static func number(_ value: Double) -> JSONValue {
    JSONValue(.number(JSONNumber(double: value, integer: Int64(exactly: value))))
  }

  /// An array.
  public static func array(_ elements: [JSONValue]) -> JSONValue { JSONValue(.array(elements)) }

  /// An array of texts.
  public static func strings(_ texts: some Sequence<String>) -> JSONValue {
    .array(texts.map { .string($0) })
  }

  /// An object; members are written in this order. The caller keeps keys unique.
  public static func object(_ members: [(String, JSONValue)]) -> JSONValue {
    JSONValue(.object(members.map { JSONMember(key: $0.0, value: $0.1) }))
  }

  /// An object from a literal; members are written in this order.
  public static func record(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
    .object(members.map { ($0.key, $0.value) })
  }

  /// An object whose members without a value are left out.
  public static func object(omittingAbsent members: [(String, JSONValue?)]) -> JSONValue {
    JSONValue(.object(members.compactMap { key, value in value.map { JSONMember(key: key, value: $0) } }))
  }

  /// The members of an object, else `nil`.
  public var members: [JSONMember]? {
    if case .object(let members) = content { members } else { nil }
  }

  /// The elements of an array, else `nil`.
  public var elements: [JSONValue]? {
    if case .array(let elements) = content { elements } else { nil }
  }

  /// The text of a string, else `nil`.
  public var stringValue: String? {
    if case .string(let text) = content { text } else { nil }
  }

  /// A boolean, else `nil`.
  public var boolValue: Bool? {
    if case .bool(let value) = content { value } else { nil }
  }

  /// A number that is integral and fits 64 bits, else `nil`.
  public var integerValue: Int64? {
    if case .number(let number) = content { number.integer } else { nil }
  }

  /// A number, else `nil`.
  public var doubleValue: Double? {
    if case .number(let number) = content { number.double } else { nil }
  }

  /// Whether it is `null`.
  public var isNull: Bool {
    if case .null = content { true } else { false }
  }

  /// The value of a member; `nil` if it is absent, `null` counts as a value here.
  public subscript(key: String) -> JSONValue? {
    members?.first { $0.key.hasSameScalars(as: key) }?.value
  }

  /// What kind of value it is, as words for a message.
  public var kindName: String {
    switch content {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSONNumber {
  /// The number as ECMAScript writes it (RFC 8785 §3.2.2.3): shortest digits that read back the same.
  /// `null` where it is not finite.
  public var ecmaScriptText: String {
    guard double.isFinite else { return "null" }
    if double == 0 { return "0" }
    let (digits, point) = shortestDigits
    let sign = double < 0 ? "-" : ""
    let count = digits.count
    switch point {
    case count...21 where point >= count:
      return sign + digits + String(repeating: "0", count: point - count)
    case 1...21:
      return sign + digits.prefix(point) + "." + digits.dropFirst(point)
    case -5...0:
      return sign + "0." + String(repeating: "0", count: -point) + digits
    default:
      let exponent = point - 1
      let mantissa = count == 1 ? digits : digits.prefix(1) + "." + digits.dropFirst()
      return sign + mantissa + (exponent < 0 ? "e-" : "e+") + String(exponent.magnitude)
    }
  }

  /// Significant digits without zeros at either end, and where the decimal point stands counted from the first
  /// of them. The standard library already finds the shortest; only its layout differs from ECMAScript's.
  private var shortestDigits: (digits: String, point: Int) {
    let text = double.magnitude.description
    let parts = text.split(separator: "e")
    let mantissa = (parts.first ?? "").split(separator: ".", omittingEmptySubsequences: false)
    let whole = mantissa.first ?? ""
    let fraction = mantissa.count > 1 ? mantissa[1] : ""
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    var digits = String(whole + fraction)
    var point = whole.count + exponent
    while digits.hasPrefix("0") {
      digits.removeFirst()
      point -= 1
    }
    while digits.hasSuffix("0") { digits.removeLast() }
    return (digits, point)
  }
}
