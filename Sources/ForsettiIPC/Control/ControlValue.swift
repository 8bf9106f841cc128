public import ForsettiCore

/// Why what the other end sent is not the value that was expected.
public struct ControlValueError: Error, Sendable, Hashable {
  /// The members on the way to it, outermost first.
  public var path: [String]
  /// What was expected there.
  public var expected: String

  /// Makes an error at the value itself.
  public init(expected: String) {
    path = []
    self.expected = expected
  }

  func below(_ key: String) -> ControlValueError {
    var error = self
    error.path.insert(key, at: 0)
    return error
  }
}

extension ControlValueError: CustomStringConvertible {
  /// One line: where and what.
  public var description: String {
    path.isEmpty ? "\(expected) is meant" : "\(path.joined(separator: ".")): \(expected) is meant"
  }
}

/// Whatever crosses the control socket: one description for both directions, and for the command line's JSON.
public protocol ControlValue: Sendable {
  /// As it is sent.
  var control: CBORValue { get }
  /// As a program reads it from `--json`; members in the order of their description.
  var json: JSONValue { get }
  /// Reads what was sent.
  init(control: CBORValue) throws(ControlValueError)
}

extension String: ControlValue {
  /// Text.
  public var control: CBORValue { .text(self) }
  /// A string.
  public var json: JSONValue { .string(self) }
  /// Reads text.
  public init(control: CBORValue) throws(ControlValueError) {
    guard case .text(let text) = control else { throw ControlValueError(expected: "a text") }
    self = text
  }
}

extension Bool: ControlValue {
  /// False or true.
  public var control: CBORValue { .bool(self) }
  /// False or true.
  public var json: JSONValue { .bool(self) }
  /// Reads false or true.
  public init(control: CBORValue) throws(ControlValueError) {
    guard case .bool(let value) = control else { throw ControlValueError(expected: "true or false") }
    self = value
  }
}

extension Int: ControlValue {
  /// An integer.
  public var control: CBORValue { .integer(Int64(self)) }
  /// A number.
  public var json: JSONValue { .integer(self) }
  /// Reads an integer.
  public init(control: CBORValue) throws(ControlValueError) {
    guard let value = control.integer else { throw ControlValueError(expected: "an integer") }
    self = Int(value)
  }
}

extension Double: ControlValue {
  /// A float.
  public var control: CBORValue { .float(self) }
  /// A number.
  public var json: JSONValue { .number(self) }
  /// Reads a float, or an integer that is one.
  public init(control: CBORValue) throws(ControlValueError) {
    switch control {
    case .float(let value): self = value
    default:
      guard let value = control.integer else { throw ControlValueError(expected: "a number") }
      self = Double(value)
    }
  }
}

extension Optional: ControlValue where Wrapped: ControlValue {
  /// The value, or null.
  public var control: CBORValue { map(\.control) ?? .null }
  /// The value, or null.
  public var json: JSONValue { map(\.json) ?? .null }
  /// Reads a value, or null.
  public init(control: CBORValue) throws(ControlValueError) {
    if case .null = control {
      self = nil
    } else {
      self = try Wrapped(control: control)
    }
  }
}

extension Array: ControlValue where Element: ControlValue {
  /// An array.
  public var control: CBORValue { .array(map(\.control)) }
  /// An array.
  public var json: JSONValue { .array(map(\.json)) }
  /// Reads an array.
  public init(control: CBORValue) throws(ControlValueError) {
    guard case .array(let items) = control else { throw ControlValueError(expected: "an array") }
    self.init()
    reserveCapacity(items.count)
    for (index, item) in items.enumerated() {
      do { append(try Element(control: item)) } catch { throw error.below(String(index)) }
    }
  }
}

extension Dictionary: ControlValue where Key == String, Value == String {
  /// A map of text.
  public var control: CBORValue { .map(map { CBORMember(.text($0.key), .text($0.value)) }) }
  /// An object; members sorted by key.
  public var json: JSONValue {
    .object(sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { ($0.key, .string($0.value)) })
  }
  /// Reads a map of text.
  public init(control: CBORValue) throws(ControlValueError) {
    guard case .map(let members) = control else { throw ControlValueError(expected: "a map of texts") }
    self.init()
    for member in members {
      guard case .text(let key) = member.key else { throw ControlValueError(expected: "a text as key") }
      do { self[key] = try String(control: member.value) } catch { throw error.below(key) }
    }
  }
}
