/// A module's activation contract (seed "Module Model and Manifests"; SPEC §1).
public struct ModuleManifest: Sendable, Hashable {
  /// `1.0` or `1.1`.
  public var schemaVersion: String
  /// `1.0` or `1.1`; 1.1 for schema 1.1.
  public var manifestTemplateVersion: String
  /// Reverse-DNS ID, unique without regard to case.
  public var moduleID: String
  /// Name for people.
  public var displayName: String
  /// Version of the module.
  public var moduleVersion: SemVer
  /// What it is.
  public var moduleType: ModuleType
  /// Platforms it is made for.
  public var supportedPlatforms: [Platform]
  /// Lowest framework version, inclusive.
  public var minForsettiVersion: SemVer
  /// Highest framework version, inclusive.
  public var maxForsettiVersion: SemVer?
  /// What it asks of the policy, in its own order.
  public var capabilitiesRequested: [Capability]
  /// Product that unlocks it; `nil` for a free module.
  public var iapProductID: String?
  /// Key of its code in the module host.
  public var entryPoint: String
  /// The provider role it declares.
  public var defaultModuleRole: DefaultModuleRole?
  /// What it needs in order to run.
  public var runtimeRequirements: RuntimeRequirements

  /// Makes a manifest in code; modules state theirs this way. Nothing is validated here.
  public init(
    schemaVersion: String = "1.1", manifestTemplateVersion: String = "1.1", moduleID: String,
    displayName: String, moduleVersion: SemVer, moduleType: ModuleType,
    supportedPlatforms: [Platform], minForsettiVersion: SemVer, maxForsettiVersion: SemVer? = nil,
    capabilitiesRequested: [Capability], iapProductID: String? = nil, entryPoint: String,
    defaultModuleRole: DefaultModuleRole? = nil,
    runtimeRequirements: RuntimeRequirements = RuntimeRequirements()
  ) {
    self.schemaVersion = schemaVersion
    self.manifestTemplateVersion = manifestTemplateVersion
    self.moduleID = moduleID
    self.displayName = displayName
    self.moduleVersion = moduleVersion
    self.moduleType = moduleType
    self.supportedPlatforms = supportedPlatforms
    self.minForsettiVersion = minForsettiVersion
    self.maxForsettiVersion = maxForsettiVersion
    self.capabilitiesRequested = capabilitiesRequested
    self.iapProductID = iapProductID
    self.entryPoint = entryPoint
    self.defaultModuleRole = defaultModuleRole
    self.runtimeRequirements = runtimeRequirements
  }

  /// The identity part that a running module reports of itself.
  public var descriptor: ModuleDescriptor {
    ModuleDescriptor(
      moduleID: moduleID, displayName: displayName, moduleVersion: moduleVersion, moduleType: moduleType)
  }
}

/// Runtime identity snapshot of a module (seed "Modules").
public struct ModuleDescriptor: Sendable, Hashable {
  /// As in the manifest.
  public var moduleID: String
  /// As in the manifest.
  public var displayName: String
  /// As in the manifest.
  public var moduleVersion: SemVer
  /// As in the manifest.
  public var moduleType: ModuleType

  /// Makes a descriptor.
  public init(moduleID: String, displayName: String, moduleVersion: SemVer, moduleType: ModuleType) {
    self.moduleID = moduleID
    self.displayName = displayName
    self.moduleVersion = moduleVersion
    self.moduleType = moduleType
  }
}

/// What a module is: background service, UI contributor, or a whole application.
public enum ModuleType: String, Sendable, Hashable, CaseIterable {
  case service, ui, app
}

/// A platform name. Unknown names are kept: they are simply not this host's platform.
public struct Platform: Sendable, Hashable {
  /// The name as written; case matters.
  public var name: String

  /// Makes a platform of any name.
  public init(_ name: String) { self.name = name }

  /// Apple's phones and tablets.
  public static let iOS = Platform("iOS")
  /// Apple's computers.
  public static let macOS = Platform("macOS")
  /// This host.
  public static let linux = Platform("Linux")
}
