public import ForsettiCore

/// What a policy can add to a plan: capabilities, and grants that reach the kernel itself.
public struct PlanGrants: Sendable, Hashable {
  /// Capabilities to grant.
  public var capabilities: Set<Capability>
  /// Direct grants to give.
  public var direct: Set<DirectGrant>

  /// Makes a set; the default adds nothing.
  public init(capabilities: Set<Capability> = [], direct: Set<DirectGrant> = []) {
    self.capabilities = capabilities
    self.direct = direct
  }

  /// How many grants it adds.
  public var count: Int { capabilities.count + direct.count }

  /// Whether it adds nothing.
  public var isEmpty: Bool { count == 0 }

  func union(_ other: PlanGrants) -> PlanGrants {
    PlanGrants(
      capabilities: capabilities.union(other.capabilities), direct: direct.union(other.direct))
  }
}

/// The answer to "what would a policy have to grant for these calls".
public struct GrantSearch: Sendable, Hashable {
  /// The smallest addition whose plan allows every call that any addition allows.
  public var change: PlanGrants
  /// Calls that no policy allows, in the order they were asked about.
  public var refused: [ObservedCall]
}

/// Asks `derive` itself, so that an answer can't differ from what a policy with that grant would do.
extension SandboxPlan {
  /// The smallest addition to these grants and this policy by which a call is allowed; `nil`: no policy allows it.
  static func grantsAllowing(
    _ call: ObservedCall, grants: Set<Capability> = [], policy: SandboxPolicy = SandboxPolicy()
  ) -> PlanGrants? {
    let search = smallestGrants(allowing: [call], grants: grants, policy: policy)
    return search.refused.isEmpty ? search.change : nil
  }

  /// The smallest addition by which all of these calls are allowed that can be. Between two of one size the one
  /// with fewer direct grants wins, then the order of the grants' own lists: the answer is always the same.
  public static func smallestGrants(
    allowing calls: [ObservedCall], grants: Set<Capability>, policy: SandboxPolicy
  ) -> GrantSearch {
    func plan(_ change: PlanGrants) -> SandboxPlan { derive(change, beside: grants, policy) }
    let candidates = effective(beside: grants, policy)
    let widest = plan(candidates.reduce(PlanGrants()) { $0.union($1) })
    let refused = calls.filter { !widest.allows($0) }
    let rest = calls.filter(widest.allows)
    for size in 0...candidates.count {
      for change in combinations(of: candidates, size) where rest.allSatisfy(plan(change).allows) {
        return GrantSearch(change: change, refused: refused)
      }
    }
    return GrantSearch(change: PlanGrants(), refused: calls)
  }

  private static func derive(
    _ change: PlanGrants, beside grants: Set<Capability>, _ policy: SandboxPolicy
  ) -> SandboxPlan {
    var policy = policy
    policy.direct.formUnion(change.direct)
    return derive(grants: grants.union(change.capabilities), policy: policy)
  }

  /// The single grants that change which calls are allowed; a capability that is brokered adds none, and would only
  /// widen the search.
  private static func effective(beside grants: Set<Capability>, _ policy: SandboxPolicy) -> [PlanGrants] {
    let base = derive(grants: grants, policy: policy)
    let capabilities = Capability.allCases.map { PlanGrants(capabilities: [$0]) }
    let direct = DirectGrant.allCases.map { PlanGrants(direct: [$0]) }
    return (capabilities + direct).filter {
      let plan = derive($0, beside: grants, policy)
      return plan.kernel != base.kernel || plan.served != base.served
    }
  }

  private static func combinations(of items: [PlanGrants], _ size: Int) -> [PlanGrants] {
    guard size > 0 else { return [PlanGrants()] }
    return items.indices.flatMap { index in
      combinations(of: Array(items[(index + 1)...]), size - 1).map { items[index].union($0) }
    }
  }
}
