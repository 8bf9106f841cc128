/// What a run wants done next.
enum ScopeStep: Sendable, Equatable {
  case read(PrestageReference)
  case write(ScopeChange)
  /// It can't go on now, and will later: the journal is kept.
  case halt(String)
  case end(ScopeOutcome)
}

/// One change of one scope, with the lock that it has seen.
struct ScopeChange: Sendable, Equatable {
  enum Kind: Sendable, Hashable { case remove, add }

  /// What is done where. In one course of a job each is due once.
  struct Key: Sendable, Hashable {
    let kind: Kind
    let prestageID: String
  }

  let kind: Kind
  let prestage: PrestageReference
  /// Sorted, each once.
  let serials: [String]
  /// Nothing where Jamf gave none: such a change can't be made.
  let lock: Int64?

  var key: Key { Key(kind: kind, prestageID: prestage.id) }

  /// As words, for progress.
  var title: String {
    let devices = ScopeJob.devices(serials.count)
    return switch kind {
    case .remove: "Removing \(devices) from \(prestage.name)"
    case .add: "Adding \(devices) to \(prestage.name)"
    }
  }

  /// What came of it; the texts say why.
  enum Result: Sendable, Equatable {
    /// With the scope as it is now, where Jamf said so.
    case done(PrestageScope?)
    /// Somebody has changed the scope meanwhile; nothing was done.
    case conflict(String)
    /// Jamf won't; nothing was done.
    case refused(String)
    /// The answer was lost, or Jamf was in trouble: it may have been done or not.
    case unclear(String)
  }
}
