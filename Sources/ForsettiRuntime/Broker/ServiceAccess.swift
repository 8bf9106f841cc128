public import ForsettiCore

/// What one module may do with each service, from its grants and the I/O entries of its manifest (SPEC §4).
/// Made once per activation, asked for every call.
public struct ServiceAccess: Sendable, Hashable {
  /// What a module may do with one service.
  private enum Rights: Sendable, Hashable {
    case notGranted
    /// Granted, and a template 1.1 manifest has no entry for it.
    case undeclared
    /// Granted, and no entry is needed: no I/O kind has the service, or the manifest is of template 1.0.
    case all
    case entries(Covered)
  }

  /// What the entries of one kind cover together.
  private struct Covered: OptionSet, Hashable {
    let rawValue: UInt8
    static let read = Covered(rawValue: 1)
    static let write = Covered(rawValue: 2)
    static let emit = Covered(rawValue: 4)
    static let consume = Covered(rawValue: 8)
    /// Every method of the services whose methods are verbs.
    static let execute = Covered(rawValue: 16)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ access: ModuleIOAccess) {
      switch access {
      case .read: self = .read
      case .write: self = .write
      case .readWrite: self = [.read, .write]
      case .execute: self = .execute
      case .emit: self = .emit
      case .consume: self = .consume
      }
    }
  }

  /// By the service's number; 0 is nobody's.
  private let rights: [Rights]

  /// Works out the access of a module.
  public init(manifest: ModuleManifest, grants: Set<Capability>) {
    var rights = [Rights](repeating: .notGranted, count: ServiceName.allCases.count + 1)
    for service in grants.compactMap(\.service) {
      rights[Int(service.number)] = Self.rights(to: service, by: manifest)
    }
    self.rights = rights
  }

  private static func rights(to service: ServiceName, by manifest: ModuleManifest) -> Rights {
    guard let kind = ModuleIOKind(rawValue: service.rawValue) else { return .all }
    let entries = manifest.runtimeRequirements.io.filter { $0.kind == kind }
    guard !entries.isEmpty else { return manifest.manifestTemplateVersion == "1.0" ? .all : .undeclared }
    return .entries(entries.reduce(into: []) { $0.formUnion(Covered($1.access)) })
  }

  /// Why a method of this access class is denied; `nil` where it is allowed.
  public func denial(of service: ServiceName, _ access: AccessClass) -> ServiceError.Denial? {
    switch rights[Int(service.number)] {
    case .notGranted: .notGranted
    case .undeclared: .undeclared
    case .all: nil
    case .entries(let covered): Self.covers(covered, access, of: service) ? nil : .access
    }
  }

  private static func covers(_ covered: Covered, _ access: AccessClass, of service: ServiceName) -> Bool {
    if covered.contains(.execute), service == .networking || service == .api { return true }
    return switch access {
    case .read: covered.contains(.read)
    case .write: covered.contains(.write)
    case .readWrite: covered.isSuperset(of: [.read, .write])
    case .emit: covered.contains(.emit)
    case .consume: !covered.isDisjoint(with: [.consume, .read])
    case .grant: true
    }
  }
}
