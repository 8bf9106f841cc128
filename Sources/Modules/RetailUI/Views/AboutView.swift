internal import ForsettiModuleKit

/// What this is, and what it is not.
enum AboutView {
  static func node() -> ViewNode {
    let manifest = RetailUIManifest.manifest
    return .list([
      .text("About", style: .title),
      .keyValues([
        ViewKeyValue("Desk", .text("\(manifest.displayName) \(manifest.moduleVersion)")),
        ViewKeyValue("Framework", .text("Forsetti \(ForsettiVersion.current)")),
        ViewKeyValue("Licence", .text("Apache-2.0")),
        ViewKeyValue("Modules", .text("\(RetailCatalogue.entries.count)")),
      ]),
      .text(
        "Each module runs in a process of its own that reaches no file, no network and no other module but through the supervisor."
      ),
      .text("Jamf Pro is a product of Jamf, which has no part in this one.", style: .caption),
    ])
  }
}
