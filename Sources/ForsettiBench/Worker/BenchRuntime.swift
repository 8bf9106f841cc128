import CBench
import ForsettiBenchSet
import ForsettiCore
import ForsettiRuntime
import Glibc

/// A booted supervisor in this process with the bench's modules: strict sandbox, real files, real processes.
@ReactorActor
final class BenchRuntime {
  let runtime: ForsettiRuntime
  let stage: Stage
  /// When each crash report was on disk, nanoseconds of CLOCK_MONOTONIC; the newest is kept.
  let reports: AsyncStream<UInt64>
  private let folder: ScratchFolder

  /// Boots a crew.
  init(_ crew: Crew) async throws(BenchFailure) {
    Self.raiseDescriptorLimit()
    let modules = Self.modules(of: crew)
    let (reports, continuation) = AsyncStream<UInt64>.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.reports = reports
    let logger = QuietLogger { continuation.yield(Self.monotonicNanoseconds()) }
    stage = Stage(subscribers: crew.subscribers)
    folder = try ScratchFolder()
    let manifests = try folder.makeFolder("manifests")
    for module in modules {
      let text = JSONWriter.text(module.manifest.jsonValue)
      try folder.write(Array(text.utf8), to: "manifests/\(module.entryPoint).json")
    }
    let configuration = RuntimeConfiguration(
      policy: try Self.policy(modules), policyFolder: folder.path, manifests: .folder(manifests),
      stateFolder: folder.path + "/state", hostPath: try Self.hostPath(crew, folder),
      spinsAdaptively: crew.spins,
      services: { [stage] () async throws(BootFailure) in await stage.services() })
    do throws(BootFailure) {
      runtime = try await ForsettiRuntime.open(configuration, logger: logger)
      _ = try await runtime.boot(restoring: false)
    } catch { throw BenchFailure("the boot failed: \(error)") }
  }

  /// Stops everything and removes the folder.
  func end() async {
    _ = await runtime.shutDown()
    folder.remove()
  }

  /// The manager, which a boot made.
  func manager() throws(BenchFailure) -> ModuleManager {
    guard let manager = runtime.moduleManager else { throw BenchFailure("nothing is booted") }
    return manager
  }

  /// The process of a module.
  func process(_ module: BenchModule) throws(BenchFailure) -> ModuleProcessInfo {
    let id = module.moduleID
    guard let process = runtime.status().modules.first(where: { $0.moduleID == id })?.process else {
      throw BenchFailure("\(id) has no process")
    }
    return process
  }

  private static func modules(of crew: Crew) -> [BenchModule] {
    let subscribers = (0..<min(crew.subscribers, BenchModule.mostSubscribers)).map {
      BenchModule.subscriber($0)
    }
    let idle = (0..<min(crew.idle, BenchModule.mostIdle)).map { BenchModule.idle($0) }
    return [.provider, .caller] + subscribers + (crew.subscribers > 0 ? [.publisher] : [])
      + (crew.rests ? [.resting] : []) + idle
  }

  /// The strict policy's sandbox, and exactly what each module asks for.
  private static func policy(_ modules: [BenchModule]) throws(BenchFailure) -> Policy {
    var rules: [PolicyRule] = []
    do {
      let tick = try EventPattern(BenchModule.eventType)
      for module in modules {
        var rule = PolicyRule(try ModulePattern(module.moduleID), grant: module.capabilities)
        if case .subscriber = module { rule.subscribe = [tick] }
        rules.append(rule)
      }
    } catch { throw BenchFailure("\(error)") }
    return Policy(
      file: "bench", activationOrder: modules.map(\.moduleID),
      roles: [.api: .module(BenchModule.provider.moduleID)], deadlineDefaults: PhaseDeadlines(),
      restartDefaults: restarts, rules: rules)
  }

  /// Modules are killed on purpose, again and again: no wait, and a budget that no measurement uses up.
  private static let restarts = RestartPolicy(
    backoffFirstMilliseconds: 1, backoffMaximumMilliseconds: 1, restarts: 1_000, withinMilliseconds: 1_000,
    stableMilliseconds: 1_000)

  /// The host beside this program, by a copy whose name says so where it must know many modules.
  private static func hostPath(_ crew: Crew, _ scratch: ScratchFolder) throws(BenchFailure) -> String {
    let folder = try Options([]).program.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let path = folder.joined(separator: "/") + "/forsetti-bench-host"
    guard crew.idle > BenchModule.few || crew.subscribers > BenchModule.few else { return path }
    let copy = scratch.path + "/host" + BenchModule.manySuffix
    let result = cbench_copy(path, copy)
    guard result == 0 else { throw BenchFailure("\(copy): errno \(-result)") }
    return copy
  }

  /// Each module takes about ten descriptors.
  private static func raiseDescriptorLimit() {
    var limit = rlimit()
    guard getrlimit(Int32(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(Int32(RLIMIT_NOFILE.rawValue), &limit)
  }
}

/// Errors alone, on the standard error: a measurement writes no log.
struct QuietLogger: ForsettiLogger {
  /// Called when a crash report is on disk, which the supervisor says in its log alone.
  let reported: @Sendable () -> Void

  func isEnabled(_ level: LogLevel) -> Bool { level == .error || level == .warning }

  func log(_ level: LogLevel, _ message: String, moduleID: String?, metadata: [String: String]) {
    if level == .warning, message.hasPrefix("left crash report") { reported() }
    // Modules are ended on purpose, hundreds of times a second.
    if level == .error, !message.hasPrefix("ended unasked") {
      say("forsetti-bench: \(moduleID ?? "runtime"): \(message)")
    }
  }

  func relay(_ level: LogLevel, _ message: String, from moduleID: String, metadata: [String: String]) {
    log(level, message, moduleID: moduleID, metadata: metadata)
  }
}
