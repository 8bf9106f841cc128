import ForsettiCore
import ForsettiRuntime

/// What is seen of modules from outside while a case runs, in the order it happened, with the time of each.
@ReactorActor
final class Observations {
  /// One thing seen.
  struct Observation {
    /// What it is.
    enum Kind {
      case ended(ModuleExit)
      case activated
      case said(ForsettiEvent)
    }

    var moduleID: String
    var kind: Kind
    /// Nanoseconds of the clock.
    var time: UInt64

    /// How it ended, if this is an end.
    var exit: ModuleExit? { if case .ended(let exit) = kind { exit } else { nil } }
    /// What it said, if this is an event.
    var event: ForsettiEvent? { if case .said(let event) = kind { event } else { nil } }
    /// Whether it became active.
    var isActivation: Bool { if case .activated = kind { true } else { false } }
  }

  /// Whether an observation is the one that is waited for.
  typealias Test = @ReactorActor (Observation) -> Bool

  private struct Waiter {
    let id: Int
    let test: Test
    let continuation: CheckedContinuation<Observation?, Never>
  }

  private let clock: any RuntimeClock
  private var waiters: [Waiter] = []
  private var nextWaiter = 0
  private var isClosed = false
  private(set) var all: [Observation] = []

  init(clock: any RuntimeClock) { self.clock = clock }

  /// How many there are: a place to look from later.
  var count: Int { all.count }

  func add(_ kind: Observation.Kind, of moduleID: String) {
    let observation = Observation(moduleID: moduleID, kind: kind, time: clock.now)
    all.append(observation)
    let woken = waiters.filter { $0.test(observation) }
    waiters.removeAll { waiter in woken.contains { $0.id == waiter.id } }
    for waiter in woken { waiter.continuation.resume(returning: observation) }
  }

  /// The first one from a place on that passes the test; `nil` when none has come in time, or nothing more will.
  func first(from place: Int, within time: Duration, where test: @escaping Test) async -> Observation? {
    await withCheckedContinuation { continuation in
      if isClosed { return continuation.resume(returning: nil) }
      if let seen = all[min(place, all.count)...].first(where: test) {
        return continuation.resume(returning: seen)
      }
      nextWaiter += 1
      let id = nextWaiter
      waiters.append(Waiter(id: id, test: test, continuation: continuation))
      clock.schedule(after: time) { [weak self] in self?.giveUp(id) }
    }
  }

  /// Ends every wait, those to come too.
  func close() {
    isClosed = true
    for waiter in waiters { waiter.continuation.resume(returning: nil) }
    waiters = []
  }

  private func giveUp(_ id: Int) {
    guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
    waiters.remove(at: index).continuation.resume(returning: nil)
  }
}

/// Makes module processes as another launcher does, and notes the end of each with its exact reason.
@ReactorActor
final class ObservingLauncher: ModuleLauncher {
  private let launcher: any ModuleLauncher
  private let observations: Observations

  init(_ launcher: any ModuleLauncher, _ observations: Observations) {
    self.launcher = launcher
    self.observations = observations
  }

  func makeInstance(
    for module: LoadedManifest, by policy: Policy, convalescence: Duration?,
    ended: @escaping @ReactorActor (ModuleExit) -> Void
  ) async throws(ModuleManagerError) -> any ModuleInstance {
    let observations = observations
    let id = module.manifest.moduleID
    return try await launcher.makeInstance(for: module, by: policy, convalescence: convalescence) { exit in
      observations.add(.ended(exit), of: id)
      ended(exit)
    }
  }

  func keepPrograms(of catalog: ForsettiModuleCatalog) { launcher.keepPrograms(of: catalog) }
}
