/// Manifests as JSON; what is absent is left out, never written as null.
extension ModuleManifest {
  /// The manifest as a tree, in the order of SPEC §1.
  public var jsonValue: JSONValue {
    .object(omittingAbsent: [
      ("schemaVersion", .string(schemaVersion)),
      ("manifestTemplateVersion", .string(manifestTemplateVersion)),
      ("moduleID", .string(moduleID)),
      ("displayName", .string(displayName)),
      ("moduleVersion", moduleVersion.jsonValue),
      ("moduleType", .string(moduleType.rawValue)),
      ("supportedPlatforms", .strings(supportedPlatforms.map(\.name))),
      ("minForsettiVersion", minForsettiVersion.jsonValue),
      ("maxForsettiVersion", maxForsettiVersion?.jsonValue),
      ("capabilitiesRequested", .strings(capabilitiesRequested.map(\.rawValue))),
      ("iapProductID", iapProductID.map { .string($0) }),
      ("entryPoint", .string(entryPoint)),
      ("defaultModuleRole", defaultModuleRole.map { .string($0.rawValue) }),
      ("runtimeRequirements", runtimeRequirements.jsonValue),
    ])
  }
}

extension SemVer {
  /// `{"major":…,"minor":…,"patch":…}`, and `prerelease` where there is one.
  public var jsonValue: JSONValue {
    .object(omittingAbsent: [
      ("major", .integer(major)), ("minor", .integer(minor)), ("patch", .integer(patch)),
      ("prerelease", prerelease.map { .string($0) }),
    ])
  }
}

extension RuntimeRequirements {
  /// The requirements as a tree.
  public var jsonValue: JSONValue {
    .object(omittingAbsent: [
      ("io", .array(io.map(\.jsonValue))), ("ui", ui?.jsonValue), ("dataIsolation", dataIsolation.jsonValue),
    ])
  }
}

extension IORequirement {
  /// The entry as a tree.
  public var jsonValue: JSONValue {
    .object(omittingAbsent: [
      ("requirementID", .string(requirementID)), ("kind", .string(kind.rawValue)),
      ("access", .string(access.rawValue)), ("required", .bool(required)),
      ("description", description.map { .string($0) }),
    ])
  }
}

extension UIRequirements {
  /// The declaration as a tree.
  public var jsonValue: JSONValue {
    .object(
      omittingAbsent: [
        ("controlSchemeID", controlSchemeID.map { .string($0) }), ("layoutID", layoutID.map { .string($0) }),
      ] + idLists.map { ($0.key, .strings($0.ids)) })
  }

  /// The six ID arrays with their keys, in the order they are checked.
  var idLists: [(key: String, ids: [String])] {
    [
      ("themeIDs", themeIDs), ("viewIDs", viewIDs), ("slotIDs", slotIDs), ("toolbarItemIDs", toolbarItemIDs),
      ("routeIDs", routeIDs), ("pointerIDs", pointerIDs),
    ]
  }
}

extension DataIsolation {
  /// The declaration as a tree.
  public var jsonValue: JSONValue {
    .object([
      ("mode", .string(mode.rawValue)), ("ownedStoreIDs", .strings(ownedStoreIDs)),
      ("requiredDefaultRoles", .strings(requiredDefaultRoles.map(\.rawValue))),
    ])
  }
}
