/// Reads a policy file (docs/policy.md is the reference of its format).
public enum PolicyDecoder {
  /// The version of the format that this build reads.
  public static let version: Int64 = 1

  /// Bounds on the text.
  public static let limits = JSONLimits(bytes: 1 << 20, depth: 16, stringBytes: 4_096, arrayElements: 10_000)

  /// Reads a policy from the bytes of a file; `file` is the last component of its path, for messages.
  /// Throws every fault there is, not the first alone.
  public static func decode(bytes: [UInt8], file: String) throws(PolicyFaults) -> Policy {
    let document: JSONDocument
    do {
      document = try JSONParser.parse(bytes, limits: limits)
    } catch {
      throw PolicyFaults(faults: [
        PolicyFault(
          file: file, line: error.line, column: error.column, pointer: error.pointer, reason: error.reason)
      ])
    }
    var reader = PolicyReader(file: file, bytes: bytes)
    let policy = reader.policy(PolicyNode(value: document.root, pointer: ""))
    guard reader.faults.isEmpty, let policy else {
      let sorted = reader.faults.enumerated().sorted { left, right in
        (left.element.line, left.element.column, left.offset)
          < (right.element.line, right.element.column, right.offset)
      }
      throw PolicyFaults(faults: sorted.map(\.element), omitted: reader.omitted)
    }
    return policy
  }
}

extension PolicyReader {
  /// The whole file. Of another version nothing but the version is told: the rest means something else there.
  mutating func policy(_ node: PolicyNode) -> Policy? {
    if let version = node.value["policyVersion"], version.integerValue != PolicyDecoder.version {
      fault(
        PolicyNode(value: version, pointer: "/policyVersion"),
        "this build reads policyVersion \(PolicyDecoder.version)")
      return nil
    }
    guard let root = object(node, .policy) else { return nil }
    if let schema = root["$schema"] { _ = string(schema) }
    let defaults = root["defaults"].map { self.defaults($0) } ?? PolicyDefaults()
    let rules = root["rules"].map { self.rules($0, defaults: defaults) } ?? []
    let activation = root["activation"].flatMap { self.activation($0) }
    let registration = root["registration"].flatMap {
      reasoned($0, "registration", of: Policy.Registration.self)
    }
    let onDrift = root["onDrift"].flatMap { reasoned($0, "drift action", of: Policy.DriftAction.self) }
    var policy = Policy(
      file: file,
      standsInFor: root["host"].map { standsInFor($0) } ?? [],
      registration: registration ?? .automatic, onDrift: onDrift ?? .refuse,
      entitlements: root["entitlements"].flatMap { entitlements($0) } ?? .nothing,
      activationOrder: activation?.order ?? [],
      selectedUIModuleID: activation?.selected,
      roles: root["roles"].map { roles($0) } ?? [:],
      sandboxDefaults: defaults.sandbox, deadlineDefaults: defaults.deadlines,
      restartDefaults: defaults.restart,
      heartbeatDefaults: defaults.heartbeat, rateDefaults: defaults.rates,
      spin: root["spin"].flatMap { reasoned($0, "spin", of: Policy.Spin.self) } ?? .adaptive,
      userIDs: root["userIDs"].flatMap { userIDs($0) } ?? UserIDRange(),
      rules: rules,
      messages: root["messages"].map { messages($0) } ?? [],
      mayHostUseThemeMasks: root["ui"].map { themeMasks($0) } ?? false,
      telemetry: root["telemetry"].flatMap { telemetry($0) } ?? .off,
      traces: root["traces"].flatMap { traces($0) },
      bundles: root["bundles"].map { bundles($0) } ?? BundleSettings(),
      control: root["control"].map { control($0) } ?? ControlPolicy(),
      console: root["console"].flatMap { console($0) },
      audit: root["audit"].flatMap { reasoned($0, "audit permission", of: AuditPermission.self) } ?? .refused,
      views: root["views"].map { views($0) } ?? [:],
      secrets: root["secrets"].map { secrets($0) } ?? [])
    policy.places = places(of: root, PolicySetting.rootKeys)
    checkProviders(of: policy, at: root["roles"])
    return policy
  }

  /// A name, or an object of the name and a reason.
  private mutating func reasoned<Choice: RawRepresentable & CaseIterable>(
    _ node: PolicyNode, _ what: String, of type: Choice.Type
  ) -> Choice? where Choice.RawValue == String {
    guard node.value.members != nil else { return choice(node, what, of: type) }
    guard let value = object(node, .choice)?["value"] else { return nil }
    return choice(value, what, of: type)
  }

  private mutating func standsInFor(_ node: PolicyNode) -> [Platform] {
    guard let names = object(node, .host)?["standsInFor"] else { return [] }
    let known = [Platform.iOS, .macOS, .linux].map(\.name)
    return list(names, key: \.name) { (reader, node) -> Platform? in
      guard let name = reader.text(node) else { return nil }
      if name == Platform.linux.name {
        reader.fault(
          node, "this host is Linux already; name the platforms it stands in for, such as \"macOS\"")
        return nil
      }
      if !known.contains(name), let near = NearestName.suggest(for: name, among: known) {
        reader.fault(node, "unknown platform \(name.quoted()); did you mean \(near.quoted())?")
        return nil
      }
      return Platform(name)
    }.map(\.element)
  }

