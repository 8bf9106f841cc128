import ForsettiCore
import ForsettiRuntime
import ForsettiTestKit
import Foundation

@testable import ForsettiSupervisor

/// A runtime in the test's process with all that the program gives it: locked modules, services, state.
@ReactorActor final class LiveRuntime {
  let scratch: Scratch
  let runtime: ForsettiRuntime
  let manager: ModuleManager
  /// What modules and supervisor log: `module: message`.
  let log = Log<String>()
  /// What modules publish.
  let events = Log<ForsettiEvent>()
  private let bootstrap: ForsettiRuntimeBootstrap

  /// Boots the policy's set.
  init(policy: Policy, manifests: String, host: String = Product.moduleHost, scratch: Scratch? = nil)
    async throws
  {
    let scratch = try scratch ?? Scratch()
    self.scratch = scratch
    bootstrap = try await Self.bootstrap(policy, manifests, host: host, scratch, HeardLogger(log: log))
    runtime = bootstrap.runtime
    let events = events
    _ = runtime.bus.subscribe(to: "*") { events.add($0) }
    try await bootstrap.bootForProduction()
    guard let manager = runtime.moduleManager else { throw BootFailure.interrupted }
    self.manager = manager
  }

  /// The same, not booted yet.
  static func bootstrap(
    _ policy: Policy, _ manifests: String, host: String = Product.moduleHost, _ scratch: Scratch,
    _ logger: any ForsettiLogger
  ) async throws -> ForsettiRuntimeBootstrap {
    let state = try scratch.folder("state")
    let network = try NetworkAccess(policy: policy, path: Product.networkWorker, userID: geteuid())
    let runtime = try await ForsettiRuntime.open(
      RuntimeConfiguration(
        policy: policy, policyFolder: scratch.path, manifests: .folder(manifests), stateFolder: state,
        hostPath: host,
        services: { () async throws(BootFailure) in
          try await HostServicesInput.open(
            stateFolder: state, policy: policy, network: network, logger: logger)
        }), logger: logger)
    return ForsettiRuntimeBootstrap(runtime: runtime, restoring: true)
  }

  /// Stops everything.
  func shutDown() async { await bootstrap.shutDown() }

  /// The first event of a type, when it is there.
  func event(_ type: String) async -> ForsettiEvent? {
    await events.wait { $0.contains { $0.type == type } }
    return events.items.first { $0.type == type }
  }

  /// Returns when a module, or the supervisor of it, has said this.
  func heard(_ moduleID: String, _ text: String, times: Int = 1) async {
    await log.wait { lines in lines.count { $0.hasPrefix("\(moduleID): ") && $0.contains(text) } >= times }
  }

  /// The process of a module.
  func process(_ moduleID: String) -> Int32? {
    runtime.status().modules.first { $0.moduleID == moduleID }?.process?.pid
  }

  /// A policy of the checkout or of the test.
  static func policy(_ path: String, changing: (String) -> String = { $0 }) throws -> Policy {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    return try PolicyDecoder.decode(bytes: Array(changing(text).utf8), file: path)
  }
}

/// Hands every line to the test.
private struct HeardLogger: ForsettiLogger {
  let log: Log<String>

  func isEnabled(_ level: LogLevel) -> Bool { true }
  func log(_ level: LogLevel, _ message: String, moduleID: String?, metadata: [String: String]) {
    let log = log
    Task { @ReactorActor in log.add("\(moduleID ?? "-"): \(message)") }
  }
  func relay(_ level: LogLevel, _ message: String, from moduleID: String, metadata: [String: String]) {
    log(level, message, moduleID: moduleID, metadata: metadata)
  }
}
