/// A value of the policy's tree and the way to it.
struct PolicyNode {
  let value: JSONValue
  let pointer: String

  /// The node of an array's element.
  func element(_ index: Int, _ value: JSONValue) -> PolicyNode {
    PolicyNode(value: value, pointer: pointer + JSONPointer.step(index))
  }
}

/// An object whose keys were checked. `null` is no value of any key: what is not meant is left out.
struct PolicyObjectNode {
  let node: PolicyNode
  let members: [String: PolicyNode]

  subscript(key: String) -> PolicyNode? { members[key] }
}

/// Walks a policy's tree and collects every fault, so that a file is mended in one go. Each reading function
/// returns what is right and notes what is wrong.
struct PolicyReader {
  let file: String
  private let places: PlaceTable
  private(set) var faults: [PolicyFault] = []
  private(set) var omitted = 0

  init(file: String, bytes: [UInt8]) {
    self.file = file
    places = PlaceTable(bytes)
  }

  /// The place of a node in the text.
  func place(of node: PolicyNode) -> PolicyPlace { places.place(of: node.value.offset) }

  /// The places of these keys of an object and of whatever they hold, by the way to it: `sandbox.limits.openFiles`. Only of
  /// an object whose keys are known, so there are few.
  func places(of object: PolicyObjectNode, _ keys: [String]) -> [String: PolicyPlace] {
    var found: [String: PolicyPlace] = [:]
    for key in keys {
      if let node = object[key] { note(node.value, as: key, in: &found) }
    }
    return found
  }

  private func note(_ value: JSONValue, as key: String, in found: inout [String: PolicyPlace]) {
    found[key] = places.place(of: value.offset)
    for member in value.members ?? [] { note(member.value, as: "\(key).\(member.key)", in: &found) }
  }

  /// Notes a fault at a node.
  mutating func fault(_ node: PolicyNode, _ reason: String) {
    fault(at: node.value.offset, node.pointer, reason)
  }

  /// Notes a fault at a byte of the text.
  mutating func fault(at offset: Int, _ pointer: String, _ reason: String) {
    guard faults.count < PolicyFaults.limit else {
      omitted += 1
      return
    }
    let place = places.place(of: offset)
    faults.append(
      PolicyFault(file: file, line: place.line, column: place.column, pointer: pointer, reason: reason))
  }

  /// An object of a known kind: unknown keys and missing ones are noted.
  mutating func object(_ node: PolicyNode, _ kind: PolicyObject) -> PolicyObjectNode? {
    guard let members = node.value.members else {
      fault(node, "an object is meant, not \(node.value.kindName)")
      return nil
    }
    let known = kind.keys
    var found: [String: PolicyNode] = [:]
    for member in members {
      let pointer = node.pointer + JSONPointer.step(member.key)
      guard known.contains(where: { $0.hasSameScalars(as: member.key) }) else {
        fault(at: member.keyOffset, pointer, Self.unknown("key", member.key, among: known))
        continue
      }
      found[member.key] = PolicyNode(value: member.value, pointer: pointer)
    }
    for key in kind.requiredKeys where found[key] == nil {
      fault(node, "\(key.quoted()) is missing")
    }
    if let reason = found["reason"] { _ = text(reason) }
    return PolicyObjectNode(node: node, members: found)
  }

  /// The elements of an array, each with its node.
  mutating func array(_ node: PolicyNode) -> [PolicyNode] {
    guard let elements = node.value.elements else {
      fault(node, "an array is meant, not \(node.value.kindName)")
      return []
    }
    return elements.enumerated().map { node.element($0, $1) }
  }

  /// A text of any form.
  mutating func string(_ node: PolicyNode) -> String? {
    guard let text = node.value.stringValue else {
      fault(node, "a string is meant, not \(node.value.kindName)")
      return nil
    }
    return text
  }

