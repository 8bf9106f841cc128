extension Policy {
  /// The order in which modules are activated: first those the policy names, exactly as written; then the rest,
  /// providers before those that require their role, services before UI and app modules, and by ID. Where the
  /// rest require each other in a circle, the first of the circle by ID goes first.
  ///
  /// IDs that occur twice are kept once; an ID without a manifest requires nothing.
  public func activationOrder(
    of moduleIDs: some Sequence<String>, manifests: [String: ModuleManifest]
  ) -> [String] {
    var waiting: [ActivationCandidate] = []
    var known: [[UInt8]: Int] = [:]
    for moduleID in moduleIDs {
      let key = ModulePattern.folded(moduleID)
      guard known[key] == nil else { continue }
      known[key] = waiting.count
      waiting.append(ActivationCandidate(moduleID: moduleID, key: key, manifest: manifests[moduleID]))
    }
    var ordered: [String] = []
    var isPlaced = [Bool](repeating: false, count: waiting.count)
    for moduleID in activationOrder {
      guard let index = known[ModulePattern.folded(moduleID)], !isPlaced[index] else { continue }
      isPlaced[index] = true
      ordered.append(waiting[index].moduleID)
    }
    let rest = waiting.indices.filter { !isPlaced[$0] }.map { waiting[$0] }
    return ordered + Self.ordered(rest, providers: roleProviders)
  }

  private var roleProviders: [DefaultModuleRole: [UInt8]] {
    roles.compactMapValues { provider in
      if case .module(let moduleID) = provider { ModulePattern.folded(moduleID) } else { nil }
    }
  }

  /// Kahn's algorithm, always taking the first candidate that waits for nobody. At most five modules provide
  /// roles, so the cursor goes back a handful of times at most and the whole is linear behind the sort.
  private static func ordered(
    _ candidates: [ActivationCandidate], providers: [DefaultModuleRole: [UInt8]]
  ) -> [String] {
    let sorted = candidates.sorted()
    let places = Dictionary(uniqueKeysWithValues: sorted.enumerated().map { ($1.key, $0) })
    var needs: [Set<Int>] = sorted.enumerated().map { index, candidate in
      Set(candidate.requiredRoles.compactMap { role in providers[role].flatMap { places[$0] } })
        .subtracting([index])
    }
    var consumers: [Int: [Int]] = [:]
    for (index, wanted) in needs.enumerated() {
      for provider in wanted { consumers[provider, default: []].append(index) }
    }
    var isPlaced = [Bool](repeating: false, count: sorted.count)
    var ordered: [String] = []
    var cursor = 0
    while ordered.count < sorted.count {
      while cursor < sorted.count, isPlaced[cursor] || !needs[cursor].isEmpty { cursor += 1 }
      guard let next = cursor < sorted.count ? cursor : firstOfCircle(isPlaced, needs) else { break }
      isPlaced[next] = true
      ordered.append(sorted[next].moduleID)
      for consumer in consumers[next] ?? [] {
        needs[consumer].remove(next)
        if needs[consumer].isEmpty { cursor = min(cursor, consumer) }
      }
    }
    return ordered
  }

  /// The first candidate, by order, that waits for itself through others; what merely hangs on a circle waits on.
  private static func firstOfCircle(_ isPlaced: [Bool], _ needs: [Set<Int>]) -> Int? {
    needs.indices.first { start in
      guard !isPlaced[start] else { return false }
      var seen: Set<Int> = []
      var open = Array(needs[start])
      while let index = open.popLast() {
        if index == start { return true }
        if seen.insert(index).inserted { open += needs[index] }
      }
      return false
    }
  }
}

/// A module that waits for its place in the order.
private struct ActivationCandidate: Comparable {
  let moduleID: String
  let key: [UInt8]
  let isService: Bool
  let requiredRoles: Set<DefaultModuleRole>

  init(moduleID: String, key: [UInt8], manifest: ModuleManifest?) {
    self.moduleID = moduleID
    self.key = key
    isService = manifest.map { $0.moduleType == .service } ?? true
    requiredRoles = manifest?.runtimeRequirements.requiredRoles ?? []
  }

  static func < (left: ActivationCandidate, right: ActivationCandidate) -> Bool {
    if left.isService != right.isService { return left.isService }
    return left.key.lexicographicallyPrecedes(right.key)
  }

  static func == (left: ActivationCandidate, right: ActivationCandidate) -> Bool {
    left.key == right.key
  }
}
