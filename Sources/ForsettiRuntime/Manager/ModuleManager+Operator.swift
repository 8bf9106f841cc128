public import ForsettiCore
public import ForsettiIPC

// What a person asks of modules.
extension ModuleManager {
  /// Stops a module and starts it again. One that was desired is so all the while: if it does not start it comes back like
  /// any other, and if the supervisor ends meanwhile, with the next one.
  public func restartModule(moduleID: String) async throws(ModuleManagerError) {
    let id = try discovered(moduleID).manifest.moduleID
    await operations.withLock([id]) { () async in
      setRestart(nil, of: id)
      // It is gone either way; one that had to be killed is started again all the more.
      if let module = active[id] { _ = await retire(module) }
    }
    do throws(ModuleManagerError) { try await activate(id, saving: .desire) } catch {
      noteFailedOrder(of: id, error)
      throw error
    }
  }

  /// Calls the module that provides the role of a method, in a person's name. It is asked as any module asks it; what the
  /// host itself provides is not reached: data, secrets and keys there belong to modules.
  /// - Parameter person: the name that the provider sees as the source; no module can have it.
  /// - Throws: `serviceUnavailable` where no module provides it or it is not active, and what the provider answers.
  public func call<Request, Response>(
    _ method: ServiceMethod<Request, Response>, _ request: Request, inTheNameOf person: String,
    timeoutMilliseconds: UInt32 = 30_000
  ) async throws(ServiceError) -> Response {
    let role = method.service?.rawValue ?? ""
    guard let broker = environment.broker, let service = method.service, service.role != nil else {
      throw .serviceUnavailable(role: role, why: "no module provides it")
    }
    switch broker.rules.routes[service] {
    case .host:
      throw .serviceUnavailable(role: role, why: "the host provides it, to modules alone")
    case .unavailable(let why): throw .serviceUnavailable(role: role, why: why)
    case .module(let id):
      guard let session = broker.session(of: id) else {
        throw .serviceUnavailable(role: role, why: "\(id) is not active")
      }
      let step = OwnStep(name: method.info.name, service: service, person: person, provider: id)
      return try await broker.told(step) { (trace) async throws(ServiceError) in
        try await session.call(
          method, request, timeoutMilliseconds: timeoutMilliseconds, trace: trace, source: person)
      }
    }
  }
}
