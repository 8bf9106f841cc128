/// One field of a manifest as text, for comparing two manifests and for showing what differs.
public struct ManifestField: Sendable, Hashable {
  /// Its name, as the path of its key: `displayName`, `runtimeRequirements.io`.
  public var name: String
  /// Its value, so written that two different values never have one text; `nil` where it is absent.
  public var text: String?

  /// Makes a field.
  public init(name: String, text: String?) {
    self.name = name
    self.text = text
  }

  /// Same name and same scalars.
  public func isSame(as other: ManifestField) -> Bool {
    guard name == other.name else { return false }
    switch (text, other.text) {
    case (nil, nil): return true
    case (let text?, let other?): return text.hasSameScalars(as: other)
    default: return false
    }
  }

  /// The value for people: on one line, cut where it is long, `absent` where there is none.
  public var shown: String { text?.plain() ?? "absent" }
}

extension ModuleManifest {
  /// Every field, in the order of SPEC §1; `runtimeRequirements` part by part.
  public var fields: [ManifestField] {
    [
      ManifestField(name: "schemaVersion", text: schemaVersion),
      ManifestField(name: "manifestTemplateVersion", text: manifestTemplateVersion),
      ManifestField(name: "moduleID", text: moduleID),
      ManifestField(name: "displayName", text: displayName),
      ManifestField(name: "moduleVersion", text: moduleVersion.description),
      ManifestField(name: "moduleType", text: moduleType.rawValue),
      ManifestField(name: "supportedPlatforms", text: Self.list(supportedPlatforms.map(\.name))),
      ManifestField(name: "minForsettiVersion", text: minForsettiVersion.description),
      ManifestField(name: "maxForsettiVersion", text: maxForsettiVersion?.description),
      ManifestField(name: "capabilitiesRequested", text: Self.list(capabilitiesRequested.map(\.rawValue))),
      ManifestField(name: "iapProductID", text: iapProductID),
      ManifestField(name: "entryPoint", text: entryPoint),
      ManifestField(name: "defaultModuleRole", text: defaultModuleRole?.rawValue),
      ManifestField(
        name: "runtimeRequirements.io",
        text: JSONWriter.text(.array(runtimeRequirements.io.map(\.jsonValue)))),
      ManifestField(
        name: "runtimeRequirements.ui",
        text: runtimeRequirements.ui.map { JSONWriter.text($0.jsonValue) }),
      ManifestField(
        name: "runtimeRequirements.dataIsolation",
        text: JSONWriter.text(runtimeRequirements.dataIsolation.jsonValue)),
    ]
  }

  private static func list(_ names: [String]) -> String { JSONWriter.text(.strings(names)) }
}

extension ModuleDescriptor {
  /// Its four fields, in the order in which identity compares them.
  public var fields: [ManifestField] {
    [
      ManifestField(name: "moduleID", text: moduleID),
      ManifestField(name: "moduleType", text: moduleType.rawValue),
      ManifestField(name: "moduleVersion", text: moduleVersion.description),
      ManifestField(name: "displayName", text: displayName),
    ]
  }
}
