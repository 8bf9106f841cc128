internal import ForsettiModuleKit

/// What the module does between its start and its stop.
@MainActor
final class JamfServiceDesk {
  private let context: ForsettiContext
  private let gate: RequestGate
  private let time: JamfTime
  private let reports: JamfServiceReports
  private var gateway: JamfGateway?
  private var connection: JamfConnection
  private var questions: SubscriptionToken?
  private var firstLogin: Task<Void, Never>?

  private static let store = "forsetti-jamf-service"
  private static let key = "jamf.credentials"
  /// How long the network may take for one try.
  private static let timeout = Duration.seconds(60)

  init(context: ForsettiContext, gate: RequestGate, time: JamfTime) {
    self.context = context
    self.gate = gate
    self.time = time
    reports = JamfServiceReports(context: context)
    connection = JamfConnection(since: time.now())
  }

  /// Takes up what is kept. The first login is not waited for: a server that is slow must not hold up the boot.
  func open() async {
    answerQuestions()
    guard let credentials = await load() else {
      await announce()
      return
    }
    let gateway = makeGateway(credentials)
    self.gateway = gateway
    await note(.configured, of: gateway)
    firstLogin = Task { [weak self] in await self?.tryLogin(gateway) }
  }

  /// Ends what is under way.
  func close() {
    firstLogin?.cancel()
    questions?.cancel()
    gateway?.retire()
    gateway = nil
  }

  // MARK: Requests

  /// Jamf Pro's answer to a caller's request, or this module's own.
  func answer(to request: APIRequest, from caller: String) async throws(JamfFailure) -> APIResponse {
    do throws(JamfFailure) {
      switch try JamfRoute(method: request.method, path: request.path) {
      case .connection: return Self.json(connection.json)
      case .privileges:
        let gateway = try configured()
        let names = try await observed(gateway) { () async throws(JamfFailure) in
          try await gateway.privileges(for: caller)
        }
        return Self.json(JamfPrivileges.json(names))
      case .server:
        let gateway = try configured()
        return try await observed(gateway) { () async throws(JamfFailure) in
          try await gateway.answer(to: request, for: caller)
        }
      }
    } catch {
      if error != .cancelled { reports.failed(request, from: caller, error) }
      throw error
    }
  }

  private func configured() throws(JamfFailure) -> JamfGateway {
    guard let gateway else { throw .notConfigured }
    return gateway
  }

  private static func json(_ value: JSONValue) -> APIResponse {
    APIResponse(
      status: 200, headers: [HTTPField("Content-Type", "application/json")],
      body: JSONWriter.bytes(value))
  }

  // MARK: Credentials

  /// Logs in with other credentials, and keeps them where that went well; else those before stay.
  func adopt(_ credentials: JamfCredentials) async throws(JamfFailure) {
    let gateway = makeGateway(credentials)
    try await gateway.logIn()
    guard let storage = context.services.secureStorage else {
      throw .unavailable("there is no secure storage to keep the credentials in.")
    }
    do throws(ServiceError) {
      try await storage.set(credentials.sealed, forKey: Self.key, in: Self.store)
    } catch { throw .unavailable("the credentials could not be kept (\(error)).") }
    firstLogin?.cancel()
    self.gateway?.retire()
    self.gateway = gateway
    await note(.connected, of: gateway)
  }

  private func load() async -> JamfCredentials? {
    guard let storage = context.services.secureStorage else { return nil }
    do {
      guard let bytes = try await storage.value(forKey: Self.key, in: Self.store) else {
        return nil
      }
      if let credentials = JamfCredentials(sealed: bytes) { return credentials }
      context.logger.warning("the credentials that are kept are none; enter them again")
    } catch { context.logger.warning("the credentials that are kept can't be read", error: error) }
    return nil
  }

  private func makeGateway(_ credentials: JamfCredentials) -> JamfGateway {
    let reports = reports
    let networking = context.services(timeout: Self.timeout).networking
    let exchange = JamfExchange(networking: networking ?? NoNetworking(), time: time) {
      request, outcome in
      let path = request.url.dropFirst(credentials.server.text.utf8.count).prefix { $0 != "?" }
      reports.retried(request.method, String(path), outcome)
    }
    return JamfGateway(credentials, exchange: exchange, gate: gate)
  }

  private func tryLogin(_ gateway: JamfGateway) async {
    do throws(JamfFailure) {
      try await observed(gateway) { () async throws(JamfFailure) in try await gateway.logIn() }
    } catch { context.logger.warning("the first login failed", metadata: ["reason": error.what]) }
  }

  // MARK: The connection, as others see it

  /// What comes of a request tells how the connection is.
  private func observed<Value>(
    _ gateway: JamfGateway, _ body: () async throws(JamfFailure) -> Value
  ) async throws(JamfFailure) -> Value {
    do throws(JamfFailure) {
      let value = try await body()
      await note(.connected, of: gateway)
      return value
    } catch {
      if let state = JamfConnection.State(error) { await note(state, of: gateway) }
      throw error
    }
  }

  /// What is heard of credentials that are not used any more is no news.
  private func note(_ state: JamfConnection.State, of gateway: JamfGateway) async {
    guard gateway === self.gateway else { return }
    let credentials = gateway.credentials
    guard !connection.says(state, credentials) else { return }
    connection = JamfConnection(
      state: state, server: credentials.server, kind: credentials.kind, since: time.now())
    reports.changed(connection)
    await announce()
  }

  private func announce() async {
    do {
      try await context.publishEvent(type: JamfConnection.eventType, payload: connection.payload)
    } catch {
      context.logger.debug(
        "a change of the connection was not told of", metadata: ["reason": "\(error)"])
    }
  }

  /// Whoever missed the event asks, and is answered alone.
  private func answerQuestions() {
    questions = context.subscribeToMessages(JamfConnection.questionType) { [weak self] event in
      guard let self, let source = event.sourceModuleID else { return }
      do {
        try await self.context.sendMessage(
          to: source, type: JamfConnection.eventType, payload: self.connection.payload)
      } catch { self.context.logger.warning("\(source) did not take its answer", error: error) }
    }
  }
}

/// Where networking was not granted: every request fails, and says why.
private struct NoNetworking: NetworkingService {
  nonisolated(nonsending) func data(_ request: HTTPRequest) async throws(ServiceError)
    -> HTTPResponse
  {
    throw .serviceDenied(.notGranted, detail: "networking is not granted to Jamf Service")
  }
}
