/// What one may do over the control socket (docs/control.md).
public enum ControlRight: String, Sendable, Hashable, CaseIterable {
  /// Look at modules, logs and events.
  case read
  /// Start, stop and call modules, and end the supervisor.
  case change
  /// Decide whom to trust: accept registrations, hand secrets to modules.
  case trust
}

/// Who holds which right over the control socket. Root and the supervisor's own user hold all: they could end it, or
/// change its files, without asking.
public struct ControlPolicy: Sendable, Hashable {
  /// Whom a policy can name.
  public enum Holder: Sendable, Hashable {
    case user(UInt32)
    /// Everybody in this group, as primary or supplementary.
    case group(UInt32)
  }

  /// Holders as the policy names them.
  public var holders: [ControlRight: [Holder]]

  /// Makes a policy; silence gives nobody else a right.
  public init(_ holders: [ControlRight: [Holder]] = [:]) { self.holders = holders }

  /// What a process may do. Whoever may change or trust may read too: one must see what one changes.
  /// - Parameter owner: the supervisor's own user.
  public func rights(user: UInt32, groups: [UInt32], owner: UInt32) -> Set<ControlRight> {
    guard user != 0, user != owner else { return Set(ControlRight.allCases) }
    var rights = Set<ControlRight>()
    for (right, named) in holders {
      let isNamed = named.contains { holder in
        switch holder {
        case .user(let id): id == user
        case .group(let id): groups.contains(id)
        }
      }
      if isNamed { rights.formUnion([right, .read]) }
    }
    return rights
  }

  /// Whether anybody but root and the supervisor's own user may connect.
  public var isShared: Bool { holders.values.contains { !$0.isEmpty } }
}
