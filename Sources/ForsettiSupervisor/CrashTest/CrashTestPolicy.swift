import ForsettiCore
import ForsettiHostileSet

extension Policy {
  /// The user's policy with the suite's modules added: each hostile one is denied all but what its case needs, and held
  /// by the limits of a module of which no rule says otherwise. For the user's own modules nothing changes, but that the
  /// private state needs no person's word, no telemetry leaves, and their user IDs are others than those of a supervisor
  /// that may be running.
  /// - Parameters:
  ///   - bundleFolder: the absolute path of the user's, where there is one; the private state has none.
  ///   - hashes: SHA-256 of the executables of those cases that are bundles, by module ID.
  func forCrashTest(_ cases: [HostileCase], bundleFolder: String?, hashes: [String: String] = [:])
    throws(ModulePatternFault) -> Policy
  {
    var rules: [PolicyRule] = []
    for hostileCase in cases {
      var rule = try hostileRule(hostileCase)
      if let hash = hashes[hostileCase.moduleID] { rule.origin = .sha256(hash) }
      rules.append(rule)
    }
    for neighbour in HostileNeighbour.allCases { rules.append(try neighbourRule(neighbour)) }
    return adding(
      rules: rules, messages: try CrashTestMessages.rules, registration: .automatic, telemetry: .off,
      userIDs: userIDs.last(1_024), bundleFolder: bundleFolder)
  }

  private func hostileRule(_ hostileCase: HostileCase) throws(ModulePatternFault) -> PolicyRule {
    var rule = try ordinaryRule(hostileCase.moduleID, grant: hostileCase.capabilities)
    // Short, for nobody waits for a module that is meant to be late.
    rule.deadlines = [.describe: 500, .start: 500, .stop: 200, .terminate: 200]
    // Where silence is the point; on a busy machine another module, flooding, may well be late for so short a time.
    if hostileCase.expected == .ends(.heartbeatLost) {
      rule.heartbeat = HeartbeatSettings(
        isEnabled: true, numbers: [.intervalMilliseconds: 200, .timeoutMilliseconds: 300])
    }
    if hostileCase.expected == .ends(.cpuLimit) { rule.limits[.cpuSeconds] = 1 }
    // A crash is followed by a start at once, as often as it comes: what is measured is the recovery, not the wait.
    rule.restart = RestartSettings(
      kind: .transient, quarantineEnds: .reset,
      numbers: [
        .backoffFirstMilliseconds: 1, .backoffMaximumMilliseconds: 1, .restarts: 1_000,
        .withinMilliseconds: 1_000,
      ])
    return rule
  }

  private func neighbourRule(_ neighbour: HostileNeighbour) throws(ModulePatternFault) -> PolicyRule {
    var rule = try ordinaryRule(neighbour.moduleID, grant: neighbour.manifest.capabilitiesRequested)
    if neighbour == .listener, let ticks = try? EventPattern(HostileNeighbour.tickEvent) {
      rule.subscribe = [ticks]
    }
    return rule
  }

  /// An exact rule, which is stronger than any pattern of the user's.
  private func ordinaryRule(
    _ moduleID: String, grant: [Capability]
  ) throws(ModulePatternFault) -> PolicyRule {
    let limits = SandboxLimits.Name.allCases.map { ($0, sandboxDefaults.limits[$0]) }
    let own = try? EventPattern(EventPattern.ownID + ".*")
    return PolicyRule(
      try ModulePattern(moduleID), grant: grant, deny: Capability.allCases.filter { !grant.contains($0) },
      limits: Dictionary(limits) { first, _ in first }, mayBeMissing: sandboxDefaults.mayBeMissing,
      publish: own.map { [$0] }, subscribe: own.map { [$0] },
      reason: "crash-test: default deny and the ordinary limits")
  }
}

/// Who of the suite may write to whom: the neighbours to each other, nobody else to anybody.
private enum CrashTestMessages {
  static var rules: [MessageRule] {
    get throws(ModulePatternFault) {
      let suite = try ModulePattern(HostileCase.prefix + "*")
      let everybody = try ModulePattern("*")
      var rules = [MessageRule(from: suite, to: everybody, allow: false)]
      for neighbour in HostileNeighbour.allCases {
        for other in HostileNeighbour.allCases where other != neighbour {
          rules.append(
            MessageRule(
              from: try ModulePattern(neighbour.moduleID), to: try ModulePattern(other.moduleID), allow: true)
          )
        }
      }
      return rules
    }
  }
}

extension UserIDRange {
  /// Its last so many IDs, or all: slots are given from the beginning, so that these are the ones least in use.
  fileprivate func last(_ wanted: UInt32) -> UserIDRange {
    guard count > wanted else { return self }
    return UserIDRange(first: first + (count - wanted), count: wanted)
  }
}
