import ForsettiCore

// The manifest travels as a CBOR map that mirrors its JSON form: the same keys and raw values, absent where JSON may
// be absent, in deterministic order. What the file format leaves out by default is always present here.

extension CBORWriter {
  mutating func optionalText(_ key: StaticString, _ value: String?) throws(CBORError) {
    guard let value else { return }
    self.key(key)
    try text(value, limit: ProtocolLimits.text)
  }

  mutating func text(_ key: StaticString, _ value: String) throws(CBORError) {
    self.key(key)
    try text(value, limit: ProtocolLimits.text)
  }

  mutating func version(_ version: SemVer) throws(CBORError) {
    map(count: version.prerelease == nil ? 3 : 4)
    key("major")
    try integer(version.major, in: ProtocolLimits.versionPart)
    key("minor")
    try integer(version.minor, in: ProtocolLimits.versionPart)
    key("patch")
    try integer(version.patch, in: ProtocolLimits.versionPart)
    try optionalText("prerelease", version.prerelease)
  }

  mutating func descriptor(_ descriptor: ModuleDescriptor) throws(CBORError) {
    map(count: 4)
    try text("moduleID", descriptor.moduleID)
    key("moduleType")
    try choice(descriptor.moduleType)
    try text("displayName", descriptor.displayName)
    key("moduleVersion")
    try version(descriptor.moduleVersion)
  }

  mutating func manifest(_ manifest: ModuleManifest) throws(CBORError) {
    let optional = [
      manifest.iapProductID != nil, manifest.defaultModuleRole != nil, manifest.maxForsettiVersion != nil,
    ]
    map(count: 11 + optional.count { $0 })
    try text("moduleID", manifest.moduleID)
    try text("entryPoint", manifest.entryPoint)
    key("moduleType")
    try choice(manifest.moduleType)
    try text("displayName", manifest.displayName)
    try optionalText("iapProductID", manifest.iapProductID)
    key("moduleVersion")
    try version(manifest.moduleVersion)
    try text("schemaVersion", manifest.schemaVersion)
    if let role = manifest.defaultModuleRole {
      key("defaultModuleRole")
      try choice(role)
    }
    if let highest = manifest.maxForsettiVersion {
      key("maxForsettiVersion")
      try version(highest)
    }
    key("minForsettiVersion")
    try version(manifest.minForsettiVersion)
    key("supportedPlatforms")
    try texts(manifest.supportedPlatforms.map(\.name))
    key("runtimeRequirements")
    try requirements(manifest.runtimeRequirements)
    key("capabilitiesRequested")
    try array(manifest.capabilitiesRequested) { (writer, item) throws(CBORError) in try writer.choice(item) }
    try text("manifestTemplateVersion", manifest.manifestTemplateVersion)
  }

  private mutating func requirements(_ requirements: RuntimeRequirements) throws(CBORError) {
    map(count: requirements.ui == nil ? 2 : 3)
    key("io")
    try array(requirements.io) { (writer, item) throws(CBORError) in try writer.ioRequirement(item) }
    if let ui = requirements.ui {
      key("ui")
      try uiRequirements(ui)
    }
    key("dataIsolation")
    map(count: 3)
    key("mode")
    try choice(requirements.dataIsolation.mode)
    key("ownedStoreIDs")
    try texts(requirements.dataIsolation.ownedStoreIDs)
    key("requiredDefaultRoles")
    try array(requirements.dataIsolation.requiredDefaultRoles) { (writer, item) throws(CBORError) in
      try writer.choice(item)
    }
  }

  private mutating func ioRequirement(_ requirement: IORequirement) throws(CBORError) {
    map(count: requirement.description == nil ? 4 : 5)
    key("kind")
    try choice(requirement.kind)
    key("access")
    try choice(requirement.access)
    key("required")
    bool(requirement.required)
    try optionalText("description", requirement.description)
    try text("requirementID", requirement.requirementID)
  }

  private mutating func uiRequirements(_ ui: UIRequirements) throws(CBORError) {
    map(count: 6 + [ui.layoutID != nil, ui.controlSchemeID != nil].count { $0 })
    key("slotIDs")
    try texts(ui.slotIDs)
    key("viewIDs")
    try texts(ui.viewIDs)
    try optionalText("layoutID", ui.layoutID)
    key("routeIDs")
    try texts(ui.routeIDs)
    key("themeIDs")
    try texts(ui.themeIDs)
    key("pointerIDs")
    try texts(ui.pointerIDs)
    key("toolbarItemIDs")
    try texts(ui.toolbarItemIDs)
    try optionalText("controlSchemeID", ui.controlSchemeID)
  }
}

extension CBORReader {
  mutating func text(_ key: StaticString, _ fields: inout CBORFields) throws(CBORError) -> String {
    try field(key, &fields)
    return try text(limit: ProtocolLimits.text)
  }

  mutating func optionalText(_ key: StaticString, _ fields: inout CBORFields) throws(CBORError) -> String? {
    try optionalField(key, &fields) ? try text(limit: ProtocolLimits.text) : nil
  }

  mutating func array<Item>(
    _ key: StaticString, _ fields: inout CBORFields, _ read: (inout CBORReader) throws(CBORError) -> Item
  ) throws(CBORError) -> [Item] {
    try field(key, &fields)
    let count = try arrayCount(limit: ProtocolLimits.items)
    var items: [Item] = []
    items.reserveCapacity(count)
    for _ in 0..<count { items.append(try read(&self)) }
    return items
  }

