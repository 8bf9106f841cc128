/// What an account needs for an action.
struct JamfRequirement: Sendable, Hashable {
  /// Every one of them, sorted by name.
  let allOf: [JamfPrivilege]
  /// Of each group one set, whole. Sets and the names in them are sorted.
  let anyOf: [[[JamfPrivilege]]]
  /// For what the action shows besides; it is done without them.
  let optional: [JamfPrivilege]

  /// What an action takes for some kinds of device: those of a list that holds both kinds are all needed.
  init(_ action: JamfAction, for assets: Set<JamfAsset> = Set(JamfAsset.allCases)) {
    let steps = action.steps.filter { !$0.assets.isDisjoint(with: assets) }
    var hard: Set<JamfPrivilege> = []
    var groups: [Set<Set<JamfPrivilege>>] = []
    for step in steps where !step.isOptional {
      let sets = Self.smallest(step)
      if sets.count == 1, let only = sets.first {
        hard.formUnion(only)
      } else if sets.count > 1 {
        groups.append(sets)
      }
    }
    // What is needed anyway decides no choice.
    let open = groups.map { Set($0.map { $0.subtracting(hard) }) }.filter { !$0.contains([]) }
    allOf = Self.sorted(hard)
    anyOf = Set(open).map { $0.map(Self.sorted).sorted(by: Self.precedes) }.sorted {
      $0.lexicographicallyPrecedes($1, by: Self.precedes)
    }
    let extra = steps.filter(\.isOptional).reduce(into: Set<JamfPrivilege>()) { found, step in
      if let set = Self.smallest(step).min(by: { Self.precedes(Self.sorted($0), Self.sorted($1)) }) {
        found.formUnion(set)
      }
    }
    optional = Self.sorted(extra.subtracting(hard))
  }

  /// The sets of a step that none of its other sets makes needless.
  private static func smallest(_ step: JamfStep) -> Set<Set<JamfPrivilege>> {
    let sets = Set(step.endpoints.map { Set($0.privileges) })
    return sets.filter { set in !sets.contains { $0.isStrictSubset(of: set) } }
  }

  private static func sorted(_ set: Set<JamfPrivilege>) -> [JamfPrivilege] {
    set.sorted { $0.rawValue < $1.rawValue }
  }

  private static func precedes(_ left: [JamfPrivilege], _ right: [JamfPrivilege]) -> Bool {
    left.lazy.map(\.rawValue).lexicographicallyPrecedes(right.lazy.map(\.rawValue))
  }
}

// MARK: - Compared with what an account has

/// Whether an account may do an action.
enum JamfVerdict: Sendable, Equatable {
  /// Nobody has asked the server.
  case unchecked
  case allowed
  /// Allowed, and these are missing for all that it shows.
  case limited([JamfPrivilege])
  /// These are missing, and of each group all alternatives.
  case refused(missing: [JamfPrivilege], unmet: [[[JamfPrivilege]]])
}

extension JamfRequirement {
  /// - Parameter held: the privileges of the account, by name; nothing while they are unknown.
  func verdict(held: Set<String>?) -> JamfVerdict {
    guard let held else { return .unchecked }
    let has = { (privilege: JamfPrivilege) in held.contains(privilege.rawValue) }
    let missing = allOf.filter { !has($0) }
    let unmet = anyOf.filter { group in !group.contains { $0.allSatisfy(has) } }
    guard missing.isEmpty, unmet.isEmpty else { return .refused(missing: missing, unmet: unmet) }
    let less = optional.filter { !has($0) }
    return less.isEmpty ? .allowed : .limited(less)
  }
}
