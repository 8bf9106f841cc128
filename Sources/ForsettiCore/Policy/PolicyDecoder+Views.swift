extension PolicyReader {
  /// The most views that a policy may give to modules.
  static let mostViews = 1_000

  /// Who draws a view in its contributor's place, by the view's ID.
  mutating func views(_ node: PolicyNode) -> [ScalarText: String] {
    guard let members = node.value.members else {
      fault(node, "an object is meant, not \(node.value.kindName)")
      return [:]
    }
    guard members.count <= Self.mostViews else {
      fault(node, "\(Self.mostViews) views are the most")
      return [:]
    }
    var renderers: [ScalarText: String] = [:]
    for member in members {
      let entry = PolicyNode(value: member.value, pointer: node.pointer + JSONPointer.step(member.key))
      if member.key.isBlank || member.key.unicodeScalars.contains(where: \.isHidden) {
        fault(at: member.keyOffset, entry.pointer, "the ID of a view is meant: visible, and not blank")
      } else if let moduleID = moduleID(entry) {
        renderers[ScalarText(member.key)] = moduleID
      }
    }
    return renderers
  }
}
