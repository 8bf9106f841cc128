public import ForsettiCore

/// A profile of container tools as a policy can express it, and what of it no policy can: each call that the profile lets
/// through is in exactly one of `same`, `narrowed`, `answered` and `refused`.
public struct OCIImport: Sendable, Hashable {
  /// One grant that reaches the kernel, which a policy could give.
  public struct Grant: Sendable, Hashable {
    /// The grant.
    public var grant: DirectGrant
    /// The calls that it adds.
    public var calls: [String]
    /// What it adds that the profile does not let through; a grant that has any is not proposed.
    public var lacking: [Form]

    /// Whether the policy that expresses the profile has it.
    public var isProposed: Bool { lacking.isEmpty }
  }

  /// A call in one form.
  public struct Form: Sendable, Hashable {
    /// The kernel's name.
    public var name: String
    /// Conditions that must all hold; empty: any arguments.
    public var conditions: [String]
    /// Why Forsetti has it, or refuses it.
    public var reason: String
  }

  /// A call that both let through, and not in the same forms.
  public struct Narrowed: Sendable, Hashable {
    /// The kernel's name.
    public var name: String
    /// The forms that the profile lets through; empty: any arguments.
    public var profile: [String]
    /// The forms that Forsetti lets through; empty: any arguments.
    public var here: [String]
  }

  /// A call that the supervisor answers in the kernel's place.
  public struct Answered: Sendable, Hashable {
    /// The kernel's name.
    public var name: String
    /// The answers, each with its conditions.
    public var answers: [String]
  }

  /// Calls that the profile gives to processes with a capability; a module has none.
  public struct Capable: Sendable, Hashable {
    /// Such as `CAP_SYS_ADMIN`.
    public var capability: String
    /// Names in order.
    public var calls: [String]
  }

  /// The grants there are, in their order.
  public var grants: [Grant] = []
  /// Calls that a module makes just as the profile says.
  public var same: [String] = []
  /// Calls of which a module may make fewer forms, or others.
  public var narrowed: [Narrowed] = []
  /// Calls that the supervisor answers.
  public var answered: [Answered] = []
  /// Calls that no policy lets through, or not without a grant that is not proposed.
  public var refused: [Form] = []
  /// What every module may do that the profile does not let through.
  public var beyond: [Form] = []
  /// What the profile lets through with capabilities.
  public var capable: [Capable] = []
  /// Names in entries for this machine that are no calls of it, in order.
  public var unknown: [String] = []
  /// What else is lost, one line each.
  public var losses: [String] = []

  /// The grants that the policy has.
  public var proposed: [DirectGrant] { grants.filter(\.isProposed).map(\.grant) }

  /// Compares a profile with what a policy can say.
  /// - Parameter kernel: the running one; entries may ask for a newer one.
  public init(_ profile: OCIProfile, on kernel: KernelVersion) {
    let stances = profile.stances(on: kernel)
    func stance(_ name: String) -> OCIStance {
      SyscallNames.number(of: name).flatMap { stances[$0] } ?? OCIStance(profile.defaultAction)
    }
    let base = SandboxPlan.derive(grants: [], policy: SandboxPolicy())
    grants = DirectGrant.allCases.compactMap { Self.grant($0, beside: base, stance) }
    let plan = SandboxPlan.derive(grants: [], policy: SandboxPolicy(direct: Set(proposed)))
    for name in SyscallNames.all { sort(name, stance(name), by: plan) }
    beyond = Self.forms(plan.kernel.filter { !stance($0.name).admits($0) })
    capable = Self.capable(profile, on: kernel)
    unknown = Self.unknown(profile, on: kernel)
    losses = Self.losses(profile)
  }
}

// MARK: - Calls

