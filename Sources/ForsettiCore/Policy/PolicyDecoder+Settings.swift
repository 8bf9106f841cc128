/// The settings that the defaults and a rule share; `nil` and absent mean silence.
struct PolicySettings {
  var limits: [SandboxLimits.Name: UInt64] = [:]
  var direct: Set<DirectGrant>?
  var mayBeMissing: Set<SandboxLayer>?
  var deadlines: [PhaseDeadlines.Name: Int] = [:]
  var restart = RestartSettings()
  var heartbeat = HeartbeatSettings()
  var cgroup = CgroupLimits()
  var rates: [ModuleRates.Name: Int] = [:]
}

extension PolicyReader {
  /// Sandbox, deadlines, restart, heartbeat and rates of one object. Numbers that belong together are checked together, those the
  /// object is silent of taken from `defaults`.
  mutating func settings(of object: PolicyObjectNode, over defaults: PolicyDefaults) -> PolicySettings {
    var settings = PolicySettings()
    if let node = object["sandbox"] { sandbox(node, &settings, defaults.sandbox.limits) }
    if let node = object["deadlineMilliseconds"],
      let deadlines = self.object(node, .deadlineMilliseconds)
    {
      for name in PhaseDeadlines.Name.allCases {
        guard let value = deadlines[name.rawValue].flatMap({ integer($0, in: PhaseDeadlines.range) })
        else { continue }
        settings.deadlines[name] = Int(value)
      }
    }
    if let node = object["restart"] { restart(node, &settings, defaults.restart) }
    if let node = object["heartbeat"] { settings.heartbeat = heartbeat(node) }
    if let node = object["rates"], let rates = self.object(node, .rates) {
      for name in ModuleRates.Name.allCases {
        guard let value = rates[name.rawValue].flatMap({ integer($0, in: name.range) }) else { continue }
        settings.rates[name] = Int(value)
      }
    }
    return settings
  }

  private mutating func sandbox(
    _ node: PolicyNode, _ settings: inout PolicySettings, _ defaults: SandboxLimits
  ) {
    guard let object = object(node, .sandbox) else { return }
    if let node = object["limits"] { limits(node, &settings, defaults) }
    if let node = object["cgroup"] { settings.cgroup = cgroupLimits(node) }
    if let node = object["direct"] { settings.direct = directGrants(node) }
    guard let node = object["mayBeMissing"] else { return }
    settings.mayBeMissing = Set(
      list(node, key: { $0 }) { (reader, node) -> SandboxLayer? in
        guard let layer = reader.choice(node, "layer", of: SandboxLayer.self) else { return nil }
        if SandboxLayer.dispensable.contains(layer) { return layer }
        reader.fault(
          node,
          "no module runs without \(layer.rawValue.quoted()); only "
            + SandboxLayer.dispensable.map { $0.rawValue.quoted() }.joined(separator: ", ")
            + " may be missing")
        return nil
      }.map(\.element))
  }

  private mutating func limits(
    _ node: PolicyNode, _ settings: inout PolicySettings, _ defaults: SandboxLimits
  ) {
    guard let object = object(node, .limits) else { return }
    var merged = defaults
    var isWhole = true
    for name in SandboxLimits.Name.allCases {
      guard let node = object[name.rawValue] else { continue }
      guard let value = integer(node, in: name.range) else {
        isWhole = false
        continue
      }
      settings.limits[name] = UInt64(value)
      merged[name] = UInt64(value)
    }
    let isStated = object.members.keys.contains { SandboxLimits.Name(rawValue: $0) != nil }
    guard isWhole, isStated else { return }
    for name in [SandboxLimits.Name.dataBytes, .stackBytes] where merged[name] > merged.addressSpaceBytes {
      fault(
        object[name.rawValue] ?? object[SandboxLimits.Name.addressSpaceBytes.rawValue] ?? node,
        "\(name.rawValue), \(merged[name]), is more than addressSpaceBytes, \(merged.addressSpaceBytes)")
    }
  }

  /// A direct grant whose part of the filter does not exist yet is refused, and told apart from one that never will.
  private mutating func directGrants(_ node: PolicyNode) -> Set<DirectGrant> {
    let planned = ["networking", "storage"]
    return Set(
      list(node, key: { $0 }) { (reader, node) -> DirectGrant? in
        if let name = node.value.stringValue, planned.contains(name) {
          reader.fault(
            node,
            "direct \(name.quoted()) is not available in this version; services go through the supervisor")
          return nil
        }
        return reader.choice(node, "direct grant", of: DirectGrant.self)
      }.map(\.element))
  }

  private mutating func restart(
    _ node: PolicyNode, _ settings: inout PolicySettings, _ defaults: RestartPolicy
  ) {
    guard let object = object(node, .restart) else { return }
    settings.restart.kind = object["kind"].flatMap {
      choice($0, "restart kind", of: RestartPolicy.Kind.self)
    }
    settings.restart.strategy = object["strategy"].flatMap {
      choice($0, "restart strategy", of: RestartPolicy.Strategy.self)
    }
    settings.restart.quarantineEnds = object["quarantineEnds"].flatMap {
      choice($0, "end of a quarantine", of: RestartPolicy.QuarantineEnd.self)
    }
    for number in RestartPolicy.Number.allCases {
      guard let value = object[number.rawValue].flatMap({ integer($0, in: number.range) }) else { continue }
      settings.restart.numbers[number] = Int(value)
    }
    let (stated, merged) = (settings.restart.numbers, defaults.changed(by: settings.restart))
    let first = RestartPolicy.Number.backoffFirstMilliseconds
    let maximum = RestartPolicy.Number.backoffMaximumMilliseconds
    if stated[first] != nil || stated[maximum] != nil, merged[first] > merged[maximum] {
      fault(
        object[first.rawValue] ?? object[maximum.rawValue] ?? node,
        "\(first.rawValue), \(merged[first]), is more than \(maximum.rawValue), \(merged[maximum])")
    }
  }
}
