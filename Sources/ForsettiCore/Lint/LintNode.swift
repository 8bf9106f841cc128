/// A value of a policy's text, the way to it, and what is said of it: the `reason` of the nearest object around it. What
/// the policy as a whole is for is no reason for any of its lines.
struct LintNode {
  let node: PolicyNode
  let reason: String?

  init(root: JSONValue) {
    node = PolicyNode(value: root, pointer: "")
    reason = nil
  }

  private init(_ node: PolicyNode, in parent: LintNode) {
    self.node = node
    reason = node.value["reason"]?.stringValue ?? parent.reason
  }

  var value: JSONValue { node.value }

  /// A member.
  subscript(key: String) -> LintNode? {
    value[key].map {
      LintNode(PolicyNode(value: $0, pointer: node.pointer + JSONPointer.step(key)), in: self)
    }
  }

  /// The elements of an array.
  var elements: [LintNode] {
    (value.elements ?? []).enumerated().map { LintNode(node.element($0.offset, $0.element), in: self) }
  }

  /// The texts of an array.
  var texts: [String] { (value.elements ?? []).compactMap(\.stringValue) }

  /// A text, given by itself or as the `value` beside a reason.
  var choice: String? { value.stringValue ?? value["value"]?.stringValue }
}