extension OCIImport {
  /// `nil` for a grant that adds no call in this version.
  private static func grant(
    _ grant: DirectGrant, beside base: SandboxPlan, _ stance: (String) -> OCIStance
  ) -> Grant? {
    let plan = SandboxPlan.derive(grants: [], policy: SandboxPolicy(direct: [grant]))
    let added = plan.kernel.filter { !base.kernel.contains($0) }
    guard !added.isEmpty else { return nil }
    return Grant(
      grant: grant, calls: distinct(added.map(\.name)),
      lacking: forms(added.filter { !stance($0.name).admits($0) }))
  }

  /// Finds the place of one call.
  private mutating func sort(_ name: String, _ stance: OCIStance, by plan: SandboxPlan) {
    guard stance.letsSomeThrough else { return }
    let kernel = plan.kernel.filter { $0.name == name }
    if !kernel.isEmpty {
      let isOpen = kernel.contains { $0.conditions.isEmpty }
      if isOpen ? stance.letsAllThrough : stance.isSame(as: kernel) {
        same.append(name)
      } else {
        let here = isOpen ? [] : kernel.map { Self.text($0.conditions) }
        narrowed.append(Narrowed(name: name, profile: stance.conditions, here: here))
      }
      return
    }
    let served = plan.served.filter { $0.call.name == name }
    if !served.isEmpty {
      answered.append(Answered(name: name, answers: served.map(Self.text)))
    } else {
      refused.append(Form(name: name, conditions: stance.conditions, reason: reason(for: name)))
    }
  }

  private func reason(for name: String) -> String {
    if let grant = grants.first(where: { $0.calls.contains(name) }) {
      return "only with direct \(grant.grant.rawValue), which gives more than the profile lets through"
    }
    guard NeverList.names.contains(name) else {
      return "a module has no use for it: files, sockets and time come by the supervisor's services"
    }
    return NeverList.reason(for: name)
  }

  private static func forms(_ rules: [SyscallRule]) -> [Form] {
    rules.map { Form(name: $0.name, conditions: $0.conditions.map(\.text), reason: $0.reason) }
  }

  private static func text(_ rule: ServedRule) -> String {
    rule.call.conditions.isEmpty
      ? rule.answer.text : "\(rule.answer.text) where \(text(rule.call.conditions))"
  }

  private static func text(_ conditions: [ArgumentCondition]) -> String {
    conditions.map(\.text).joined(separator: ", ")
  }

  private static func distinct(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }
}

// MARK: - What else the profile has

extension OCIImport {
  private static func capable(_ profile: OCIProfile, on kernel: KernelVersion) -> [Capable] {
    var calls: [String: Set<String>] = [:]
    for entry in profile.entries
    where entry.action.letsThrough && profile.holdsButForCapabilities(entry, on: kernel) {
      for capability in entry.includes.capabilities { calls[capability, default: []].formUnion(entry.names) }
    }
    return calls.sorted { $0.key < $1.key }.map { Capable(capability: $0.key, calls: $0.value.sorted()) }
  }

  private static func unknown(_ profile: OCIProfile, on kernel: KernelVersion) -> [String] {
    let names = profile.entries.filter { profile.holds($0, on: kernel) }.flatMap(\.names)
    return Set(names).filter { SyscallNames.number(of: $0) == nil }.sorted()
  }

  private static func losses(_ profile: OCIProfile) -> [String] {
    var lines: [String] = []
    let native = OCIProfile.nativeArchitecture
    if !profile.architectures.isEmpty, !profile.architectures.contains(native) {
      lines.append("it does not name \(native); it is read as if it did")
    }
    let foreign = distinct(profile.architectures.filter { $0 != native })
    if !foreign.isEmpty {
      lines.append("a call of \(foreign.joined(separator: ", ")) ends the module, whatever it is")
    }
    let actions = Set(profile.entries.map(\.action)).union([profile.defaultAction])
    if !actions.isDisjoint(with: [.errno, .trap, .trace, .notify]) {
      lines.append(
        "a call that the profile lets fail, or hands to another process, ends the module and is recorded")
    }
    if actions.contains(.log) { lines.append("calls that it lets through and logs are not logged") }
    return lines
  }
}
