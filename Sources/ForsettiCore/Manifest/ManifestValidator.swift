/// The rules a decoded manifest must keep, in SPEC §1's order; the first broken one is reported.
enum ManifestValidator {
  /// Schema versions this framework reads.
  static let supportedSchemas = ["1.0", "1.1"]
  /// Template versions this framework reads.
  static let supportedTemplates = ["1.0", "1.1"]

  /// A broken rule: pointer to the value at fault, and what is wrong with it.
  typealias Fault = (pointer: String, reason: String)

  /// The first broken rule, `nil` for a valid manifest.
  static func firstFault(of manifest: ModuleManifest) -> Fault? {
    for rule in rules {
      if let fault = rule(manifest) { return fault }
    }
    return nil
  }

  private static let rules: [@Sendable (ModuleManifest) -> Fault?] = [
    blank, moduleID, entryPoint, schema, platforms, versions, capabilities, role, uiBlock, io, identifiers,
    texts, productID, prereleases,
  ]

  private static func blank(_ manifest: ModuleManifest) -> Fault? {
    let texts = [
      ("schemaVersion", manifest.schemaVersion), ("moduleID", manifest.moduleID),
      ("displayName", manifest.displayName), ("entryPoint", manifest.entryPoint),
    ]
    return texts.first { $0.1.isBlank }.map { ("/\($0.0)", "\($0.0) is blank") }
  }

  private static func moduleID(_ manifest: ModuleManifest) -> Fault? {
    let id = manifest.moduleID
    let pointer = "/moduleID"
    let bytes = Array(id.utf8)
    guard bytes.allSatisfy({ $0 < 0x80 }) else { return (pointer, "moduleID \(id.quoted()) is not ASCII") }
    let segments = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard segments.count >= 2 else {
      return (pointer, "moduleID \(id.quoted()) needs two segments or more, as in \"com.example.module\"")
    }
    for (index, segment) in segments.enumerated() {
      let mayHyphen = index > 0
      let isGood =
        segment.first.map(isLetter) == true
        && segment.allSatisfy { isLetter($0) || isDigit($0) || (mayHyphen && $0 == UInt8(ascii: "-")) }
      guard isGood else {
        let allowed = mayHyphen ? "letters, digits or hyphens" : "letters or digits"
        return (
          pointer, "moduleID \(id.quoted()): segment \(index + 1) must be a letter, then \(allowed)"
        )
      }
    }
    if id.lowercased().hasPrefix("forsetti.") {
      return (pointer, "moduleID \(id.quoted()): \"forsetti.\" is reserved for the framework")
    }
    return nil
  }

  private static func entryPoint(_ manifest: ModuleManifest) -> Fault? {
    let text = manifest.entryPoint
    let bytes = Array(text.utf8)
    let dot = UInt8(ascii: ".")
    let underscore = UInt8(ascii: "_")
    let isGood =
      bytes.first.map { isLetter($0) || $0 == underscore } == true
      && bytes.allSatisfy { isLetter($0) || isDigit($0) || $0 == underscore || $0 == dot }
      && !bytes.split(separator: dot, omittingEmptySubsequences: false).contains(where: \.isEmpty)
    if isGood { return nil }
    return (
      "/entryPoint",
      "entryPoint \(text.quoted()) must be a letter or \"_\", then letters, digits, \"_\" or \".\" without an empty part"
    )
  }

  private static func schema(_ manifest: ModuleManifest) -> Fault? {
    let schema = manifest.schemaVersion
    guard supportedSchemas.contains(schema) else {
      return ("/schemaVersion", unsupported("schemaVersion", schema, supportedSchemas))
    }
    let template = manifest.manifestTemplateVersion
    guard supportedTemplates.contains(template) else {
      return (
        "/manifestTemplateVersion", unsupported("manifestTemplateVersion", template, supportedTemplates)
      )
    }
    if schema == "1.1", template != "1.1" {
      return (
        "/manifestTemplateVersion", "schemaVersion 1.1 needs manifestTemplateVersion 1.1, not \(template)"
      )
    }
    return nil
  }

  private static func unsupported(_ name: String, _ value: String, _ supported: [String]) -> String {
    "\(name) \(value.quoted()) is not supported; supported: \(supported.joined(separator: ", "))"
  }

  private static func platforms(_ manifest: ModuleManifest) -> Fault? {
    let platforms = manifest.supportedPlatforms
    if platforms.isEmpty { return ("/supportedPlatforms", "supportedPlatforms is empty") }
    return duplicate(platforms.map(\.name), at: "/supportedPlatforms")
  }

  private static func namedVersions(_ manifest: ModuleManifest) -> [(String, SemVer)] {
    [("moduleVersion", manifest.moduleVersion), ("minForsettiVersion", manifest.minForsettiVersion)]
      + (manifest.maxForsettiVersion.map { [("maxForsettiVersion", $0)] } ?? [])
  }

