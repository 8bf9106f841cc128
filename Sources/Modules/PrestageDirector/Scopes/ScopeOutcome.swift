/// How a job ended: where each device is now, and what that amounts to.
struct ScopeOutcome: Sendable, Equatable {
  /// What it amounts to.
  enum Verdict: String, Sendable, CaseIterable {
    case moved, removed
    /// A removal that failed half-way.
    case stopped
    /// Before anything was changed, the devices were no longer where the plan had found them.
    case stale
    /// A failure, and nothing had been changed.
    case unchanged
    /// A failure, and everything is where it was.
    case rolledBack
    /// A failure, and some devices could not be put back.
    case partlyRolledBack
    /// A failure, and no device could be put back.
    case notRolledBack
  }

  /// Where the devices are.
  struct Places: Sendable, Equatable {
    /// In the PreStage they came from.
    var atSource: [String] = []
    /// In the destination.
    var arrived: [String] = []
    /// In none of the job's PreStages.
    var nowhere: [String] = []
  }

  /// A PreStage that could not be put back as it was.
  struct Failure: Sendable, Equatable {
    let prestage: PrestageReference
    let why: String
  }

  let job: ScopeJob
  let verdict: Verdict
  let places: Places
  /// Devices that were out of their PreStage and are in it again.
  let restored: [String]
  /// What turned it round.
  let cause: String?
  let failures: [Failure]

  init(record: ScopeRecord, isBegun: Bool, places: Places, failures: [Failure]) {
    job = record.job
    self.places = places
    self.failures = failures
    cause = record.cause
    restored = places.atSource.filter(record.removed.contains)
    verdict =
      switch record.course {
      case _ where !isBegun && !record.removed.isEmpty: .stale
      case .forward: record.job.destination == nil ? .removed : .moved
      case .stopped where places.nowhere.isEmpty: .unchanged
      case .stopped: places.atSource.isEmpty ? .removed : .stopped
      case .back:
        if record.removed.isEmpty {
          .unchanged
        } else if restored.count == record.removed.count {
          .rolledBack
        } else {
          restored.isEmpty ? .notRolledBack : .partlyRolledBack
        }
      }
  }

  /// Whether nothing is left to be done for its devices. A removal leaves them in no PreStage, as it should.
  var isSettled: Bool { job.destination == nil || verdict == .stale || places.nowhere.isEmpty }
}

extension ScopeOutcome {
  /// One line for people: what came of it.
  var summary: String {
    let count = job.serials.count
    let all = ScopeJob.devices(count)
    return switch verdict {
    case .moved: "Moved \(all) to \(job.destination?.name ?? "")."
    case .removed: "Removed \(all)."
    case .stopped:
      "Stopped half-way: \(places.nowhere.count) of \(all) removed, \(places.atSource.count) still where they were."
    case .stale: "Nothing was changed: the devices are no longer where the plan found them. Plan anew."
    case .unchanged: "Nothing was changed."
    case .rolledBack:
      "Rolled back in full: \(ScopeJob.devices(restored.count)) put back, everything is where it was."
    case .partlyRolledBack:
      "Rolled back in part: \(restored.count) put back, \(places.nowhere.count) in no PreStage, "
        + "\(places.arrived.count) in \(job.destination?.name ?? "")."
    case .notRolledBack:
      "Not rolled back: \(places.nowhere.count) in no PreStage, \(places.arrived.count) in \(job.destination?.name ?? "")."
    }
  }
}
