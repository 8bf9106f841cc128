public import ForsettiCore

// JSON of any shape over the control socket: objects as maps, integral numbers as integers.
extension JSONValue: ControlValue {
  /// As CBOR; members lose their order.
  public var control: CBORValue {
    switch content {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number(let number): number.integer.map { .integer($0) } ?? .float(number.double)
    case .string(let text): .text(text)
    case .array(let items): .array(items.map(\.control))
    case .object(let members): .map(members.map { CBORMember(.text($0.key), $0.value.control) })
    }
  }

  /// Itself.
  public var json: JSONValue { self }

  /// Reads what JSON can say. Byte strings and maps with integer keys have no place in it.
  public init(control: CBORValue) throws(ControlValueError) {
    switch control {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .float(let value): self = .number(value)
    case .text(let text): self = .string(text)
    case .unsigned(let value): self = .integer(value)
    case .negative:
      guard let value = control.integer else { throw ControlValueError(expected: "an integer of 64 bits") }
      self = .integer(value)
    case .bytes: throw ControlValueError(expected: "what JSON can say")
    case .array(let items):
      var elements: [JSONValue] = []
      for (index, item) in items.enumerated() {
        do { elements.append(try JSONValue(control: item)) } catch { throw error.below(String(index)) }
      }
      self = .array(elements)
    case .map(let items):
      var members: [JSONMember] = []
      for item in items {
        guard case .text(let key) = item.key else { throw ControlValueError(expected: "a text as key") }
        do { members.append(JSONMember(key: key, value: try JSONValue(control: item.value))) } catch {
          throw error.below(key)
        }
      }
      self = JSONValue(.object(members))
    }
  }
}