  /// A text for people or a name: not blank, nothing in it that hides or reorders.
  mutating func text(_ node: PolicyNode) -> String? {
    guard let text = string(node) else { return nil }
    if text.isBlank {
      fault(node, "a text is meant, this is blank")
      return nil
    }
    if text.unicodeScalars.contains(where: \.isUnfitForDisplay) {
      fault(node, "control and bidirectional characters have no place here")
      return nil
    }
    return text
  }

  /// `true` or `false`.
  mutating func boolean(_ node: PolicyNode) -> Bool? {
    guard let value = node.value.boolValue else {
      fault(node, "true or false is meant, not \(node.value.kindName)")
      return nil
    }
    return value
  }

  /// An integer within a range.
  mutating func integer(_ node: PolicyNode, in range: ClosedRange<Int64>) -> Int64? {
    guard node.value.doubleValue != nil else {
      fault(node, "a number is meant, not \(node.value.kindName)")
      return nil
    }
    guard let value = node.value.integerValue, range.contains(value) else {
      fault(node, "an integer from \(range.lowerBound) to \(range.upperBound) is meant")
      return nil
    }
    return value
  }

  /// One of a closed set of names.
  mutating func choice<Choice: RawRepresentable & CaseIterable>(
    _ node: PolicyNode, _ what: String, of type: Choice.Type
  ) -> Choice? where Choice.RawValue == String {
    guard let name = string(node) else { return nil }
    let choices = Choice.allCases.filter { $0.rawValue.hasSameScalars(as: name) }
    if choices.isEmpty {
      fault(node, Self.unknown(what, name, among: Choice.allCases.map(\.rawValue)))
    }
    return choices.first
  }

  /// An array of texts that are read one by one; a second occurrence of the same is noted.
  mutating func list<Element, Key: Hashable>(
    _ node: PolicyNode, key: (Element) -> Key,
    read: (inout PolicyReader, PolicyNode) -> Element?
  ) -> [(element: Element, node: PolicyNode)] {
    var first: [Key: PolicyPlace] = [:]
    var found: [(element: Element, node: PolicyNode)] = []
    for node in array(node) {
      guard let element = read(&self, node) else { continue }
      if let place = first[key(element)] {
        fault(node, "said already at line \(place.line), column \(place.column)")
        continue
      }
      first[key(element)] = place(of: node)
      found.append((element, node))
    }
    return found
  }

  /// `unknown key "grnat"; did you mean "grant"?`, or the list where none is near.
  static func unknown(_ what: String, _ name: String, among known: [String]) -> String {
    let hint = NearestName.hint(for: name, among: known)
    let list = hint.isEmpty ? "; known: " + known.joined(separator: ", ") : hint
    return "unknown \(what) \(name.quoted())\(list)"
  }
}

/// Lines and columns of byte offsets, with a mark every 1,024 bytes, so that many places in one long line stay cheap.
private struct PlaceTable {
  private static let stride = 1_024
  private let bytes: [UInt8]
  /// Where offsets count from: behind a byte order mark.
  private let base: Int
  private var marks: [PolicyPlace] = []

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    base = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var place = PolicyPlace(line: 1, column: 1)
    for index in base..<max(base, bytes.count) {
      if (index - base) % Self.stride == 0 { marks.append(place) }
      Self.advance(&place, over: bytes[index])
    }
  }

  func place(of offset: Int) -> PolicyPlace {
    let end = min(max(offset, 0), max(0, bytes.count - base))
    guard !marks.isEmpty else { return PolicyPlace(line: 1, column: 1) }
    let mark = min(end / Self.stride, marks.count - 1)
    var place = marks[mark]
    for index in (base + mark * Self.stride)..<(base + end) { Self.advance(&place, over: bytes[index]) }
    return place
  }

  private static func advance(_ place: inout PolicyPlace, over byte: UInt8) {
    if byte == UInt8(ascii: "\n") {
      place = PolicyPlace(line: place.line + 1, column: 1)
    } else if byte & 0xC0 != 0x80 {
      place.column += 1
    }
  }
}
