internal import ForsettiModuleKit

/// A job under way: what is known of the scopes, and what comes next. It acts on nothing itself; whoever drives it does
/// the steps and tells it what came of them.
///
/// Every step follows from what the scopes hold, not from what was done before. So a run that begins in the middle of a
/// job, after a crash, goes the rest of the way, and a change whose answer was lost is looked up and not made twice.
struct ScopeRun: Sendable, Equatable {
  /// Where it is going.
  enum Course: String, Sendable, CaseIterable {
    /// Out of the sources, into the destination.
    case forward
    /// Everything to where it was.
    case back
    /// Nowhere: a removal that failed half-way. What was removed stays removed.
    case stopped
  }

  /// What was found at the place of a PreStage.
  enum Sight: Sendable, Equatable {
    case scope(PrestageScope)
    /// Somebody has deleted it.
    case gone
  }

  private(set) var record: ScopeRecord
  /// Whether something may have been changed.
  private(set) var isBegun: Bool
  private var sights: [String: Sight] = [:]
  /// Changes that came to nothing so far, or may have.
  private var attempts: [ScopeChange.Key: Int] = [:]
  /// Changes that Jamf said it made. One that is due a second time did not happen.
  private var made: Set<ScopeChange.Key> = []
  /// PreStages that can't be put back as they were, and why.
  private var givenUp: [String: String] = [:]
  private var halt: String?

  /// How often a change is tried: once more with a fresh lock after a conflict, or after an answer that was lost.
  static let attemptLimit = 2

  /// Characters of a cause that are kept: part of it may be Jamf's words.
  private static let causeLimit = 300

  /// Begins a job that was just confirmed.
  init(_ job: ScopeJob, at time: Int64) {
    record = ScopeRecord(job: job, startedAt: time)
    isBegun = false
  }

  /// Takes up a job where the journal says it was left.
  init(resuming record: ScopeRecord) {
    self.record = record
    isBegun = true
  }

  private var job: ScopeJob { record.job }

  /// What is to be done now.
  mutating func next() -> ScopeStep {
    if let halt { return .halt(halt) }
    if let unseen = job.prestages.first(where: { sights[$0.id] == nil }) { return .read(unseen) }
    note()
    guard isBegun || record.removed.isEmpty else { return .end(outcome) }
    // At most once for each course: a change that is due again after it was made turns the course.
    while let change = dueChange() {
      guard made.contains(change.key) else {
        isBegun = true
        return .write(change)
      }
      fail(
        change, "Jamf said that it was done, but \(change.prestage.name) has not changed", isUnclear: false)
      if let halt { return .halt(halt) }
    }
    return .end(outcome)
  }

  /// What a reading found.
  mutating func saw(_ sight: Sight, at prestage: PrestageReference) { sights[prestage.id] = sight }

  /// What came of a change.
  mutating func wrote(_ change: ScopeChange, _ result: ScopeChange.Result) {
    sights[change.prestage.id] = nil
    switch result {
    case .done(let scope):
      made.insert(change.key)
      sights[change.prestage.id] = scope.map { .scope($0) }
    case .conflict(let why), .unclear(let why):
      attempts[change.key, default: 0] += 1
      guard attempts[change.key, default: 0] >= Self.attemptLimit else { return }
      if case .unclear = result { return fail(change, why, isUnclear: true) }
      fail(change, why, isUnclear: false)
    case .refused(let why): fail(change, why, isUnclear: false)
    }
  }

  /// Turns a move round, and stops a removal. Nothing that is on its way back is turned again.
  mutating func turn(because why: String) {
    guard record.course == .forward else { return }
    record.course = job.destination == nil ? .stopped : .back
    record.cause = why.plain(limit: Self.causeLimit)
  }

  private mutating func fail(_ change: ScopeChange, _ why: String, isUnclear: Bool) {
    switch record.course {
    case .forward: turn(because: why)
    // Jamf can't be reached: the way back is open, only not now.
    case .back where isUnclear: halt = why
    case .back: givenUp[change.prestage.id] = why
    case .stopped: break
    }
  }

  /// Remembers the devices that are out of where they were: those alone can be put back.
  private mutating func note() {
    for part in job.sources { record.removed.formUnion(part.serials.filter { !holds(part.prestage, $0) }) }
  }

  private func holds(_ prestage: PrestageReference, _ serial: String) -> Bool {
    if case .scope(let scope) = sights[prestage.id] { scope.contains(serial) } else { false }
  }

  // MARK: - The next change

  private mutating func dueChange() -> ScopeChange? {
    if record.course == .forward, let destination = job.destination, sights[destination.id] == .gone {
      turn(because: "\(destination.name) is no longer there")
    }
    switch record.course {
    case .forward:
      for part in job.sources {
        if let change = change(.remove, part.prestage, part.serials.filter { holds(part.prestage, $0) }) {
          return change
        }
      }
      guard let destination = job.destination else { return nil }
      return change(.add, destination, job.serials.filter { !holds(destination, $0) })
    case .back: return dueWayBack()
    case .stopped: return nil
    }
  }

  private mutating func dueWayBack() -> ScopeChange? {
    if let destination = job.destination, givenUp[destination.id] == nil,
      let change = change(.remove, destination, job.serials.filter { holds(destination, $0) })
    {
      return change
    }
    for part in job.sources where givenUp[part.prestage.id] == nil {
      let missing = part.serials.filter { serial in
        !holds(part.prestage, serial) && !(job.destination.map { holds($0, serial) } ?? false)
      }
      guard !missing.isEmpty else { continue }
      if let change = change(.add, part.prestage, missing) { return change }
      givenUp[part.prestage.id] = "it is no longer there"
    }
    return nil
  }

  private func change(
    _ kind: ScopeChange.Kind, _ prestage: PrestageReference, _ serials: [String]
  ) -> ScopeChange? {
    guard !serials.isEmpty, case .scope(let scope) = sights[prestage.id] else { return nil }
    return ScopeChange(kind: kind, prestage: prestage, serials: serials, lock: scope.lock)
  }

  // MARK: - How it ended

  private var outcome: ScopeOutcome {
    var places = ScopeOutcome.Places()
    for part in job.sources {
      for serial in part.serials {
        if holds(part.prestage, serial) {
          places.atSource.append(serial)
        } else if let destination = job.destination, holds(destination, serial) {
          places.arrived.append(serial)
        } else {
          places.nowhere.append(serial)
        }
      }
    }
    let failures = job.prestages.compactMap { prestage in
      givenUp[prestage.id].map { ScopeOutcome.Failure(prestage: prestage, why: $0) }
    }
    return ScopeOutcome(record: record, isBegun: isBegun, places: places, failures: failures)
  }
}