  private mutating func entitlements(_ node: PolicyNode) -> EntitlementSource? {
    guard let object = object(node, .entitlements), let named = object["provider"],
      let provider = choice(named, "entitlement provider", of: EntitlementProviderName.self)
    else { return nil }
    for (key, node) in object.members.sorted(by: { $0.key < $1.key }) {
      let owner = EntitlementProviderName.allCases.first { $0.keys.contains(key) }
      if let owner, owner != provider {
        fault(node, "\(key.quoted()) belongs to provider \(owner.rawValue.quoted())")
      }
    }
    switch provider {
    case .allowAll: return .allowAll
    case .fixed:
      let modules = object["moduleIDs"].map { moduleIDs($0) } ?? []
      let products = object["productIDs"].map { productIDs($0) } ?? []
      return .fixed(moduleIDs: modules, productIDs: products)
    case .file:
      guard let path = object["path"] else {
        fault(node, "\"path\" is missing")
        return nil
      }
      return text(path).map { .file(path: $0) }
    }
  }

  private mutating func productIDs(_ node: PolicyNode) -> [String] {
    list(node, key: ScalarText.init) { $0.text($1) }.map(\.element)
  }

  private mutating func activation(_ node: PolicyNode) -> (order: [String], selected: String?)? {
    guard let object = object(node, .activation) else { return nil }
    let order = object["order"].map { moduleIDs($0) } ?? []
    let selected = object["selectedUIModuleID"].flatMap { moduleID($0) }
    return (order, selected)
  }

  private mutating func roles(_ node: PolicyNode) -> [DefaultModuleRole: RoleProvider] {
    guard let object = object(node, .roles) else { return [:] }
    var roles: [DefaultModuleRole: RoleProvider] = [:]
    for role in DefaultModuleRole.providedRoles {
      guard let node = object[role.rawValue], let name = string(node) else { continue }
      if name == "host" {
        roles[role] = .host
      } else if let moduleID = moduleID(node) {
        roles[role] = .module(moduleID)
      }
    }
    return roles
  }

  /// A provider without the capability of its role would never be compatible: the two entries contradict.
  private mutating func checkProviders(of policy: Policy, at node: PolicyNode?) {
    guard let node else { return }
    for role in DefaultModuleRole.providedRoles {
      guard case .module(let moduleID)? = policy.roles[role], let capability = role.capability,
        let value = node.value[role.rawValue]
      else { continue }
      let origins =
        [.builtIn] + policy.rules.compactMap { $0.pattern.matches(moduleID) ? $0.sampleOrigin : nil }
      let isGranted = Set(origins).contains {
        policy.decision(moduleID: moduleID, capability: capability, origin: $0).verdict == .granted
      }
      if !isGranted {
        fault(
          PolicyNode(value: value, pointer: node.pointer + JSONPointer.step(role.rawValue)),
          "no rule grants \(moduleID.quoted()) the capability \(capability.rawValue.quoted()) of this role")
      }
    }
  }

  private mutating func userIDs(_ node: PolicyNode) -> UserIDRange? {
    guard let object = object(node, .userIDs) else { return nil }
    let first = object["first"].flatMap { integer($0, in: UserIDRange.firstRange) }
    let count = object["count"].flatMap { integer($0, in: UserIDRange.countRange) }
    guard let first, let count else { return nil }
    let range = UserIDRange(first: UInt32(first), count: UInt32(count))
    guard let last = range.last else {
      fault(node, "the range runs past the greatest user ID, 2147483646")
      return nil
    }
    if range.first <= UserIDRange.reserved.upperBound, last >= UserIDRange.reserved.lowerBound {
      fault(node, "the range holds 65534 (nobody) or 65535; begin at 65536 or above")
      return nil
    }
    return range
  }

  private mutating func bundles(_ node: PolicyNode) -> BundleSettings {
    var settings = BundleSettings()
    guard let object = object(node, .bundles) else { return settings }
    settings.folder = object["folder"].flatMap { text($0) }
    if let bytes = object["executableBytes"].flatMap({ integer($0, in: BundleSettings.executableRange) }) {
      settings.executableBytes = Int(bytes)
    }
    return settings
  }

  private mutating func themeMasks(_ node: PolicyNode) -> Bool {
    object(node, .ui)?["hostUsesThemeMasks"].flatMap { boolean($0) } ?? false
  }
}

extension PolicyRule {
  /// A module origin that the rule is for.
  var sampleOrigin: ModuleOrigin {
    switch origin {
    case .builtIn: .builtIn
    case .sha256(let sha256): .bundle(sha256: sha256, key: nil)
    case .key(let key): .bundle(sha256: "", key: key)
    }
  }
}
