public import ForsettiCore

/// The one description of a method: what both ends know of it, and the types that cross the pipe.
public struct ServiceMethod<Request: CallValue, Response: CallValue>: Sendable {
  /// What needs no types.
  public let info: MethodInfo

  init(
    _ service: ServiceName?, _ number: UInt8, _ name: String, _ access: MethodAccess,
    _ routing: MethodInfo.Routing = .none
  ) {
    info = MethodInfo(service: service, number: number, name: name, access: access, routing: routing)
  }

  /// The service; `nil` for the runtime itself.
  public var service: ServiceName? { info.service }
  /// The number on the wire.
  public var number: UInt8 { info.number }

  /// The head of a call of it.
  public func head(
    for request: borrowing Request, trace: TraceContext? = nil, source: String? = nil
  ) -> CallHead {
    CallHead(
      service: info.serviceNumber, method: info.number, trace: trace, route: request.route, source: source)
  }

  /// Decodes the request of a call of it; all of the payload is checked.
  public func request(_ head: CallHead, _ payload: Span<UInt8>) throws(CBORError) -> Request {
    var reader = CBORReader(payload)
    var request = try Request(from: &reader)
    try reader.finish()
    if let route = head.route { request.adopt(route) }
    return request
  }

  /// Decodes the response to a call of it.
  public func response(_ payload: Span<UInt8>) throws(CBORError) -> Response {
    var reader = CBORReader(payload)
    let response = try Response(from: &reader)
    try reader.finish()
    return response
  }
}

/// What both ends know of a method, without its types.
public struct MethodInfo: Sendable, Hashable {
  /// What of a request travels in the head.
  public enum Routing: Sendable, Hashable {
    case none, verb, verbAndPath
  }

  /// The service; `nil` for the runtime itself.
  public let service: ServiceName?
  /// The service's number on the wire.
  public let serviceNumber: UInt8
  /// The method's number on the wire, within its service.
  public let number: UInt8
  /// For people, as in `storage.set`.
  public let name: String
  /// What it does to what it reaches.
  public let access: MethodAccess
  /// What of a request travels in the head; a call with more or less there breaks the protocol.
  public let routing: Routing

  init(service: ServiceName?, number: UInt8, name: String, access: MethodAccess, routing: Routing) {
    self.service = service
    self.serviceNumber = service?.number ?? 0
    self.number = number
    self.name = "\(service?.rawValue ?? "runtime").\(name)"
    self.access = access
    self.routing = routing
  }

  /// Whether the head carries what calls of this method must, and no more.
  public func accepts(_ route: CallRoute?) -> Bool {
    switch routing {
    case .none: route == nil
    case .verb: route != nil && route?.path == nil
    case .verbAndPath: route?.path != nil
    }
  }
}

/// What a method does to what it reaches.
public enum MethodAccess: Sendable, Hashable {
  /// Always the same.
  case fixed(AccessClass)
  /// Read for GET, HEAD and OPTIONS, write for every other verb (SPEC §4).
  case byVerb

  /// The class of a call.
  public func resolved(_ route: CallRoute?) -> AccessClass {
    switch self {
    case .fixed(let access): return access
    case .byVerb:
      guard let verb = route?.verb else { return .write }
      // Bytes, for verbs are ASCII and case matters in HTTP.
      return ["GET", "HEAD", "OPTIONS"].contains { $0.utf8.elementsEqual(verb.utf8) } ? .read : .write
    }
  }
}

/// Every method by its numbers.
public enum ServiceCatalog {
  /// All methods of the eleven services, and those of the runtime that modules call.
  public static let methods: [MethodInfo] =
    RuntimeMethods.all + NetworkingMethods.all + StorageMethods.all + SecureStorageMethods.all
    + FileExportMethods.all + TelemetryMethods.all + CryptoUtilitiesMethods.all + SharedDatabaseMethods.all
    + AuthenticationMethods.all + DiagnosticsMethods.all + APIMethods.all + SecurityMethods.all

  private static let slots = 32
  private static let table: [MethodInfo?] = {
    var table = [MethodInfo?](repeating: nil, count: (ServiceName.allCases.count + 1) * slots)
    for method in methods { table[Int(method.serviceNumber) * slots + Int(method.number)] = method }
    return table
  }()

  /// The method of these numbers, in constant time; `nil` where there is none.
  public static func method(service: UInt8, number: UInt8) -> MethodInfo? {
    let index = Int(service) * slots + Int(number)
    guard Int(number) < slots, index < table.count else { return nil }
    return table[index]
  }
}
