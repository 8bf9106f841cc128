import Foundation
import Testing

/// A published schema, as a page tells it: objects by name, with the schema of each key.
struct FormatSchema {
  typealias Node = [String: Any]

  /// The objects: the root by the name of the format, those of `$defs` by their own, and those within another by the way
  /// there. The `reason` that each object of a policy takes is left out; one that has a `value` besides is another form of
  /// that value, and is told with it.
  private(set) var objects: [String: [String: Node]] = [:]
  private let definitions: [String: Node]

  init(_ format: String) throws {
    let data = try Data(
      contentsOf: URL(fileURLWithPath: Product.checkout + "/Resources/Schemas/\(format).schema.json"))
    let root = try #require(JSONSerialization.jsonObject(with: data) as? Node)
    definitions = root["$defs"] as? [String: Node] ?? [:]
    collect(root, "")
    for (name, definition) in definitions { collect(definition, name) }
    objects = objects.mapValues { $0.filter { $0.value["$ref"] as? String != "#/$defs/reason" } }
    objects = objects.filter { Set($0.value.keys) != ["value"] }
    objects[format == "crash-report" ? "report" : format] = objects.removeValue(forKey: "")
  }

  private mutating func collect(_ node: Node, _ name: String) {
    if let properties = node["properties"] as? [String: Node] {
      for (key, value) in properties {
        objects[name, default: [:]][key] = value
        collect(value, name.isEmpty ? key : name + "." + key)
      }
    }
    for inner in Self.forms(node) { collect(inner, name) }
  }

  /// What a value may be instead, and what a list has in it.
  private static func forms(_ node: Node) -> [Node] {
    ["anyOf", "oneOf"].flatMap { node[$0] as? [Node] ?? [] } + [node["items"] as? Node].compactMap { $0 }
  }

  /// What an entry must say of a value: of each closed set and each range, one of several spellings.
  func facts(_ node: Node) -> [[String]] {
    guard node["properties"] == nil else { return [] }
    var facts: [[String]] = []
    if let values = node["enum"] as? [String] { facts.append([values.joined(separator: " | ")]) }
    if let least = node["minimum"] as? NSNumber, let most = node["maximum"] as? NSNumber {
      let lower = Self.spellings(least.int64Value)
      facts.append(lower.flatMap { low in Self.spellings(most.int64Value).map { "\(low) to \($0)" } })
    }
    let name = (node["$ref"] as? String)?.split(separator: "/").last.map(String.init)
    if let other = definitions[name ?? ""], other["enum"] == nil { facts += self.facts(other) }
    return facts + Self.forms(node).flatMap(self.facts)
  }

  /// The closed sets that several keys take their values from: a page tells each once.
  var sharedSets: [String] {
    definitions.values.compactMap { ($0["enum"] as? [String])?.joined(separator: " | ") }
  }

  /// A number as pages write it: with commas, and in the largest binary unit that it is a multiple of.
  static func spellings(_ number: Int64) -> [String] {
    let digits = String(number)
    let grouped = digits.enumerated().map { index, digit in
      index > 0 && (digits.count - index).isMultiple(of: 3) ? ",\(digit)" : "\(digit)"
    }.joined()
    let unit = [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)].first {
      number > 0 && number % (1 << $0.1) == 0
    }
    return [grouped] + (unit.map { ["\(number >> $0.1) \($0.0)"] } ?? [])
  }
}
