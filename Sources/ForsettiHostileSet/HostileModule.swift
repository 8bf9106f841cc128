public import ForsettiCore

// The module a case runs as: one value for both sides, so that the manifest on disk is the module's own.
extension HostileCase {
  /// What every module ID of the suite begins with.
  public static let prefix = "crashtest."

  /// The module's ID.
  public var moduleID: String { Self.prefix + name }

  /// Its key in the hostile host's registry.
  public var entryPoint: String { "case." + name.replacing("-", with: "_") }

  /// The capabilities it asks for, and the only ones it may be granted.
  public var capabilities: [Capability] {
    needs.map(\.kind.capability) + (role?.capability.map { [$0] } ?? [])
  }

  /// Its manifest.
  public var manifest: ModuleManifest {
    ModuleManifest(
      moduleID: moduleID, displayName: name, moduleVersion: SemVer(major: 1, minor: 0, patch: 0),
      moduleType: .service, supportedPlatforms: [.linux],
      minForsettiVersion: SemVer(major: 0, minor: 2, patch: 0), capabilitiesRequested: capabilities,
      entryPoint: entryPoint, defaultModuleRole: role, runtimeRequirements: RuntimeRequirements(io: needs))
  }

  /// The event by which an active module is told to do it.
  public var triggerEvent: String { moduleID + ".go" }

  /// The event in which it says what it got, under the key `text`.
  public var resultEvent: String { moduleID + ".result" }
}
