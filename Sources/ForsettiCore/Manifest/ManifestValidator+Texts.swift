/// Texts that people read must not hide or reorder anything on the screen that shows them.
extension ManifestValidator {
  static func texts(_ manifest: ModuleManifest) -> Fault? {
    hidden(in: manifest.displayName, at: "/displayName")
      ?? hidden(in: manifest.supportedPlatforms.lazy.map(\.name), at: "/supportedPlatforms")
      ?? hidden(in: manifest.iapProductID, at: "/iapProductID") ?? texts(manifest.runtimeRequirements)
  }

  private static func texts(_ requirements: RuntimeRequirements) -> Fault? {
    for (index, entry) in requirements.io.enumerated() {
      let pointer = "/runtimeRequirements/io/\(index)"
      if let fault = hidden(in: entry.requirementID, at: pointer + "/requirementID")
        ?? hidden(in: entry.description, at: pointer + "/description")
      {
        return fault
      }
    }
    if let ui = requirements.ui {
      let pointer = "/runtimeRequirements/ui"
      if let fault = hidden(in: ui.controlSchemeID, at: pointer + "/controlSchemeID")
        ?? hidden(in: ui.layoutID, at: pointer + "/layoutID")
      {
        return fault
      }
      for list in ui.idLists {
        if let fault = hidden(in: list.ids, at: "\(pointer)/\(list.key)") { return fault }
      }
    }
    return hidden(
      in: requirements.dataIsolation.ownedStoreIDs, at: "/runtimeRequirements/dataIsolation/ownedStoreIDs")
  }

  private static func hidden(in texts: some Sequence<String>, at pointer: @autoclosure () -> String) -> Fault?
  {
    for (index, text) in texts.enumerated() {
      if let fault = hidden(in: text, at: "\(pointer())/\(index)") { return fault }
    }
    return nil
  }

  private static func hidden(in text: String?, at pointer: @autoclosure () -> String) -> Fault? {
    guard let text, let scalar = text.unicodeScalars.first(where: \.isHidden) else { return nil }
    let code = String(scalar.value, radix: 16, uppercase: true)
    let padded = String(repeating: "0", count: max(0, 4 - code.count)) + code
    return (pointer(), "\(text.quoted()) has the control or bidirectional character U+\(padded); remove it")
  }
}
