public import ForsettiCore

/// A value with named members, such as the request or the answer of an operation. `visit` names each member once; what
/// is sent, what is read and what `--json` prints all follow from it. A member that is not sent keeps its default, and
/// one that is not known is passed over: so versions of the two ends may differ.
public protocol ControlRecord: ControlValue {
  /// The defaults.
  init()
  /// Shows every member to the visitor, in the order that people see them.
  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError)
}

/// Whoever goes through the members of a record.
public protocol ControlMembers {
  /// Sends, reads or prints one member.
  mutating func callAsFunction(
    _ key: String, _ value: inout some ControlValue
  ) throws(ControlValueError)
}

extension ControlRecord {
  /// A map.
  public var control: CBORValue {
    var writer = ControlWriter()
    show(to: &writer)
    return .map(writer.members)
  }

  /// What `control` is encoded as, and made without it: of tables of a thousand records that is most of the work.
  /// - Throws: what can't be sent.
  public func encoded() throws(CBORError) -> [UInt8] {
    var encoder = ControlEncoder()
    show(to: &encoder)
    return try encoder.map()
  }

  /// An object.
  public var json: JSONValue {
    var writer = ControlPrinter()
    show(to: &writer)
    return JSONValue(.object(writer.members))
  }

  /// Reads a map.
  public init(control: CBORValue) throws(ControlValueError) {
    guard case .map(let members) = control else { throw ControlValueError(expected: "a map") }
    self.init()
    var reader = ControlReader(members: members)
    try visit(&reader)
  }

  private func show(to visitor: inout some ControlMembers) {
    var copy = self
    // A visitor that only looks has nothing to complain of.
    try? copy.visit(&visitor)
  }
}

private struct ControlWriter: ControlMembers {
  var members: [CBORMember] = []

  mutating func callAsFunction(_ key: String, _ value: inout some ControlValue) {
    members.append(CBORMember(.text(key), value.control))
  }
}

/// Encodes members as they come, and puts them in the order of their keys at the end.
private struct ControlEncoder: ControlMembers {
  private var writer = CBORWriter()
  /// Where the key and the value of each member lie.
  private var members: [(key: Range<Int>, value: Range<Int>)] = []
  private var error: CBORError?

  mutating func callAsFunction(_ key: String, _ value: inout some ControlValue) {
    do throws(CBORError) {
      let start = writer.bytes.count
      try writer.text(key)
      let middle = writer.bytes.count
      try writer.value(value.control)
      members.append((start..<middle, middle..<writer.bytes.count))
    } catch { self.error = self.error ?? error }
  }

  mutating func map() throws(CBORError) -> [UInt8] {
    if let error { throw error }
    let bytes = writer.bytes
    members.sort { bytes[$0.key].lexicographicallyPrecedes(bytes[$1.key]) }
    var map = CBORWriter()
    map.map(count: members.count)
    var result = map.bytes
    result.reserveCapacity(result.count + bytes.count)
    var previous: Range<Int>?
    for member in members {
      if let previous, bytes[previous] == bytes[member.key] { throw CBORError(.duplicateKey) }
      previous = member.key
      result += bytes[member.key.lowerBound..<member.value.upperBound]
    }
    return result
  }
}

private struct ControlPrinter: ControlMembers {
  var members: [JSONMember] = []

  mutating func callAsFunction(_ key: String, _ value: inout some ControlValue) {
    members.append(JSONMember(key: key, value: value.json))
  }
}

private struct ControlReader: ControlMembers {
  let members: [CBORMember]

  mutating func callAsFunction<Value: ControlValue>(
    _ key: String, _ value: inout Value
  ) throws(ControlValueError) {
    guard let member = members.first(where: { $0.key == .text(key) }) else { return }
    do { value = try Value(control: member.value) } catch { throw error.below(key) }
  }
}

/// An operation's request, item or answer where there is nothing to say.
public struct NoValue: ControlRecord, Hashable {
  /// Makes it.
  public init() {}
  /// It has no members.
  public mutating func visit(_ members: inout some ControlMembers) {}
}
