import ForsettiModuleKit

/// Provides the api role: the path says what a request comes to.
@MainActor
final class EchoProvider: ForsettiAPIProvider, ForsettiDiagnosticsProvider, ForsettiUIModule,
  ForsettiRenderingModule
{
  let manifest: ModuleManifest
  private var context: ForsettiContext?
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init() {
    manifest = ModuleManifest(
      moduleID: "com.example.echo", displayName: "Echo", moduleVersion: SemVer(major: 1, minor: 0, patch: 0),
      moduleType: .ui, supportedPlatforms: [.linux],
      minForsettiVersion: SemVer(major: 0, minor: 1, patch: 0), capabilitiesRequested: [], entryPoint: "Echo")
  }

  var uiContributions: UIContributions { UIContributions() }

  func start(context: ForsettiContext) async throws { self.context = context }
  func stop(context: ForsettiContext) async {}

  func request(_ request: APIRequest, from source: String) async throws -> APIResponse {
    switch request.path {
    case "/echo": break
    case "/refuse": throw ServiceError.rateLimited(retryAfterMilliseconds: 7)
    case "/break": throw Mismatch("it broke")
    case "/large": return APIResponse(status: 200, body: [UInt8](repeating: 0, count: 2 << 20))
    case "/status": return APIResponse(status: 1000)
    case "/nested":
      let digest = try await context?.services.cryptoUtilities?.sha256(request.body) ?? []
      return APIResponse(status: 200, body: digest)
    case "/wait":
      // Ends by cancellation alone, and says so.
      do { try await Task.sleep(for: .seconds(Int64.max)) } catch {
        context?.logger.info("cancelled")
        throw error
      }
    default: return APIResponse(status: 404)
    }
    return APIResponse(
      status: 200, headers: [HTTPField("source", source), HTTPField("verb", request.method)],
      body: request.body)
  }

  func emit(_ event: DiagnosticReport, from source: String) async throws {
    context?.logger.info("\(event.message) from \(source)")
  }

  func events(_ filter: DiagnosticFilter, from source: String) async throws -> [DiagnosticReport] {
    [DiagnosticReport(source: source, category: "c", severity: filter.atLeast ?? .info, message: "m")]
  }

  func export(_ filter: DiagnosticFilter, format: DiagnosticFormat, from source: String) async throws
    -> [UInt8]
  {
    Array(format.rawValue.utf8)
  }

  func render(viewID: String, parameters: [String: String]) async throws -> ViewNode {
    guard viewID == "main" else { throw ServiceError.notFound(viewID) }
    return .list([
      .text(parameters["title"] ?? "", style: .title),
      .button(title: "Again", action: .publishEvent(eventType: "com.example.echo.again", payload: nil)),
    ])
  }
}

/// Answers each event `ping` with a number of calls, one after the other: what a call costs the kit.
@MainActor
final class BusyConsumer: ForsettiModule {
  let manifest: ModuleManifest

  init() {
    manifest = ModuleManifest(
      moduleID: "com.example.consumer", displayName: "Consumer",
      moduleVersion: SemVer(major: 1, minor: 0, patch: 0), moduleType: .service, supportedPlatforms: [.linux],
      minForsettiVersion: SemVer(major: 0, minor: 1, patch: 0), capabilitiesRequested: [],
      entryPoint: "Consumer")
  }

  func start(context: ForsettiContext) async throws {
    _ = context.subscribeToMessages("ping") { message in
      guard let storage = context.services.storage, let count = message.payload["count"].flatMap({ Int($0) }),
        let lanes = message.payload["lanes"].flatMap({ Int($0) })
      else { return }
      let value = message.payload["value"] ?? ""
      let clock = ContinuousClock()
      let start = clock.now
      let tasks = (0..<lanes).map { _ in
        Task { for _ in 0..<(count / lanes) { try? await storage.set(value, forKey: "k", in: nil) } }
      }
      for task in tasks { await task.value }
      let (seconds, attoseconds) = (clock.now - start).components
      context.logger.info("\(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)")
    }
  }

  func stop(context: ForsettiContext) async {}
}
