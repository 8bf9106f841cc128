public import ForsettiCore
public import ForsettiIPC

/// The host's own services, by protocol (seed "Service Injection"). Each module gets an adapter of its own, made with
/// what the supervisor knows of it, at its first call.
///
/// An adapter whose work may block is an actor with a thread of its own. What is isolated to no actor runs on the reactor,
/// where everybody waits for it.
public struct ForsettiServiceContainer: Sendable {
  /// What the host has of one service.
  struct Entry: Sendable {
    /// Makes a module's adapter; `nil` where every method is answered at once.
    var make: (@Sendable (ServiceCaller) -> any Sendable)?
    /// By the method's number.
    var methods: [HostMethod?] = []

    fileprivate mutating func set(_ method: HostMethod, _ number: UInt8) {
      while methods.count <= Int(number) { methods.append(nil) }
      methods[Int(number)] = method
    }

    mutating func add<Service: Sendable, Request, Response>(
      _ method: ServiceMethod<Request, Response>, of service: Service.Type,
      _ body: @escaping @Sendable (Service, Request) async throws(ServiceError) -> Response
    ) {
      set(.detached(method, of: service, body), method.number)
    }
  }

  /// By the service's number.
  private var entries = [Entry](repeating: Entry(), count: ServiceName.allCases.count + 1)

  /// Keeps what the supervisor itself has to report, where the host is the provider of diagnostics.
  private(set) var keepReport: (@Sendable (DiagnosticReport) async throws(ServiceError) -> Void)?

  /// Takes spans of calls to a collector, where the policy names one.
  public var spanSink: (any SpanSink)?

  /// Ends what the services have under way, once no module is left that could ask for more.
  private(set) var finish: @Sendable () async -> Void = {}

  /// Makes a container without services.
  public init() {}

  subscript(service: ServiceName) -> Entry { entries[Int(service.number)] }

  /// Numbers that a service's methods have at most.
  private static let methodsPerService = 32

  /// Every method in one table, so that a call costs one look into it however many there are.
  var table: [HostMethod?] {
    entries.flatMap { entry in
      (0..<Self.methodsPerService).map { $0 < entry.methods.count ? entry.methods[$0] : nil }
    }
  }

  /// Where a method is in `table`.
  static func index(of method: MethodInfo) -> Int {
    Int(method.serviceNumber) * methodsPerService + Int(method.number)
  }

  /// The services that something was registered for.
  var services: Set<ServiceName> {
    Set(ServiceName.allCases.filter { !self[$0].methods.isEmpty })
  }

  /// Answers one method at once, on the reactor, in place of what the service's adapter would do: no task, no hop. The
  /// function must never block, for everybody waits for it.
  public mutating func answer<Request, Response>(
    _ method: ServiceMethod<Request, Response>,
    _ body: @escaping @ReactorActor @Sendable (Request, ServiceCaller) throws(ServiceError) -> Response
  ) {
    guard let service = method.service else { return }
    entries[Int(service.number)].set(.immediate(method, body), method.number)
  }

  /// Says where reports of the supervisor itself, and those that waited, go while the host provides diagnostics; their
  /// source is in them. Without it they stay in the diagnostics center.
  public mutating func keepReports(
    _ keep: @escaping @Sendable (DiagnosticReport) async throws(ServiceError) -> Void
  ) {
    keepReport = keep
  }

  /// Says what is to be done at a shutdown, when the last module has ended. It has to come to an end by itself.
  public mutating func atShutdown(_ finish: @escaping @Sendable () async -> Void) { self.finish = finish }

  /// Puts an adapter in the place of whatever was registered for its service.
  mutating func register<Service: Sendable>(
    _ name: ServiceName, _ make: @escaping @Sendable (ServiceCaller) -> Service,
    _ methods: (inout Entry) -> Void
  ) {
    var entry = Entry()
    entry.make = { make($0) }
    methods(&entry)
    entries[Int(name.number)] = entry
  }
}
