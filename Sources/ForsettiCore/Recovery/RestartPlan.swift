/// What the restart of one module takes along, as a value (the strategies of Erlang/OTP's supervisors): who is stopped,
/// in which order, and who is started before and after the module itself.
public struct RestartPlan: Sendable, Hashable {
  /// Stopped first, in this order: who came last goes first.
  public var stops: [String]
  /// Started again before the module itself, in this order.
  public var before: [String]
  /// Started again once the module itself is active, in this order.
  public var after: [String]

  /// Makes the plan.
  /// - Parameters:
  ///   - moduleID: the module that ended.
  ///   - active: the modules that run, in the order in which they became active. Others are never in a plan: whoever is
  ///     down has a fate of its own.
  ///   - order: all of these in the order in which modules are activated.
  ///   - consumers: whoever requires what a module provides.
  public init(
    of moduleID: String, strategy: RestartPolicy.Strategy, active: [String], order: [String],
    consumers: (String) -> Set<String>
  ) {
    let taken: Set<String> =
      switch strategy {
      case .one: []
      case .dependents: Self.dependents(of: moduleID, consumers)
      case .all: Set(active)
      }
    let others = active.filter { taken.contains($0) && $0 != moduleID }
    stops = others.reversed()
    let starts = order.filter { others.contains($0) }
    // Whoever requires the module comes after it whatever the order says; of all the others the order decides.
    let place = strategy == .all ? order.firstIndex(of: moduleID) ?? order.endIndex : order.startIndex
    let earlier = Set(order[..<place])
    before = starts.filter { earlier.contains($0) }
    after = starts.filter { !earlier.contains($0) }
  }

  /// Whoever requires the module, or requires somebody who does.
  private static func dependents(of moduleID: String, _ consumers: (String) -> Set<String>) -> Set<String> {
    var found: Set<String> = []
    var open = [moduleID]
    while let next = open.popLast() {
      for consumer in consumers(next) where consumer != moduleID && found.insert(consumer).inserted {
        open.append(consumer)
      }
    }
    return found
  }
}
