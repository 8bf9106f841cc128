/// A script that policies run.
struct Script: Sendable, Equatable {
  var number: Int
  var name: String
  var contents: String
}

/// A policy that runs a script on some computers, each once, when they check in.
struct Policy: Sendable, Equatable {
  var number: Int
  var name: String
  /// ID of its script.
  var script: Int
  /// The first parameter that a script can have of a policy.
  var parameter: String
  /// IDs of computers.
  var computers: [Int]
  /// Those that have run it.
  var finished: Set<Int> = []
}

/// Scripts and policies, and the computers that are about to check in.
struct PolicyBook: Sendable {
  private(set) var scripts: [Script] = []
  private(set) var policies: [Policy] = []
  private var numbers = 0
  private var checkIns: [(computer: Int, due: Int64)] = []

  /// An application that is there or gone when a policy has run.
  struct Effect: Sendable, Equatable {
    var computer: Int
    var application: String
    var isInstalled: Bool
    /// Milliseconds since 1970.
    var time: Int64
  }

  /// So many of each are kept.
  static let limit = 1_000

  /// Gives nothing where there are too many.
  mutating func addScript(name: String, contents: String) -> Script? {
    guard scripts.count < Self.limit else { return nil }
    numbers += 1
    let script = Script(number: numbers, name: name, contents: contents)
    scripts.append(script)
    return script
  }

  /// Gives nothing where there are too many.
  mutating func addPolicy(name: String, script: Int, parameter: String, computers: [Int]) -> Policy? {
    guard policies.count < Self.limit else { return nil }
    numbers += 1
    let policy = Policy(
      number: numbers, name: name, script: script, parameter: parameter, computers: computers)
    policies.append(policy)
    return policy
  }

  /// Whether there was one.
  mutating func removeScript(_ number: Int) -> Bool {
    let before = scripts.count
    scripts.removeAll { $0.number == number }
    return scripts.count < before
  }

  /// Whether there was one.
  mutating func removePolicy(_ number: Int) -> Bool {
    let before = policies.count
    policies.removeAll { $0.number == number }
    return policies.count < before
  }

  /// A computer that was pushed checks in after the time that it takes for an order; one that fails never does.
  mutating func push(_ computer: Int, now: Int64) {
    switch MDMCommand.Fate(device: computer) {
    case .fails: break
    case .obeys: checkIns.append((computer, now + MDMCommand.answerTime))
    case .hesitates: checkIns.append((computer, now + MDMCommand.retryTime))
    }
  }

  /// What policies have done by now. A script is understood as far as it asks Jamf's own program for a trigger.
  mutating func takeEffects(now: Int64) -> [Effect] {
    let due = checkIns.filter { $0.due <= now }
    guard !due.isEmpty else { return [] }
    checkIns.removeAll { $0.due <= now }
    var effects: [Effect] = []
    for (computer, time) in due {
      for index in policies.indices
      where policies[index].computers.contains(computer) && !policies[index].finished.contains(computer) {
        policies[index].finished.insert(computer)
        guard let script = scripts.first(where: { $0.number == policies[index].script }),
          script.contents.contains("install-$4")
        else { continue }
        effects.append(
          Effect(
            computer: computer, application: policies[index].parameter,
            isInstalled: !script.contents.contains("uninstall-$4"), time: time))
      }
    }
    return effects
  }
}
