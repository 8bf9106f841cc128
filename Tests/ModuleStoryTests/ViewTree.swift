import ForsettiCore

/// Reading of views, as an operator reads them.
extension JSONValue {
  /// The first node that is wanted, the outermost first.
  func node(_ isWanted: (JSONValue) -> Bool) -> JSONValue? {
    if isWanted(self) { return self }
    for child in elements ?? members?.map(\.value) ?? [] {
      if let found = child.node(isWanted) { return found }
    }
    return nil
  }

  /// The text of the first cell of the first table.
  var firstCell: String? {
    node { $0["kind"]?.stringValue == "table" }?["rows"]?.elements?.first?.elements?.first?["text"]?
      .stringValue
  }

  /// What the first button of a title carries under a key.
  func payload(_ key: String, ofButton title: String) -> String? {
    let button = node { $0["kind"]?.stringValue == "button" && $0["title"]?.stringValue == title }
    return button?["action"]?["payload"]?[key]?.stringValue
  }
}
