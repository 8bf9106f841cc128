/// A module's activation contract (seed "Module Model and Manifests"; SPEC §1).
public struct ModuleManifest: Sendable, Hashable {
  public var schemaVersion: String
  public var manifestTemplateVersion: String
  public var moduleID: String
  public var displayName: String
  public var moduleVersion: SemVer
  public var moduleType: ModuleType
  public var supportedPlatforms: [Platform]
  public var minForsettiVersion: SemVer
  public var maxForsettiVersion: SemVer?
  public var capabilitiesRequested: [Capability]
  public var iapProductID: String?
  public var entryPoint: String
  public var defaultModuleRole: DefaultModuleRole?
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
  public var moduleID: String
  public var displayName: String
  public var moduleVersion: SemVer
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
  public var name: String

  /// Makes a platform of any name.
  public init(_ name: String) { self.name = name }

  public static let iOS = Platform("iOS")
  public static let macOS = Platform("macOS")
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
  public var io: [IORequirement]
  public var ui: UIRequirements?
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
  public var requirementID: String
  public var kind: ModuleIOKind
  public var access: ModuleIOAccess
  public var required: Bool
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
  public var controlSchemeID: String?
  public var layoutID: String?
  public var themeIDs: [String]
  public var viewIDs: [String]
  public var slotIDs: [String]
  public var toolbarItemIDs: [String]
  public var routeIDs: [String]
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
  public var mode: ModuleDataIsolationMode
  public var ownedStoreIDs: [String]
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
