import ForsettiCore
import ForsettiHostileSet
import ForsettiRuntime

/// Runs one hostile case in a runtime, from its activation until nothing of it is left, and says what was seen.
@ReactorActor
struct CaseRun {
  /// What anything may take on a machine under load before it counts as not having happened.
  private static let patience = Duration.seconds(10)

  let hostileCase: HostileCase
  let manager: ModuleManager
  let observations: Observations
  let clock: any RuntimeClock
  /// Changes its bundle's executable in place.
  let tamper: @ReactorActor (HostileCase) -> Void

  private var id: String { hostileCase.moduleID }

  /// Runs it. What the neighbours see is not known here.
  func run() async -> CaseFacts {
    let place = observations.count
    let begin = clock.now
    var facts = CaseFacts()
    do throws(ModuleManagerError) {
      try await manager.resetModule(moduleID: id)
      if hostileCase.moment == .tampered { tamper(hostileCase) }
      try await manager.activateModule(moduleID: id)
      if hostileCase.moment == .start || hostileCase.moment == .tampered {
        facts.outcome = .said("active")
        facts.detectMilliseconds = milliseconds(from: begin)
        facts.aftermath = .running
      } else {
        await act(&facts, from: place)
      }
    } catch {
      facts.outcome = .refused(error)
      facts.detectMilliseconds = milliseconds(from: begin)
      facts.aftermath = standing == .discovered ? .down : nil
    }
    // Its own stop is no part of the case, except where it is.
    try? await manager.deactivateModule(moduleID: id)
    return facts
  }

  // MARK: Once it is active

  private func act(_ facts: inout CaseFacts, from place: Int) async {
    var told = clock.now
    do throws(ServiceError) {
      try manager.publish(hostileCase.triggerEvent, payload: [:], inTheNameOf: id)
    } catch { return }
    if hostileCase.moment == .stop {
      // It says so before it stops listening.
      guard await seen(from: place, { $0.event != nil }) != nil else { return }
      told = clock.now
      // That its own stop did not run to the end is the case.
      try? await manager.deactivateModule(moduleID: id)
    }
    let isStop = hostileCase.moment == .stop
    let first = await seen(from: place) { $0.exit != nil || (!isStop && $0.event != nil) }
    facts.detectMilliseconds = milliseconds(from: told, to: first?.time)
    switch first?.kind {
    case .ended(let exit):
      facts.outcome = .ended(exit.reason)
      await recover(&facts, from: place, ended: first?.time ?? told)
    case .said(let event):
      facts.outcome = .said(event.payload["text"] ?? "")
      facts.aftermath = standing == .active && !hasEnded(since: place) ? .running : nil
    case .activated, nil: facts.outcome = .nothing
    }
  }

  /// Waits for what must become of it, as long as it takes to know that it does not.
  private func recover(_ facts: inout CaseFacts, from place: Int, ended: UInt64) async {
    switch hostileCase.aftermath {
    case .restarted:
      let again = await seen(from: place) { $0.isActivation && $0.time >= ended }
      facts.recoverMilliseconds = again.map { milliseconds(from: ended, to: $0.time) }
      facts.aftermath = again == nil ? nil : .restarted
    case .quarantined:
      facts.aftermath = await settles(as: .quarantined) ? .quarantined : nil
    case .down:
      facts.aftermath = await settles(as: .discovered) ? .down : nil
    case .running: facts.aftermath = nil
    }
  }

  // MARK: Looking

  private var standing: ModuleStatus.State? { manager.state(of: id) }

  /// Whether it comes to stand like this: what follows from an end is saved first, on another thread.
  private func settles(as state: ModuleStatus.State) async -> Bool {
    let begin = clock.now
    while standing != state {
      guard clock.now &- begin < Self.patience.clampedNanoseconds else { return false }
      await pause()
    }
    return true
  }

  private func pause() async {
    await withCheckedContinuation { continuation in
      clock.schedule(after: .milliseconds(1)) { continuation.resume() }
    }
  }

  private func hasEnded(since place: Int) -> Bool {
    observations.all[place...].contains { $0.moduleID == id && $0.exit != nil }
  }

  private func seen(
    from place: Int, _ test: @escaping Observations.Test
  ) async -> Observations.Observation? {
    let id = id
    return await observations.first(from: place, within: Self.patience) { $0.moduleID == id && test($0) }
  }

  private func milliseconds(from begin: UInt64, to end: UInt64? = nil) -> Double {
    Double((end ?? clock.now) &- begin) / 1_000_000
  }
}
