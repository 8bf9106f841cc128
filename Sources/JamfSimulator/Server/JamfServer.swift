import ForsettiCore
public import ForsettiHTTP

/// A made-up Jamf Pro server as a value: requests in, answers out, time given by whoever asks.
/// docs/jamf-simulator.md says what it knows.
public struct JamfServer: Sendable {
  /// How it is set up.
  public struct Options: Sendable, Equatable {
    /// The same seed makes the same devices.
    public var seed: UInt64 = 1
    /// Computers in the inventory.
    public var computers = 3_000
    /// Mobile devices in the inventory.
    public var mobileDevices = 1_500
    /// Mobile devices in the first PreStage besides, which were never switched on.
    public var unboxedMobileDevices = 0
    /// Seconds that an access token holds.
    public var tokenLifetime = 1_200
    /// Nodes behind the one address.
    public var nodes = 1
    /// Milliseconds until all nodes know of a change.
    public var replicationMilliseconds = 2_000

    /// The set-up above.
    public init() {}
  }

  private var tenant: Tenant
  private var nodes: NodeSet
  private var faults: FaultSchedule
  private var journal = RequestJournal()
  /// Milliseconds that time was moved on by.
  private var clockShift: Int64 = 0
  private let router = Router()

  /// Makes its inventory.
  public init(_ options: Options = Options(), faults: FaultSchedule = .none) {
    tenant = Tenant(
      seed: options.seed, computers: options.computers, mobileDevices: options.mobileDevices,
      unboxedMobileDevices: options.unboxedMobileDevices, tokenLifetime: options.tokenLifetime)
    nodes = NodeSet(count: options.nodes, replicationMilliseconds: options.replicationMilliseconds)
    self.faults = faults
  }

  /// Answers a request.
  /// - Parameter time: milliseconds since 1970.
  public mutating func answer(_ request: ServerRequest, at time: Int64) -> ServedAnswer {
    if let answer = control(request) { return ServedAnswer(answer) }
    let now = time + clockShift
    tenant.settle(now: now)
    let hit = faults.next(method: request.method, path: request.path)
    let answer = hit.map { faulty($0, request, now) } ?? ServedAnswer(route(request, now))
    journal.note(request, answer.response.status)
    return answer
  }

  private mutating func route(_ request: ServerRequest, _ now: Int64, _ distortion: Fault? = nil)
    -> ServerResponse
  {
    nodes.answer(request, &tenant, now: now) { [router] tenant in
      router.answer(request, &tenant, now: now, distortion: distortion)
    }
  }

  private mutating func faulty(_ hit: FaultSchedule.Hit, _ request: ServerRequest, _ now: Int64)
    -> ServedAnswer
  {
    switch hit.fault {
    case .status(let status, let retryAfter):
      return ServedAnswer(.refusal(status, retryAfter: retryAfter))
    case .slow(let milliseconds): return ServedAnswer(route(request, now), delayMilliseconds: milliseconds)
    case .cut(let bytes): return ServedAnswer(route(request, now), cutAfterBytes: bytes)
    case .wrongJSON: return ServedAnswer(.json(.object([("data", .array([.string("unexpected")]))])))
    case .html:
      return ServedAnswer(
        ServerResponse(.ok, "<!DOCTYPE html><title>Log in</title><p>Please log in.</p>", type: "text/html"))
    case .duplicatePage: return ServedAnswer(route(request, now, hit.fault))
    case .changingTotal(let more):
      return ServedAnswer(route(request, now, .changingTotal(by: more * hit.count)))
    }
  }

  /// What tests steer the server by: no part of Jamf's API, and open to everyone on this host.
  private mutating func control(_ request: ServerRequest) -> ServerResponse? {
    guard request.path == "/simulator" || request.path.hasPrefix("/simulator/") else { return nil }
    switch (request.method, request.path) {
    case ("GET", "/simulator/requests"): return .json(journal.json)
    case ("DELETE", "/simulator/requests"): journal = RequestJournal()
    case ("PUT", "/simulator/faults"):
      do throws(JSONFault) { faults = try FaultSchedule.decode(request.body) } catch {
        return ServerResponse(.badRequest, "\(error.pointer): \(error.reason)\n")
      }
    case ("POST", "/simulator/clock"):
      guard let seconds = Int64(request.query["seconds"] ?? ""), (1...86_400).contains(seconds) else {
        return ServerResponse(.badRequest, "seconds: 1 to 86400\n")
      }
      clockShift += seconds * 1_000
    default: return ServerResponse(.notFound, "no such control\n")
    }
    return .nothing
  }
}

/// An answer, and how it is to be given.
public struct ServedAnswer: Sendable {
  /// The answer.
  public var response: ServerResponse
  /// Milliseconds to wait before it.
  public var delayMilliseconds: Int
  /// Bytes of the body behind which the connection ends; `nil` for all of it.
  public var cutAfterBytes: Int?

  init(_ response: ServerResponse, delayMilliseconds: Int = 0, cutAfterBytes: Int? = nil) {
    self.response = response
    self.delayMilliseconds = delayMilliseconds
    self.cutAfterBytes = cutAfterBytes
  }
}

extension ServerResponse {
  /// A status by schedule, with the body that Jamf gives such.
  fileprivate static func refusal(_ status: Int, retryAfter: Int?) -> ServerResponse {
    let status = HTTPStatus(rawValue: status) ?? .internalError
    var fault = APIFault(status, "SIMULATED", "This fault was asked for")
    if status == .unauthorized { fault = .unauthorized }
    if status == .forbidden { fault = .forbidden }
    var response = fault.response
    if let retryAfter { response.headers["Retry-After"] = String(retryAfter) }
    return response
  }
}
