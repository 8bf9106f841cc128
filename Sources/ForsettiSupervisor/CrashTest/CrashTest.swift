import ForsettiCore
import ForsettiHostileSet
import ForsettiRuntime

/// The product's own proof: hostile modules beside the user's, one after the other or many at once, with what their
/// neighbours see of it.
@ReactorActor
final class CrashTest {
  /// How long the neighbours work undisturbed first, for comparison.
  private static let quiet = Duration.seconds(1)

  private let bootstrap: ForsettiRuntimeBootstrap
  private let observations: Observations
  private let clock: any RuntimeClock
  private let reports: CrashReportStore
  /// Reports that were looked at.
  private var known: Set<CrashReportID> = []
  private let tamper: @ReactorActor (HostileCase) -> Void
  private var tokens: [SubscriptionToken] = []
  private(set) var isInterrupted = false

  /// - Parameters:
  ///   - observations: what the runtime's launcher reports to.
  ///   - reports: where the runtime leaves its crash reports.
  ///   - tamper: changes the executable of a case that is a bundle.
  init(
    _ bootstrap: ForsettiRuntimeBootstrap, _ observations: Observations, clock: any RuntimeClock,
    reports: CrashReportStore, tamper: @escaping @ReactorActor (HostileCase) -> Void
  ) {
    self.reports = reports
    self.tamper = tamper
    self.bootstrap = bootstrap
    self.observations = observations
    self.clock = clock
  }

  /// Ends the test early: what runs is stopped, and `run` returns.
  func interrupt() {
    isInterrupted = true
    observations.close()
    bootstrap.runtime.kill()
  }

  /// Boots, runs the cases and shuts down; nothing is left whatever happens.
  /// - Parameter progress: hears of each case before it runs.
  func run(
    _ cases: [HostileCase], storm: StormPlan?, progress: @ReactorActor (String) -> Void
  ) async throws(BootFailure) -> CrashTestReport {
    listen(to: cases)
    defer { for token in tokens { token.cancel() } }
    let booted = try await bootstrap.bootForProduction()
    guard let manager = bootstrap.runtime.moduleManager else { throw .interrupted }
    // Without witnesses nothing can be shown.
    for neighbour in HostileNeighbour.allCases where manager.state(of: neighbour.moduleID) != .active {
      let failure = manager.status().modules.first { $0.moduleID == neighbour.moduleID }?.failure
      _ = await bootstrap.shutDown()
      throw failure.map { .module($0) } ?? .interrupted
    }
    let neighbourhood = Neighbourhood(
      manager, observations,
      userModuleIDs: manager.activeModuleIDs.filter { !$0.hasPrefix(HostileCase.prefix) })
    var report = CrashTestReport(
      userModules: manager.activeModuleIDs.count - HostileNeighbour.allCases.count,
      notStarted: booted.failures.map(\.message))
    progress("the neighbours alone")
    _ = await neighbourhood.endSpan()
    await wait(Self.quiet)
    report.quiet = await neighbourhood.endSpan()
    await ModuleProcess.whenLetGo()
    report.before = .current()
    for (index, hostileCase) in cases.enumerated() where !isInterrupted {
      progress("\(index + 1) of \(cases.count): \(hostileCase.name)")
      report.results.append(contentsOf: await wave([hostileCase], manager, neighbourhood))
    }
    if let storm, !isInterrupted {
      progress("storm of \(storm.seconds) s")
      report.storm = await run(storm, cases, manager, neighbourhood)
    }
    // The workers that name functions are processes too.
    await manager.finishCrashReports()
    await ModuleProcess.whenLetGo()
    report.after = .current()
    report.isInterrupted = isInterrupted
    _ = await bootstrap.shutDown()
    return report
  }

  // MARK: Cases

  /// Runs cases at once; each is judged by what its neighbours saw of all of them.
  private func wave(
    _ cases: [HostileCase], _ manager: ModuleManager, _ neighbourhood: Neighbourhood
  ) async -> [CaseResult] {
    let place = observations.count
    let runs = cases.map { hostileCase in
      CaseRun(
        hostileCase: hostileCase, manager: manager, observations: observations, clock: clock, tamper: tamper)
    }
    let tasks = runs.map { run in Task(executorPreference: Reactor.shared) { await run.run() } }
    var seen: [CaseFacts] = []
    for task in tasks { seen.append(await task.value) }
    await bootstrap.runtime.finishCrashReports()
    let reports = await newReports()
    let span = await neighbourhood.endSpan()
    let own = Set(cases.map(\.moduleID))
    let others = observations.all[place...].filter { $0.exit != nil && !own.contains($0.moduleID) }
    return zip(cases, seen).map { hostileCase, facts in
      var facts = facts
      facts.neighbours = span
      facts.report = reports[hostileCase.moduleID]
      facts.othersEnded = others.map(\.moduleID)
      return CaseResult(hostileCase: hostileCase, facts: facts)
    }
  }

  private func run(
    _ plan: StormPlan, _ cases: [HostileCase], _ manager: ModuleManager, _ neighbourhood: Neighbourhood
  ) async -> StormReport {
    var storm = StormReport(plan)
    var waves = StormWaves(plan.seed, cases)
    let end = clock.now &+ UInt64(plan.seconds) &* 1_000_000_000
    while clock.now < end, !isInterrupted {
      storm.add(await wave(waves.next(), manager, neighbourhood))
    }
    return storm
  }

  // MARK: Seeing

  /// The newest report of each module since this was asked last. One that can't be read is none.
  private func newReports() async -> [String: CrashReport] {
    let found = await Self.read(reports, besides: known)
    known.formUnion(found.map(\.id))
    return Dictionary(found.map { ($0.module.moduleID, $0) }) { newest, _ in newest }
  }

  /// Off the reactor, whose modules are being timed. Newest first.
  @concurrent
  private nonisolated static func read(
    _ store: CrashReportStore, besides known: Set<CrashReportID>
  ) async -> [CrashReport] {
    ((try? store.ids()) ?? []).filter { !known.contains($0) }.compactMap { try? store.read($0) }
  }

  private func listen(to cases: [HostileCase]) {
    let (bus, observations) = (bootstrap.runtime.bus, observations)
    let types =
      cases.map { ($0.resultEvent, $0.moduleID) }
      + HostileNeighbour.allCases.map { ($0.reportEvent, $0.moduleID) }
    for (type, moduleID) in types {
      tokens.append(
        bus.subscribe(to: type) { event in
          // Nobody else's word: the source is the supervisor's.
          if event.sourceModuleID == moduleID { observations.add(.said(event), of: moduleID) }
        })
    }
    tokens.append(
      bus.subscribe(to: "forsetti.lifecycle.activated") { event in
        if let id = event.payload["moduleID"] { observations.add(.activated, of: id) }
      })
  }

  private func wait(_ time: Duration) async {
    _ = await observations.first(from: observations.count, within: time) { _ in false }
  }
}
