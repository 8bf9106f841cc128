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

/// A permission-like declaration, granted or denied by policy (seed "Capabilities").
public enum Capability: String, Sendable, Hashable, CaseIterable {
  case networking, storage
  case secureStorage = "secure_storage"
  case fileExport = "file_export"
  case cryptoUtilities = "crypto_utilities"
  case telemetry
  case routingOverlay = "routing_overlay"
  case uiThemeMask = "ui_theme_mask"
  case toolbarItems = "toolbar_items"
  case viewInjection = "view_injection"
  case sharedDatabase = "shared_database"
  case authentication, diagnostics, api, security
}

/// A named provider role (seed "Default Module Roles").
public enum DefaultModuleRole: String, Sendable, Hashable, CaseIterable {
  case ui
  case sharedDatabase = "shared_database"
  case authentication, diagnostics, api, security

  /// The capability of the same name; `ui` needs none.
  public var capability: Capability? { Capability(rawValue: rawValue) }

  /// Whether a module of this type may declare the role.
  public func isValid(for type: ModuleType) -> Bool {
    self == .ui ? type != .service : type == .service
  }
}

/// What a module needs from the runtime before it can start.
public struct RuntimeRequirements: Sendable, Hashable {
  /// I/O surfaces it uses.
  public var io: [IORequirement]
  /// UI it will contribute; an empty block is not the same as none.
  public var ui: UIRequirements?
  /// How its data is kept apart.
  public var dataIsolation: DataIsolation

  /// Makes requirements; the defaults are the safe legacy ones.
  public init(io: [IORequirement] = [], ui: UIRequirements? = nil, dataIsolation: DataIsolation = .init()) {
    self.io = io
    self.ui = ui
    self.dataIsolation = dataIsolation
  }
}

/// One I/O surface a module uses.
public struct IORequirement: Sendable, Hashable {
  /// ID, unique within the manifest.
  public var requirementID: String
  /// The service family.
  public var kind: ModuleIOKind
  /// The intended use.
  public var access: ModuleIOAccess
  /// Whether the module can't run without it.
  public var required: Bool
  /// Text for people.
  public var description: String?

  /// Makes a requirement.
  public init(
    _ requirementID: String, _ kind: ModuleIOKind, _ access: ModuleIOAccess, required: Bool,
    description: String? = nil
  ) {
    self.requirementID = requirementID
    self.kind = kind
    self.access = access
    self.required = required
    self.description = description
  }
}

/// A service family that an I/O requirement names.
public enum ModuleIOKind: String, Sendable, Hashable, CaseIterable {
  case networking, storage
  case secureStorage = "secure_storage"
  case fileExport = "file_export"
  case telemetry
  case sharedDatabase = "shared_database"
  case authentication, diagnostics, api, security

  /// The capability of the same name.
  public var capability: Capability {
    switch self {
    case .networking: .networking
    case .storage: .storage
    case .secureStorage: .secureStorage
    case .fileExport: .fileExport
    case .telemetry: .telemetry
    case .sharedDatabase: .sharedDatabase
    case .authentication: .authentication
    case .diagnostics: .diagnostics
    case .api: .api
    case .security: .security
    }
  }
}

/// The intended use of an I/O surface.
public enum ModuleIOAccess: String, Sendable, Hashable, CaseIterable {
  case read, write
  case readWrite = "read_write"
  case execute, emit, consume
}

/// The UI identifiers a module will contribute.
public struct UIRequirements: Sendable, Hashable {
  /// Control scheme the module is made for.
  public var controlSchemeID: String?
  /// Layout the module is made for.
  public var layoutID: String?
  /// Theme masks it may contribute.
  public var themeIDs: [String]
  /// Views it may contribute.
  public var viewIDs: [String]
  /// Slots of the host it may fill.
  public var slotIDs: [String]
  /// Toolbar items it may contribute.
  public var toolbarItemIDs: [String]
  /// Routes it may contribute or open.
  public var routeIDs: [String]
  /// Pointers it may contribute or follow.
  public var pointerIDs: [String]

  /// Makes a declaration; everything absent is empty.
  public init(
    controlSchemeID: String? = nil, layoutID: String? = nil, themeIDs: [String] = [], viewIDs: [String] = [],
    slotIDs: [String] = [], toolbarItemIDs: [String] = [], routeIDs: [String] = [], pointerIDs: [String] = []
  ) {
    self.controlSchemeID = controlSchemeID
    self.layoutID = layoutID
    self.themeIDs = themeIDs
    self.viewIDs = viewIDs
    self.slotIDs = slotIDs
    self.toolbarItemIDs = toolbarItemIDs
    self.routeIDs = routeIDs
    self.pointerIDs = pointerIDs
  }
}

/// How a module's data is kept apart.
public struct DataIsolation: Sendable, Hashable {
  /// Private or shared through the framework.
  public var mode: ModuleDataIsolationMode
  /// Stores that are its own.
  public var ownedStoreIDs: [String]
  /// Roles that must have a provider.
  public var requiredDefaultRoles: [DefaultModuleRole]

  /// Makes a declaration; the default is private.
  public init(
    mode: ModuleDataIsolationMode = .privateToModule, ownedStoreIDs: [String] = [],
    requiredDefaultRoles: [DefaultModuleRole] = []
  ) {
    self.mode = mode
    self.ownedStoreIDs = ownedStoreIDs
    self.requiredDefaultRoles = requiredDefaultRoles
  }
}

/// Whether a module's data is its own or shared through the framework.
public enum ModuleDataIsolationMode: String, Sendable, Hashable, CaseIterable {
  case privateToModule = "private_to_module"
  case frameworkMediatedShared = "framework_mediated_shared"
}
