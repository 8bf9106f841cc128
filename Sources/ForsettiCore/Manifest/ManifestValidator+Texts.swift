/// Texts that people read must not hide or reorder anything on the screen that shows them.
extension ManifestValidator {
  static func texts(_ manifest: ModuleManifest) -> Fault? {
    let requirements = manifest.runtimeRequirements
    var texts: [(pointer: String, text: String?)] = [("/displayName", manifest.displayName)]
    texts += numbered(manifest.supportedPlatforms.map(\.name), "/supportedPlatforms")
    texts.append(("/iapProductID", manifest.iapProductID))
    for (index, entry) in requirements.io.enumerated() {
      let pointer = "/runtimeRequirements/io/\(index)"
      texts.append((pointer + "/requirementID", entry.requirementID))
      texts.append((pointer + "/description", entry.description))
    }
    if let ui = requirements.ui {
      texts.append(("/runtimeRequirements/ui/controlSchemeID", ui.controlSchemeID))
      texts.append(("/runtimeRequirements/ui/layoutID", ui.layoutID))
      for list in ui.idLists { texts += numbered(list.ids, "/runtimeRequirements/ui/\(list.key)") }
    }
    texts += numbered(
      requirements.dataIsolation.ownedStoreIDs, "/runtimeRequirements/dataIsolation/ownedStoreIDs")
    for (pointer, text) in texts {
      if let text, let scalar = text.unicodeScalars.first(where: \.isHidden) {
        let code = String(scalar.value, radix: 16, uppercase: true)
        let padded = String(repeating: "0", count: max(0, 4 - code.count)) + code
        return (pointer, "\(text.quoted()) has the control or bidirectional character U+\(padded); remove it")
      }
    }
    return nil
  }

  private static func numbered(_ texts: [String], _ pointer: String) -> [(pointer: String, text: String?)] {
    texts.enumerated().map { ("\(pointer)/\($0)", $1) }
  }
}
