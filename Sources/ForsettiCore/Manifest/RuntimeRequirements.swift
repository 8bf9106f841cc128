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
