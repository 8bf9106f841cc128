import Testing

@testable import ForsettiModules

/// Jamf's side of a job, for tests of the run: scopes with their locks, and what goes wrong in them.
struct PrestageWorld {
  /// What happens to a change.
  enum Fate: Equatable {
    case normal
    case refused
    /// Nothing is done, and nobody knows.
    case lostRequest
    /// It is done, and nobody knows.
    case lostAnswer
    /// Somebody else changes the scope just before.
    case overtaken
    /// Jamf says that it was done, and it was not.
    case lied
  }

  var scopes: [String: Set<String>]
  var locks: [String: Int64] = [:]
  /// Of the changes, in their order; the rest are normal.
  var fates: [Fate] = []
  private(set) var changes: [ScopeChange] = []

  static func prestage(_ id: String) throws -> PrestageReference {
    try #require(PrestageReference(id: id, name: "PreStage \(id)"))
  }

  func sight(_ prestage: PrestageReference) -> ScopeRun.Sight {
    scopes[prestage.id].map {
      .scope(PrestageScope(serials: $0.sorted(), lock: locks[prestage.id] ?? 0))
    } ?? .gone
  }

  mutating func make(_ change: ScopeChange) -> ScopeChange.Result {
    let fate = fates.isEmpty ? .normal : fates.removeFirst()
    changes.append(change)
    let id = change.prestage.id
    switch fate {
    case .refused: return .refused("refused")
    case .lostRequest: return .unclear("lost")
    case .lied: return .done(nil)
    case .overtaken: locks[id, default: 0] += 1
    case .normal, .lostAnswer: break
    }
    guard change.lock == locks[id] ?? 0 else { return .conflict("overtaken") }
    guard let scope = scopes[id] else { return .refused("gone") }
    let serials = Set(change.serials)
    switch change.kind {
    case .remove:
      guard scope.isSuperset(of: serials) else { return .refused("unknown") }
      scopes[id] = scope.subtracting(serials)
    case .add:
      guard scopes.values.allSatisfy({ $0.isDisjoint(with: serials) }) else {
        return .refused("already scoped")
      }
      scopes[id] = scope.union(serials)
    }
    locks[id, default: 0] += 1
    if fate == .lostAnswer { return .unclear("lost") }
    return .done(
      fates.count.isMultiple(of: 2)
        ? nil : PrestageScope(serials: (scopes[id] ?? []).sorted(), lock: locks[id]))
  }

  /// Does what a run wants, so many steps at most. What is left at its end or halt is the last step.
  mutating func drive(_ run: inout ScopeRun, steps: Int = 100) -> ScopeStep {
    var step = run.next()
    for _ in 0..<steps {
      switch step {
      case .read(let prestage): run.saw(sight(prestage), at: prestage)
      case .write(let change): run.wrote(change, make(change))
      case .halt, .end: return step
      }
      step = run.next()
    }
    return step
  }
}
