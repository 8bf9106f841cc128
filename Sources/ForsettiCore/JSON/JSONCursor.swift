/// A value of a tree together with its JSON Pointer: the typed reader that decoders are written with.
/// `null` counts as absent. Faults carry pointer and offset; `JSONDocument.locating(_:)` adds the line.
public struct JSONCursor: Sendable {
  /// The value.
  public let value: JSONValue
  /// RFC 6901 pointer from the root.
  public let pointer: String

  /// Starts at a value, by default the root.
  public init(_ value: JSONValue, pointer: String = "") {
    self.value = value
    self.pointer = pointer
  }

  /// A fault at this value.
  public func fault(_ reason: String) -> JSONFault {
    JSONFault(offset: value.offset, pointer: pointer, reason: reason)
  }

  /// The members; a fault if it is no object.
  public func object() throws(JSONFault) -> [JSONMember] {
    guard let members = value.members else { throw mismatch("an object") }
    return members
  }

  /// The value of a member that may be absent or null.
  public func optional(_ key: String) throws(JSONFault) -> JSONCursor? {
    guard let member = try object().first(where: { $0.key.hasSameScalars(as: key) }), !member.value.isNull
    else { return nil }
    return JSONCursor(member.value, pointer: pointer + JSONPointer.step(key))
  }

  /// The value of a member that must be there. The fault points to where it should stand, and names an unknown
  /// key that may have been meant.
  public func required(_ key: String, among known: [String] = []) throws(JSONFault) -> JSONCursor {
    if let found = try optional(key) { return found }
    let strays = try object().lazy.map(\.key).filter { !known.contains($0) }
    let near = NearestName.suggest(for: key, among: strays.prefix(64))
    throw JSONFault(
      offset: value.offset, pointer: pointer + JSONPointer.step(key),
      reason: "\(key.quoted()) is missing" + (near.map { "; is \($0.quoted()) meant to be it?" } ?? ""))
  }

  /// The elements; a fault if it is no array.
  public func array() throws(JSONFault) -> [JSONCursor] {
    guard let elements = value.elements else { throw mismatch("an array") }
    return elements.enumerated().map { JSONCursor($1, pointer: pointer + JSONPointer.step($0)) }
  }

  /// A text.
  public func string() throws(JSONFault) -> String {
    guard let text = value.stringValue else { throw mismatch("a string") }
    return text
  }

  /// An array of texts.
  public func strings() throws(JSONFault) -> [String] {
    var texts: [String] = []
    for element in try array() { texts.append(try element.string()) }
    return texts
  }

  /// A boolean.
  public func bool() throws(JSONFault) -> Bool {
    guard let flag = value.boolValue else { throw mismatch("true or false") }
    return flag
  }

  /// An integer within bounds; `1.0` and `1e2` are integers.
  public func integer(in range: ClosedRange<Int64>) throws(JSONFault) -> Int64 {
    guard value.doubleValue != nil else { throw mismatch("an integer") }
    guard let integer = value.integerValue, range.contains(integer) else {
      throw fault("an integer from \(range.lowerBound) to \(range.upperBound) is expected")
    }
    return integer
  }

  /// One of a closed set of names; the fault names the nearest.
  public func oneOf<Choice: RawRepresentable<String> & CaseIterable>(
    _ type: Choice.Type, called noun: String
  ) throws(JSONFault) -> Choice {
    let text = try string()
    if let choice = Choice.allCases.first(where: { $0.rawValue.hasSameScalars(as: text) }) { return choice }
    let names = Choice.allCases.map(\.rawValue)
    if let near = NearestName.suggest(for: text, among: names) {
      throw fault("\(text.quoted()) is not \(noun); did you mean \(near.quoted())?")
    }
    throw fault("\(text.quoted()) is not \(noun); valid: \(names.joined(separator: ", "))")
  }

  /// An array of names of a closed set.
  public func listOf<Choice: RawRepresentable<String> & CaseIterable>(
    _ type: Choice.Type, called noun: String
  ) throws(JSONFault) -> [Choice] {
    var choices: [Choice] = []
    for element in try array() { choices.append(try element.oneOf(type, called: noun)) }
    return choices
  }

  /// The members whose keys are not in `known`.
  public func unknownMembers(besides known: [String]) -> [JSONMember] {
    (value.members ?? []).filter { member in !known.contains { $0.hasSameScalars(as: member.key) } }
  }

  /// An unknown member as a fault at its key, with the nearest known one.
  public func unknownKey(_ member: JSONMember, besides known: [String]) -> JSONFault {
    JSONFault(
      offset: member.keyOffset, pointer: pointer + JSONPointer.step(member.key),
      reason: "unknown key \(member.key.quoted())" + NearestName.hint(for: member.key, among: known))
  }

  private func mismatch(_ expected: String) -> JSONFault {
    fault("\(expected) is expected, not \(value.kindName)")
  }
}

extension JSONValue {
  /// Byte offset of the value a pointer leads to, or of its nearest ancestor that exists.
  public func offset(at pointer: String) -> Int {
    var place = self
    // Split by bytes: a combining scalar after "/" would otherwise fuse with it into one Character.
    for step in pointer.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
    {
      if let elements = place.elements, let index = Int(Substring(step)), elements.indices.contains(index) {
        place = elements[index]
      } else if let member = place.members?.first(where: {
        JSONPointer.step($0.key).utf8.dropFirst().elementsEqual(step)
      }) {
        place = member.value
      } else {
        break
      }
    }
    return place.offset
  }
}
