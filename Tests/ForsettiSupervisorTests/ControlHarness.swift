import CLinux
import ForsettiCore
import ForsettiIPC
import ForsettiRuntime
import ForsettiTestKit
import Foundation
import Glibc

@testable import ForsettiSupervisor

/// A control socket in the test's own process, with bounds of the test's own, before a supervisor that has not booted.
@ReactorActor final class ControlHarness {
  private let scratch: Scratch
  /// Where its socket is.
  nonisolated let folder: String
  let runtime: ForsettiRuntime
  let server: ControlServer
  private let bootstrap: ForsettiRuntimeBootstrap

  /// - Parameters:
  ///   - manifests: of modules that are discovered, and can't be launched.
  ///   - entitlements: is asked for each of them.
  ///   - desired: what an earlier supervisor has left to be restored; `nil` before the first one.
  init(
    _ limits: ControlServer.Limits = ControlServer.Limits(), manifests: [ModuleManifest] = [],
    entitlements: any EntitlementProvider = AllowAllEntitlementProvider(), desired: ActivationState? = nil
  ) throws {
    scratch = try Scratch()
    folder = scratch.path
    let logger = RuntimeLogger(level: .error, sinks: [])
    runtime = ForsettiRuntime(
      ForsettiRuntime.Parts(
        policy: Policy(),
        discover: { _ in
          ForsettiModuleCatalog(manifests.map { LoadedManifest(manifest: $0, path: "/m.json", sha256: "00") })
        }, store: NoState(desired: desired), entitlements: entitlements, launcher: NoLauncher(),
        logger: logger,
        diagnostics: DiagnosticsCenter(), bus: InMemoryEventBus(), clock: ReactorClock.shared,
        wallClock: { 7 }))
    bootstrap = ForsettiRuntimeBootstrap(runtime: runtime, restoring: true)
    server = try ControlServer(
      folder: scratch.path,
      context: ControlContext(
        bootstrap: bootstrap, policy: ControlPolicy(), policyPath: "/p.json",
        kernel: KernelFacts.current(userID: geteuid()), logger: logger, log: LogHistory(),
        crashReports: CrashReportStore(stateFolder: scratch.path),
        reloader: Reloader(policyPath: "/p.json", bootstrap: bootstrap, logger: logger), end: {}),
      limits: limits)
  }

  /// Boots until the modules are known; whatever becomes of the boot then.
  func discover() async {
    let bootstrap = bootstrap
    Task { try? await bootstrap.bootForProduction() }
    while runtime.moduleManager == nil { await Task.yield() }
  }

  /// Boots to the end.
  func boot() async throws { try await bootstrap.bootForProduction() }

  /// Ends the socket and every connection.
  func close() { server.close() }

  /// Publishes events that everybody may see.
  func publish(_ count: Int, _ type: String) {
    for _ in 0..<count { runtime.bus.publish(ForsettiEvent(type: type, timestamp: 7)) }
  }
}

/// Nothing is launched here.
@ReactorActor private final class NoLauncher: ModuleLauncher {
  nonisolated init() {}

  func makeInstance(
    for module: LoadedManifest, by policy: Policy, convalescence: Duration?,
    ended: @escaping @ReactorActor (ModuleExit) -> Void
  ) async throws(ModuleManagerError) -> any ModuleInstance {
    throw .moduleNotDiscovered(moduleID: module.manifest.moduleID)
  }

  func keepPrograms(of catalog: ForsettiModuleCatalog) {}
}

/// Nothing is kept here but what an earlier supervisor has left.
private struct NoState: ModuleStateStore {
  let desired: ActivationState?

  func activation() -> ActivationState? { desired }
  func isFirstBootDone() -> Bool { desired != nil }
  func record(moduleID: String) -> ModuleRegistrationRecord? { nil }
  func acceptance(moduleID: String) -> Acceptance? { nil }
  func saveAcceptance(_ acceptance: Acceptance) {}
  func restartHistory(moduleID: String) -> RestartHistory { RestartHistory() }
  func quarantinedModuleIDs() -> [String] { [] }
  func saveRestartHistory(_ history: RestartHistory, moduleID: String) {}
  func commit(_ change: StateChange) {}
}

/// A client of the control socket that may say anything.
final class RawClient {
  private var number: Int32
  private var decoder = FrameDecoder()

  init(_ folder: String) throws {
    number = cl_unix_socket(0o600)
    // The backlog of a supervisor that is busy accepting may be full: it is asked again.
    while case let result = cl_unix_connect(number, folder + "/control.sock"), result != 0 {
      guard result == -EAGAIN else { throw POSIXError(.init(rawValue: -result) ?? .EIO) }
      sched_yield()
    }
  }

  /// Speaks on a connection that somebody else has made.
  init(_ socket: borrowing Descriptor) { number = fcntl(socket.number, F_DUPFD_CLOEXEC, 0) }

  deinit { close() }

  func close() {
    if number >= 0 { Glibc.close(number) }
    number = -1
  }

  /// Says that nothing more comes; what the supervisor says is still heard.
  func finish() { shutdown(number, Int32(SHUT_WR)) }

  func send(_ bytes: [UInt8]) { _ = Glibc.send(number, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

  func call(_ operation: String, _ value: CBORValue, id: UInt64 = 1, timeout: UInt32 = 0) throws {
    var queue = OutboundQueue()
    try ControlMessage.call(operation: operation, value, timeoutMilliseconds: timeout).encode(
      into: &queue, callID: id)
    send(queue.withPendingBytes { Array($0) })
  }

  /// Says hello, as every client does first, and waits for the answer.
  func greet(_ scope: ControlScope? = nil) throws {
    try call(ControlHello.operation, ControlHello.Request(ControlLimits.versions, scope: scope).control)
    _ = try next()
  }

  /// Reads whatever comes until the supervisor has ended the connection.
  func drain() throws {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    repeat { try wait() } while read(number, &buffer, buffer.count) > 0
  }

  private func wait() throws {
    var polled = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    guard poll(&polled, 1, 20_000) == 1 else { throw POSIXError(.ETIMEDOUT) }
  }

  /// The next message; `nil` when the supervisor has ended the connection.
  func next() throws -> (message: ControlMessage, callID: UInt64)? {
    while true {
      if let (message, id) = try decoder.nextControlMessage(itemLimit: 100) { return (message, id) }
      try wait()
      let count = decoder.withWritableBuffer { read(number, $0.baseAddress, $0.count) } ?? 0
      guard count > 0 else { return nil }
      decoder.didRead(count)
    }
  }

  /// The next failure, other messages passed over; `nil` when the supervisor has ended the connection.
  func failure() throws -> ControlFailure? {
    while let (message, _) = try next() {
      if case .failure(let failure) = message { return failure }
    }
    return nil
  }
}
