public import ForsettiCore

/// The modules that measurements run in: one value for both sides, so that the manifest on disk is the module's own.
public enum BenchModule: Sendable, Hashable {
  /// Does nothing, not even at its start.
  case resting
  /// Does nothing, once it has answered.
  case idle(Int)
  /// Calls services of the host and of the provider.
  case caller
  /// Provides the api role.
  case provider
  /// Publishes events.
  case publisher
  /// Checks the publisher's events.
  case subscriber(Int)
  /// Calls a service each millisecond, asked by nobody, and logs how long that took.
  case pacer

  /// How many idle modules the host knows.
  public static let mostIdle = 1000
  /// How many subscribers the host knows.
  public static let mostSubscribers = 100

  /// The most idle modules and subscribers of an ordinary host, whose registry is no larger than a product's.
  public static let few = 10
  /// The end of the path by which a host is started that knows all.
  public static let manySuffix = "-many"
  /// The end of the path of one that stands in the product's place, before the real supervisor; it knows all, too.
  public static let standInSuffix = "/forsetti-module-host"

  /// What the host knows.
  public static func all(many: Bool) -> [BenchModule] {
    [.resting, .caller, .provider, .publisher, .pacer]
      + (0..<(many ? mostSubscribers : few)).map { .subscriber($0) }
      + (0..<(many ? mostIdle : few)).map { .idle($0) }
  }

  /// The type of the publisher's events.
  public static let eventType = "com.forsetti.bench.publisher.tick"

  /// The path of the provider's call that is never answered.
  public static let hangingPath = "/hang"

  /// Events that are published before they are waited for.
  public static let eventBatch = 500

  /// Its key in the host's registry.
  public var entryPoint: String {
    switch self {
    case .resting: "Resting"
    case .idle(let index): "Idle\(index)"
    case .caller: "Caller"
    case .provider: "Provider"
    case .publisher: "Publisher"
    case .subscriber(let index): "Subscriber\(index)"
    case .pacer: "Pacer"
    }
  }

  /// Its ID.
  public var moduleID: String {
    switch self {
    case .resting: "com.forsetti.bench.resting"
    case .idle(let index): "com.forsetti.bench.idle-\(index)"
    case .caller: "com.forsetti.bench.caller"
    case .provider: "com.forsetti.bench.provider"
    case .publisher: "com.forsetti.bench.publisher"
    case .subscriber(let index): "com.forsetti.bench.subscriber-\(index)"
    case .pacer: "com.forsetti.bench.pacer"
    }
  }

  /// What it asks of the policy: storage carries commands and results.
  public var capabilities: [Capability] {
    switch self {
    case .resting: []
    case .caller: [.storage, .cryptoUtilities, .api]
    case .provider: [.storage, .api]
    case .idle, .publisher, .subscriber: [.storage]
    case .pacer: [.storage, .cryptoUtilities]
    }
  }

  /// Its manifest.
  public var manifest: ModuleManifest {
    var io: [IORequirement] = []
    if capabilities.contains(.storage) {
      io.append(IORequirement("control", .storage, .readWrite, required: true))
    }
    if capabilities.contains(.api) { io.append(IORequirement("echo", .api, .execute, required: true)) }
    return ModuleManifest(
      moduleID: moduleID, displayName: entryPoint, moduleVersion: SemVer(major: 1, minor: 0, patch: 0),
      moduleType: .service, supportedPlatforms: [.linux],
      minForsettiVersion: SemVer(major: 0, minor: 2, patch: 0), capabilitiesRequested: capabilities,
      entryPoint: entryPoint, defaultModuleRole: self == .provider ? .api : nil,
      runtimeRequirements: RuntimeRequirements(io: io))
  }
}
