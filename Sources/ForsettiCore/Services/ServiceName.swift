/// The eleven services, by the name of the capability that each needs (SPEC §4). The number is the wire's.
public enum ServiceName: String, Sendable, Hashable, CaseIterable {
  case networking, storage
  case secureStorage = "secure_storage"
  case fileExport = "file_export"
  case telemetry
  case cryptoUtilities = "crypto_utilities"
  case sharedDatabase = "shared_database"
  case authentication, diagnostics, api, security

  /// The number on the wire, 1 to 11 in the order above; 0 is the runtime itself.
  public var number: UInt8 {
    switch self {
    case .networking: 1
    case .storage: 2
    case .secureStorage: 3
    case .fileExport: 4
    case .telemetry: 5
    case .cryptoUtilities: 6
    case .sharedDatabase: 7
    case .authentication: 8
    case .diagnostics: 9
    case .api: 10
    case .security: 11
    }
  }

  /// The service of a number; `nil` for 0 and for numbers of no service.
  public init?(number: UInt8) {
    guard let name = Self.allCases.first(where: { $0.number == number }) else { return nil }
    self = name
  }

  /// The role whose provider answers it; `nil` for the services that are the host's alone.
  public var role: DefaultModuleRole? { DefaultModuleRole(rawValue: rawValue) }
}

/// What a method does to what it reaches; an I/O entry's access must cover it (SPEC §4).
public enum AccessClass: String, Sendable, Hashable, CaseIterable {
  case read, write
  /// Needs both.
  case readWrite = "read_write"
  case emit
  /// Covered by `read` as well as by `consume`.
  case consume
  /// No I/O kind has this service: the grant alone decides.
  case grant
}
