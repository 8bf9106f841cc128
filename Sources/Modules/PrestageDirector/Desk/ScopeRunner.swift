internal import ForsettiModuleKit

/// Does the steps of a run, and keeps the journal.
@MainActor
struct ScopeRunner {
  let jamf: PrestageClient
  let journal: ScopeJournal?
  /// Whether somebody wants it to turn round.
  let isCalledOff: () -> Bool
  let onStart: (ScopeChange) -> Void
  let onResult: (ScopeChange, ScopeChange.Result) async -> Void

  /// How far a run came.
  enum End: Sendable, Equatable {
    /// It could not begin.
    case untouched(why: String)
    /// It can't go on now; the journal has it.
    case halted(ScopeRecord, why: String)
    /// It ended. Where its devices are not all settled, the journal has it still.
    case ended(ScopeOutcome, open: ScopeRecord?)
  }

  /// Goes on until the run ends, or can't go on.
  /// - Parameter wasResumed: whether something may have been changed already.
  func carry(_ first: ScopeRun, wasResumed: Bool) async -> End {
    var run = first
    var hasChanged = wasResumed
    while true {
      if isCalledOff() { run.turn(because: "It was called off.") }
      switch run.next() {
      case .read(let prestage):
        do throws(JamfFailure) { run.saw(.scope(try await jamf.scope(prestage)), at: prestage) } catch {
          guard case .notFound = error else {
            return await halted(run, "\(error.what) \(error.advice)", hasChanged)
          }
          run.saw(.gone, at: prestage)
        }
      case .write(let change):
        // Before a change, never behind it: what is not in the journal can't be finished.
        do throws(ServiceError) { try await keep(run.record) } catch {
          return await unkept(run, "The journal can't be kept: \(error).", hasChanged)
        }
        hasChanged = true
        onStart(change)
        let result = await jamf.make(change)
        run.wrote(change, result)
        await onResult(change, result)
      case .halt(let why): return await halted(run, why, hasChanged)
      case .end(let outcome): return await ended(run, outcome, hasChanged)
      }
    }
  }

  private func halted(_ run: ScopeRun, _ why: String, _ hasChanged: Bool) async -> End {
    guard hasChanged else { return .untouched(why: why) }
    await keepLast(run.record)
    return .halted(run.record, why: why)
  }

  private func ended(_ run: ScopeRun, _ outcome: ScopeOutcome, _ hasChanged: Bool) async -> End {
    guard outcome.isSettled else {
      await keepLast(run.record)
      return .ended(outcome, open: run.record)
    }
    guard hasChanged else { return .ended(outcome, open: nil) }
    do throws(ServiceError) { try await journal?.finish(run.record) } catch {
      // It is not marked, so it is taken up at the next start, and found done.
      return .ended(outcome, open: run.record)
    }
    return .ended(outcome, open: nil)
  }

  /// A record whose word came too late may have been kept all the same, and would be taken up at the next start.
  private func unkept(_ run: ScopeRun, _ why: String, _ hasChanged: Bool) async -> End {
    guard !hasChanged else { return await halted(run, why, hasChanged) }
    do throws(ServiceError) { try await journal?.finish(run.record) } catch {
      return .halted(run.record, why: why)
    }
    return .untouched(why: why)
  }

  private func keep(_ record: ScopeRecord) async throws(ServiceError) {
    guard let journal else { throw .serviceUnavailable(role: "", why: "no storage is granted") }
    try await journal.keep(record)
  }

  /// An older state of the job does as well: it is found out again what is to be done.
  private func keepLast(_ record: ScopeRecord) async { try? await journal?.keep(record) }
}
