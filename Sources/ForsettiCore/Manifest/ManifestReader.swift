/// The shape of a manifest: which keys there are, of which type, and what an absent one means.
struct ManifestReader {
  /// What is odd but no fault: unknown keys, an empty prerelease, a platform nobody knows.
  private(set) var oddities: [JSONFault] = []
  /// Unknown keys beyond `ManifestDecoder.warningLimit`: counted, not described, whatever a file holds.
  private(set) var unlisted = 0

  static let rootKeys = [
    "schemaVersion", "manifestTemplateVersion", "moduleID", "displayName", "moduleVersion", "moduleType",
    "supportedPlatforms", "minForsettiVersion", "maxForsettiVersion", "capabilitiesRequested", "iapProductID",
    "entryPoint", "defaultModuleRole", "runtimeRequirements",
  ]
  static let versionKeys = ["major", "minor", "patch", "prerelease"]
  static let requirementsKeys = ["io", "ui", "dataIsolation"]
  static let ioKeys = ["requirementID", "kind", "access", "required", "description"]
  static let uiKeys = [
    "controlSchemeID", "layoutID", "themeIDs", "viewIDs", "slotIDs", "toolbarItemIDs", "routeIDs",
    "pointerIDs",
  ]
  static let isolationKeys = ["mode", "ownedStoreIDs", "requiredDefaultRoles"]

  mutating func manifest(_ root: JSONCursor) throws(JSONFault) -> ModuleManifest {
    let schema = try root.required("schemaVersion", among: Self.rootKeys).string()
    let template = try template(root, schema: schema)
    let manifest = ModuleManifest(
      schemaVersion: schema, manifestTemplateVersion: template,
      moduleID: try root.required("moduleID", among: Self.rootKeys).string(),
      displayName: try root.required("displayName", among: Self.rootKeys).string(),
      moduleVersion: try version(root.required("moduleVersion", among: Self.rootKeys)),
      moduleType: try root.required("moduleType", among: Self.rootKeys)
        .oneOf(ModuleType.self, called: "a module type"),
      supportedPlatforms: try platforms(root.required("supportedPlatforms", among: Self.rootKeys)),
      minForsettiVersion: try version(root.required("minForsettiVersion", among: Self.rootKeys)),
      maxForsettiVersion: try root.optional("maxForsettiVersion").map { cursor throws(JSONFault) in
        try version(cursor)
      },
      capabilitiesRequested: try root.required("capabilitiesRequested", among: Self.rootKeys)
        .listOf(Capability.self, called: "a capability"),
      iapProductID: try root.optional("iapProductID")?.string(),
      entryPoint: try root.required("entryPoint", among: Self.rootKeys).string(),
      defaultModuleRole: try root.optional("defaultModuleRole")?
        .oneOf(DefaultModuleRole.self, called: "a role"),
      runtimeRequirements: try requirements(root.optional("runtimeRequirements")))
    noteUnknownKeys(root, besides: Self.rootKeys)
    return manifest
  }

  /// Legacy 1.0 files have no template. In a 1.1 file its absence is the fault, not the pair that would follow.
  private func template(_ root: JSONCursor, schema: String) throws(JSONFault) -> String {
    if schema == "1.1" {
      return try root.required("manifestTemplateVersion", among: Self.rootKeys).string()
    }
    return try root.optional("manifestTemplateVersion")?.string() ?? "1.0"
  }

  private mutating func platforms(_ cursor: JSONCursor) throws(JSONFault) -> [Platform] {
    let known = [Platform.linux, .macOS, .iOS].map(\.name)
    var platforms: [Platform] = []
    for element in try cursor.array() {
      let name = try element.string()
      platforms.append(Platform(name))
      if !known.contains(name), oddities.count < ManifestDecoder.warningLimit,
        let near = NearestName.suggest(for: name, among: known)
      {
        oddities.append(
          element.fault("\(name.quoted()) is no platform known here; did you mean \(near.quoted())?"))
      }
    }
    return platforms
  }