  mutating func texts(_ key: StaticString, _ fields: inout CBORFields) throws(CBORError) -> [String] {
    try array(key, &fields) { (reader) throws(CBORError) in try reader.text(limit: ProtocolLimits.text) }
  }

  mutating func choice<Value: RawRepresentable>(
    _ key: StaticString, _ fields: inout CBORFields
  ) throws(CBORError) -> Value where Value.RawValue == String {
    try field(key, &fields)
    return try choice()
  }

  mutating func choices<Value: RawRepresentable>(
    _ key: StaticString, _ fields: inout CBORFields
  ) throws(CBORError) -> [Value] where Value.RawValue == String {
    try array(key, &fields) { (reader) throws(CBORError) in try reader.choice() }
  }

  mutating func version() throws(CBORError) -> SemVer {
    var fields = try fields()
    try field("major", &fields)
    let major = try integer(in: ProtocolLimits.versionPart)
    try field("minor", &fields)
    let minor = try integer(in: ProtocolLimits.versionPart)
    try field("patch", &fields)
    let patch = try integer(in: ProtocolLimits.versionPart)
    let start = offset
    let prerelease = try optionalText("prerelease", &fields)
    // The value would lose it, and with it the one encoding.
    if prerelease == "" { throw CBORError(.inconsistent("an empty prerelease, which is none"), at: start) }
    try end(fields)
    return SemVer(major: Int(major), minor: Int(minor), patch: Int(patch), prerelease: prerelease)
  }

  mutating func version(_ key: StaticString, _ fields: inout CBORFields) throws(CBORError) -> SemVer {
    try field(key, &fields)
    return try version()
  }

  mutating func descriptor() throws(CBORError) -> ModuleDescriptor {
    var fields = try fields()
    let moduleID = try text("moduleID", &fields)
    let moduleType: ModuleType = try choice("moduleType", &fields)
    let displayName = try text("displayName", &fields)
    let moduleVersion = try version("moduleVersion", &fields)
    try end(fields)
    return ModuleDescriptor(
      moduleID: moduleID, displayName: displayName, moduleVersion: moduleVersion, moduleType: moduleType)
  }

  mutating func manifest() throws(CBORError) -> ModuleManifest {
    var fields = try fields()
    let moduleID = try text("moduleID", &fields)
    let entryPoint = try text("entryPoint", &fields)
    let moduleType: ModuleType = try choice("moduleType", &fields)
    let displayName = try text("displayName", &fields)
    let iapProductID = try optionalText("iapProductID", &fields)
    let moduleVersion = try version("moduleVersion", &fields)
    let schemaVersion = try text("schemaVersion", &fields)
    let role: DefaultModuleRole? = try optionalField("defaultModuleRole", &fields) ? try choice() : nil
    let highest = try optionalField("maxForsettiVersion", &fields) ? try version() : nil
    let lowest = try version("minForsettiVersion", &fields)
    let platforms = try texts("supportedPlatforms", &fields)
    try field("runtimeRequirements", &fields)
    let requirements = try requirements()
    let capabilities: [Capability] = try choices("capabilitiesRequested", &fields)
    let template = try text("manifestTemplateVersion", &fields)
    try end(fields)
    return ModuleManifest(
      schemaVersion: schemaVersion, manifestTemplateVersion: template, moduleID: moduleID,
      displayName: displayName, moduleVersion: moduleVersion, moduleType: moduleType,
      supportedPlatforms: platforms.map { Platform($0) }, minForsettiVersion: lowest,
      maxForsettiVersion: highest, capabilitiesRequested: capabilities, iapProductID: iapProductID,
      entryPoint: entryPoint, defaultModuleRole: role, runtimeRequirements: requirements)
  }

  private mutating func requirements() throws(CBORError) -> RuntimeRequirements {
    var fields = try fields()
    let io = try array("io", &fields) { (reader) throws(CBORError) in try reader.ioRequirement() }
    let ui = try optionalField("ui", &fields) ? try uiRequirements() : nil
    try field("dataIsolation", &fields)
    var isolation = try self.fields()
    let mode: ModuleDataIsolationMode = try choice("mode", &isolation)
    let stores = try texts("ownedStoreIDs", &isolation)
    let roles: [DefaultModuleRole] = try choices("requiredDefaultRoles", &isolation)
    try end(isolation)
    try end(fields)
    return RuntimeRequirements(
      io: io, ui: ui,
      dataIsolation: DataIsolation(mode: mode, ownedStoreIDs: stores, requiredDefaultRoles: roles))
  }

  private mutating func ioRequirement() throws(CBORError) -> IORequirement {
    var fields = try fields()
    let kind: ModuleIOKind = try choice("kind", &fields)
    let access: ModuleIOAccess = try choice("access", &fields)
    try field("required", &fields)
    let required = try bool()
    let description = try optionalText("description", &fields)
    let requirementID = try text("requirementID", &fields)
    try end(fields)
    return IORequirement(requirementID, kind, access, required: required, description: description)
  }

  private mutating func uiRequirements() throws(CBORError) -> UIRequirements {
    var fields = try fields()
    var ui = UIRequirements()
    ui.slotIDs = try texts("slotIDs", &fields)
    ui.viewIDs = try texts("viewIDs", &fields)
    ui.layoutID = try optionalText("layoutID", &fields)
    ui.routeIDs = try texts("routeIDs", &fields)
    ui.themeIDs = try texts("themeIDs", &fields)
    ui.pointerIDs = try texts("pointerIDs", &fields)
    ui.toolbarItemIDs = try texts("toolbarItemIDs", &fields)
    ui.controlSchemeID = try optionalText("controlSchemeID", &fields)
    try end(fields)
    return ui
  }
}
