/// Checks whether this host can run a module: every check runs and every finding is reported, in the order of
/// SPEC §2. It asks a policy for decisions and knows nothing of its file.
public struct CompatibilityChecker: Sendable {
  /// The host's own platform.
  public var platform: Platform
  /// Platforms the policy says this host stands in for (`host.standsInFor`).
  public var standsInFor: [Platform]
  /// The framework version that a manifest's bounds are compared with; both bounds are inclusive.
  public var frameworkVersion: SemVer

  /// Makes a checker; the default is this build on Linux, standing in for nothing.
  public init(
    platform: Platform = .linux, standsInFor: [Platform] = [],
    frameworkVersion: SemVer = ForsettiVersion.current
  ) {
    self.platform = platform
    self.standsInFor = standsInFor
    self.frameworkVersion = frameworkVersion
  }

  /// Checks one module.
  public func check(_ manifest: ModuleManifest, policy: some CapabilityPolicy) -> CompatibilityReport {
    CompatibilityReport(
      moduleID: manifest.moduleID,
      issues: schemaIssues(manifest) + platformIssues(manifest) + versionIssues(manifest)
        + manifest.capabilitiesRequested.compactMap { capability in
          Self.issue(
            of: capability, policy.decision(moduleID: manifest.moduleID, capability: capability))
        })
  }

  private func schemaIssues(_ manifest: ModuleManifest) -> [CompatibilityIssue] {
    let schema = manifest.schemaVersion
    let template = manifest.manifestTemplateVersion
    let schemas = ManifestValidator.supportedSchemas
    let templates = ManifestValidator.supportedTemplates
    var issues: [CompatibilityIssue] = []
    if !schemas.contains(schema) {
      issues.append(
        .error(
          .invalidSchemaVersion,
          "schemaVersion \(schema.quoted()) is not supported; supported: \(schemas.joined(separator: ", "))"))
    }
    if !templates.contains(template) {
      issues.append(
        .error(
          .invalidManifestTemplateVersion,
          "manifestTemplateVersion \(template.quoted()) is not supported; supported: "
            + templates.joined(separator: ", ")))
    } else if schema == "1.1", template != "1.1" {
      issues.append(
        .error(
          .invalidManifestTemplateVersion,
          "schemaVersion 1.1 needs manifestTemplateVersion 1.1, not \(template)"))
    }
    return issues
  }

  private func platformIssues(_ manifest: ModuleManifest) -> [CompatibilityIssue] {
    let supported = manifest.supportedPlatforms
    if supported.contains(platform) { return [] }
    if let stoodInFor = standsInFor.first(where: supported.contains) {
      return [
        CompatibilityIssue(
          code: .unsupportedPlatform, severity: .info,
          message: "\(platform.name) stands in for \(stoodInFor.name), as the policy's host.standsInFor says")
      ]
    }
    let names = supported.map { $0.name.quoted() }.joined(separator: ", ")
    return [
      .error(
        .unsupportedPlatform,
        "it is made for \(names.isEmpty ? "no platform" : names), this host is \(platform.name); add it to "
          + "supportedPlatforms, or let the policy stand in (host.standsInFor)")
    ]
  }

  private func versionIssues(_ manifest: ModuleManifest) -> [CompatibilityIssue] {
    var issues: [CompatibilityIssue] = []
    if manifest.minForsettiVersion > frameworkVersion {
      issues.append(
        .error(
          .unsupportedForsettiVersion,
          "it needs Forsetti \(manifest.minForsettiVersion.description.plain()) or later, this is "
            + "\(frameworkVersion); update Forsetti"))
    }
    if let highest = manifest.maxForsettiVersion, highest < frameworkVersion {
      issues.append(
        .error(
          .unsupportedForsettiVersion,
          "it runs on Forsetti up to \(highest.description.plain()), this is \(frameworkVersion); "
            + "update the module"))
    }
    return issues
  }

  private static func issue(of capability: Capability, _ decision: CapabilityDecision) -> CompatibilityIssue?
  {
    switch decision {
    case .granted: nil
    case .denied(let reason, let source):
      .error(.capabilityDenied, "\(capability.rawValue): \(reason.plain()) (\(source.plain()))")
    case .optionalDenied(let reason, let source):
      CompatibilityIssue(
        code: .capabilityDenied, severity: .warning,
        message: "\(capability.rawValue), optional, is left out: \(reason.plain()) (\(source.plain()))")
    }
  }
}

extension CompatibilityIssue {
  fileprivate static func error(_ code: Code, _ message: String) -> CompatibilityIssue {
    CompatibilityIssue(code: code, severity: .error, message: message)
  }
}