  private mutating func version(_ cursor: JSONCursor) throws(JSONFault) -> SemVer {
    if let text = cursor.value.stringValue {
      // The text may itself be a version: then the object it stands for is the most helpful answer.
      let meant = (try? SemVer.parse(text)) ?? SemVer(major: 1, minor: 0, patch: 0)
      throw cursor.fault(
        "a version is an object, not a string: " + JSONWriter.text(meant.jsonValue))
    }
    var version = SemVer(
      major: try part("major", of: cursor), minor: try part("minor", of: cursor),
      patch: try part("patch", of: cursor))
    if let prerelease = try cursor.optional("prerelease") {
      let text = try prerelease.string()
      if text.isEmpty {
        oddities.append(prerelease.fault("an empty prerelease counts as absent; leave it out"))
      } else {
        version.prerelease = text
      }
    }
    noteUnknownKeys(cursor, besides: Self.versionKeys)
    return version
  }

  /// Negative numbers pass here: they have their place among the validations.
  private func part(_ key: String, of cursor: JSONCursor) throws(JSONFault) -> Int {
    let part = try cursor.required(key, among: Self.versionKeys)
    if let integer = part.value.integerValue, integer < 0 { return Int(integer) }
    return Int(try part.integer(in: 0...Int64(Int32.max)))
  }

  private mutating func requirements(_ cursor: JSONCursor?) throws(JSONFault) -> RuntimeRequirements {
    guard let cursor else { return RuntimeRequirements() }
    var requirements = RuntimeRequirements()
    if let list = try cursor.optional("io") {
      for entry in try list.array() { requirements.io.append(try io(entry)) }
    }
    if let ui = try cursor.optional("ui") { requirements.ui = try self.ui(ui) }
    if let isolation = try cursor.optional("dataIsolation") {
      requirements.dataIsolation = try dataIsolation(isolation)
    }
    noteUnknownKeys(cursor, besides: Self.requirementsKeys)
    return requirements
  }

  private mutating func io(_ cursor: JSONCursor) throws(JSONFault) -> IORequirement {
    let requirement = IORequirement(
      try cursor.required("requirementID", among: Self.ioKeys).string(),
      try cursor.required("kind", among: Self.ioKeys).oneOf(ModuleIOKind.self, called: "an I/O kind"),
      try cursor.required("access", among: Self.ioKeys).oneOf(ModuleIOAccess.self, called: "an access"),
      required: try cursor.required("required", among: Self.ioKeys).bool(),
      description: try cursor.optional("description")?.string())
    noteUnknownKeys(cursor, besides: Self.ioKeys)
    return requirement
  }

  private mutating func ui(_ cursor: JSONCursor) throws(JSONFault) -> UIRequirements {
    let requirements = UIRequirements(
      controlSchemeID: try cursor.optional("controlSchemeID")?.string(),
      layoutID: try cursor.optional("layoutID")?.string(),
      themeIDs: try cursor.optional("themeIDs")?.strings() ?? [],
      viewIDs: try cursor.optional("viewIDs")?.strings() ?? [],
      slotIDs: try cursor.optional("slotIDs")?.strings() ?? [],
      toolbarItemIDs: try cursor.optional("toolbarItemIDs")?.strings() ?? [],
      routeIDs: try cursor.optional("routeIDs")?.strings() ?? [],
      pointerIDs: try cursor.optional("pointerIDs")?.strings() ?? [])
    noteUnknownKeys(cursor, besides: Self.uiKeys)
    return requirements
  }

  private mutating func dataIsolation(_ cursor: JSONCursor) throws(JSONFault) -> DataIsolation {
    let isolation = DataIsolation(
      mode: try cursor.optional("mode")?.oneOf(ModuleDataIsolationMode.self, called: "an isolation mode")
        ?? .privateToModule,
      ownedStoreIDs: try cursor.optional("ownedStoreIDs")?.strings() ?? [],
      requiredDefaultRoles: try cursor.optional("requiredDefaultRoles")?
        .listOf(DefaultModuleRole.self, called: "a role") ?? [])
    noteUnknownKeys(cursor, besides: Self.isolationKeys)
    return isolation
  }

  private mutating func noteUnknownKeys(_ cursor: JSONCursor, besides known: [String]) {
    for member in cursor.unknownMembers(besides: known) {
      if oddities.count < ManifestDecoder.warningLimit {
        oddities.append(cursor.unknownKey(member, besides: known))
      } else {
        unlisted += 1
      }
    }
  }
}
