import ForsettiCore
import ForsettiIPC

/// How the host answers one method. The types of its request and response are in here and nowhere else in the broker.
enum HostMethod: Sendable {
  /// Decodes, answers and encodes on the reactor, within the turn that read the call. It never blocks.
  case immediate(
    @ReactorActor @Sendable (CallKey, CallHead, Span<UInt8>, ModuleSession) throws(HostCallFault) -> Void)
  /// Decodes on the reactor; what is returned runs wherever the adapter does.
  case detached(
    @ReactorActor @Sendable (CallHead, Span<UInt8>, any Sendable) throws(HostCallFault) -> HostWork)

  /// A method that is answered at once, by a function that never blocks.
  static func immediate<Request, Response>(
    _ method: ServiceMethod<Request, Response>,
    _ body: @escaping @ReactorActor @Sendable (Request, ServiceCaller) throws(ServiceError) -> Response
  ) -> HostMethod {
    .immediate { (call, head, payload, session) throws(HostCallFault) in
      let request = try Self.request(of: method, head, payload)
      do throws(ServiceError) {
        session.reply(try body(request, session.caller), to: call)
      } catch { throw .service(error) }
    }
  }

  /// A method of an adapter, which may take its time.
  static func detached<Service: Sendable, Request, Response>(
    _ method: ServiceMethod<Request, Response>, of _: Service.Type,
    _ body: @escaping @Sendable (Service, Request) async throws(ServiceError) -> Response
  ) -> HostMethod {
    .detached { (head, payload, adapter) throws(HostCallFault) in
      let request = try Self.request(of: method, head, payload)
      guard let service = adapter as? Service else {
        throw .service(.serviceUnavailable(role: method.info.name, why: "its adapter is of another service"))
      }
      return { () async -> HostAnswer in
        do throws(ServiceError) { return .reply(try await body(service, request)) } catch {
          return .failure(error)
        }
      }
    }
  }

  private static func request<Request, Response>(
    of method: ServiceMethod<Request, Response>, _ head: CallHead, _ payload: Span<UInt8>
  ) throws(HostCallFault) -> Request {
    do { return try method.request(head, payload) } catch { throw HostCallFault(error) }
  }
}

/// What an adapter does for one call.
typealias HostWork = @Sendable () async -> HostAnswer

/// What it came to.
enum HostAnswer: Sendable {
  case reply(any CallValue)
  case failure(ServiceError)
}

/// Why a call of a host's service did not end in a reply.
enum HostCallFault: Error {
  /// The payload is not what the protocol asks for: the module's own fault.
  case malformed(CBORError)
  case service(ServiceError)

  /// An argument beyond its limits gets a typed answer; anything else no kit would send.
  init(_ error: CBORError) {
    switch error.fault {
    case .tooLong(let limit):
      self = .service(.invalidArgument(name: "request", reason: "a part of it is longer than \(limit)"))
    case .outOfRange:
      self = .service(.invalidArgument(name: "request", reason: "a number in it is out of range"))
    case .unknownValue(let value):
      self = .service(.invalidArgument(name: "request", reason: "\(value.quoted()) is none of its values"))
    default: self = .malformed(error)
    }
  }
}
