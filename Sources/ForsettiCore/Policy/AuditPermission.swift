/// Whether a policy lets a module be audited: calls that would be violations are let through and recorded.
public enum AuditPermission: String, Sendable, Hashable, CaseIterable {
  /// `run --audit MODULE` may be used.
  case allowed
  /// It may not.
  case refused
}

/// Why a module is not audited, each with its way out.
public enum AuditRefusal: Error, Sendable, Hashable {
  /// The policy doesn't say that it may be.
  case notAllowed
  /// Every module is registered by a person's word, and an audit would run what nobody reviewed with less than that.
  case reviewedRegistration
  /// A call let through beside threads could be changed by another thread while it waits.
  case threads
  /// Nothing else would hold what the filter lets through.
  case noLandlock

  /// Asks policy and kernel; `nil`: nothing is in the way.
  /// - Parameter landlockABI: this kernel's; 0 where it has none.
  public init?(moduleID: String, origin: ModuleOrigin, policy: Policy, landlockABI: Int) {
    if policy.audit(for: moduleID, origin: origin) != .allowed {
      self = .notAllowed
    } else if policy.registration == .reviewed {
      self = .reviewedRegistration
    } else if policy.sandbox(for: moduleID, origin: origin).direct.contains(.threads) {
      self = .threads
    } else if landlockABI < 1 {
      self = .noLandlock
    } else {
      return nil
    }
  }

  /// What is in the way, and the way out, on one line.
  public var message: String {
    switch self {
    case .notAllowed: "the policy does not allow it; say \"audit\": \"allowed\" in its rule"
    case .reviewedRegistration:
      "the policy lets a module run only once a person has reviewed it (\"registration\": \"reviewed\"); "
        + "audit it under a policy of its own"
    case .threads:
      "the policy grants it threads, and one could change what another's call means while it waits; "
        + "take the grant away for the audit"
    case .noLandlock: "this kernel has no Landlock, and nothing else would hold the files that it opens"
    }
  }
}

extension Policy {
  /// Whether a module may be audited: the strongest rule that says anything of it decides, then the policy itself.
  public func audit(for moduleID: String, origin: ModuleOrigin = .builtIn) -> AuditPermission {
    rules(for: moduleID, origin: origin).lazy.compactMap(\.audit).first ?? audit
  }
}
