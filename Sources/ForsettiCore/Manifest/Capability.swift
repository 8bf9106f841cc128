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

  /// The service that is denied without it; `nil` for what lets a module do something else than call.
  public var service: ServiceName? { ServiceName(rawValue: rawValue) }
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
