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