  private static func versions(_ manifest: ModuleManifest) -> Fault? {
    for (name, version) in namedVersions(manifest) {
      let parts = [("major", version.major), ("minor", version.minor), ("patch", version.patch)]
      if let (part, value) = parts.first(where: { $0.1 < 0 }) {
        return ("/\(name)/\(part)", "\(name).\(part) is \(value); a version part is not negative")
      }
    }
    if let highest = manifest.maxForsettiVersion, highest < manifest.minForsettiVersion {
      return (
        "/maxForsettiVersion",
        "maxForsettiVersion \(highest) is below minForsettiVersion \(manifest.minForsettiVersion)"
      )
    }
    return nil
  }

  private static func capabilities(_ manifest: ModuleManifest) -> Fault? {
    duplicate(manifest.capabilitiesRequested.map(\.rawValue), at: "/capabilitiesRequested")
  }

  private static func role(_ manifest: ModuleManifest) -> Fault? {
    guard let role = manifest.defaultModuleRole else { return nil }
    return roleFault(role, manifest).map { ("/defaultModuleRole", $0) }
  }

  /// Why a module may not declare the role; the same words at load and at activation.
  static func roleFault(_ role: DefaultModuleRole, _ manifest: ModuleManifest) -> String? {
    if !role.isValid(for: manifest.moduleType) {
      let types = role == .ui ? "ui and app modules" : "service modules"
      return
        "defaultModuleRole \"\(role.rawValue)\" is for \(types), not for moduleType \"\(manifest.moduleType.rawValue)\""
    }
    if let capability = role.capability, !manifest.capabilitiesRequested.contains(capability) {
      return
        "defaultModuleRole \"\(role.rawValue)\" needs \"\(capability.rawValue)\" in capabilitiesRequested"
    }
    return nil
  }

  private static func uiBlock(_ manifest: ModuleManifest) -> Fault? {
    let pointer = "/runtimeRequirements/ui"
    let hasBlock = manifest.runtimeRequirements.ui != nil
    if manifest.moduleType == .service {
      return hasBlock ? (pointer, "service modules have no UI requirements; remove ui") : nil
    }
    if manifest.manifestTemplateVersion == "1.1", !hasBlock {
      return (pointer, "\(manifest.moduleType.rawValue) modules declare runtimeRequirements.ui; {} will do")
    }
    return nil
  }

  private static func io(_ manifest: ModuleManifest) -> Fault? {
    var seen: Set<ScalarText> = []
    for (index, entry) in manifest.runtimeRequirements.io.enumerated() {
      let pointer = "/runtimeRequirements/io/\(index)"
      if entry.requirementID.isBlank { return (pointer + "/requirementID", "requirementID is blank") }
      if !seen.insert(ScalarText(entry.requirementID.trimmedScalars)).inserted {
        return (
          pointer + "/requirementID", "requirementID \(entry.requirementID.quoted()) occurs twice in io"
        )
      }
      if let reason = capabilityFault(entry, manifest) { return (pointer + "/kind", reason) }
    }
    return nil
  }

  /// Why an I/O entry lacks its capability; the same words at load and at activation.
  static func capabilityFault(_ entry: IORequirement, _ manifest: ModuleManifest) -> String? {
    let capability = entry.kind.capability
    if manifest.capabilitiesRequested.contains(capability) { return nil }
    return
      "I/O requirement \(entry.requirementID.quoted()) needs \"\(capability.rawValue)\" in capabilitiesRequested"
  }

  private static func identifiers(_ manifest: ModuleManifest) -> Fault? {
    let requirements = manifest.runtimeRequirements
    for list in requirements.ui?.idLists ?? [] {
      if let fault = names(list.ids, at: "/runtimeRequirements/ui/\(list.key)") { return fault }
    }
    let isolation = requirements.dataIsolation
    let pointer = "/runtimeRequirements/dataIsolation"
    return names(isolation.ownedStoreIDs, at: pointer + "/ownedStoreIDs")
      ?? duplicate(isolation.requiredDefaultRoles.map(\.rawValue), at: pointer + "/requiredDefaultRoles")
  }

  private static func names(_ ids: [String], at pointer: String) -> Fault? {
    if let index = ids.firstIndex(where: \.isBlank) {
      return ("\(pointer)/\(index)", "\(lastStep(pointer)) has a blank member")
    }
    return duplicate(ids, at: pointer)
  }

  private static func duplicate(_ names: [String], at pointer: String) -> Fault? {
    var seen: Set<ScalarText> = []
    for (index, name) in names.enumerated() where !seen.insert(ScalarText(name.trimmedScalars)).inserted {
      return ("\(pointer)/\(index)", "\(lastStep(pointer)) has duplicates: \(name.quoted()) occurs twice")
    }
    return nil
  }

  private static func lastStep(_ pointer: String) -> String {
    pointer.split(separator: "/").last.map(String.init) ?? pointer
  }

  private static func productID(_ manifest: ModuleManifest) -> Fault? {
    guard let product = manifest.iapProductID, product.isBlank else { return nil }
    return ("/iapProductID", "iapProductID is blank; leave it out for a module that needs none")
  }

  private static func prereleases(_ manifest: ModuleManifest) -> Fault? {
    for (name, version) in namedVersions(manifest) {
      if let text = version.prerelease, let reason = SemVer.prereleaseFault(text) {
        return ("/\(name)/prerelease", "\(text.quoted()): \(reason) (SemVer 2.0 §9)")
      }
    }
    return nil
  }

  private static func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
}
