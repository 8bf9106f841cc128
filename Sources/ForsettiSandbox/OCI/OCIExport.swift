/// A plan as an OCI profile, and what such a profile cannot say of it. Where it can't say the same it says less: a call
/// that the profile lets through is one that the plan lets through or answers.
public struct OCIExport: Sendable, Hashable {
  /// The profile.
  public let profile: OCIProfile
  /// What was lost, one line each.
  public let losses: [String]

  /// Exports a plan.
  public init(_ plan: SandboxPlan) {
    var export = Exporter()
    export.kernel(plan.kernel)
    let kernel = Set(plan.kernelNames)
    for name in plan.servedNames {
      export.served(name, plan.served.filter { $0.call.name == name }, isInKernelList: kernel.contains(name))
    }
    profile = OCIProfile(
      defaultAction: .killProcess, architectures: [OCIProfile.nativeArchitecture], entries: export.entries)
    losses =
      [
        "any other call ends the process at once: there is no report of its name, arguments and place",
        "Landlock, the limits and the user of its own are no part of a seccomp profile",
      ] + export.losses
  }
}

private struct Exporter {
  private(set) var entries: [OCIProfile.Entry] = []
  private(set) var losses: [String] = []

  mutating func kernel(_ rules: [SyscallRule]) {
    for rule in rules { add(rule, .allow) }
  }

  /// What the supervisor answers. A profile has one answer for a call that it knows nothing of but its registers.
  mutating func served(_ name: String, _ rules: [ServedRule], isInKernelList: Bool) {
    if isInKernelList {
      // An entry for all arguments would take the place of the others (libseccomp).
      losses.append("\(name): with other arguments the supervisor answers; here that ends the process")
      return
    }
    let simple = rules.allSatisfy { $0.call.conditions.allSatisfy(\.isForFilter) && isPlain($0.answer) }
    if simple, Set(rules.map(\.answer)).count == 1 {
      for rule in rules { answer(rule) }
      return
    }
    let number = rules.lazy.compactMap { Self.number(of: $0.answer) }.first ?? Self.notPermitted
    entries.append(
      OCIProfile.Entry(
        names: [name], action: .errno, errno: number, arguments: [], comment: rules[0].call.reason))
    let answers = rules.map { rule in
      let conditions = rule.call.conditions.map(\.text).joined(separator: ", ")
      return conditions.isEmpty ? rule.answer.text : "\(rule.answer.text) where \(conditions)"
    }
    losses.append(
      "\(name): always fails with \(ErrorNames.name(of: number)); the supervisor: \(answers.joined(separator: "; "))"
    )
  }

  private mutating func answer(_ rule: ServedRule) {
    switch rule.answer {
    case .errno(let number): add(rule.call, .errno, number)
    case .continue:
      add(rule.call, .allow)
      losses.append("\(rule.call.name): is neither counted nor held to a rate")
    case .continueInStart, .descriptor, .setUp: break
    }
  }

  private mutating func add(_ rule: SyscallRule, _ action: OCIProfile.Action, _ errno: Int32? = nil) {
    let alternatives = rule.conditions.reduce([[]]) { product, condition -> [[OCIProfile.Argument]] in
      let arguments = (condition.masks ?? []).map {
        OCIProfile.Argument.bits(condition.argument, mask: $0.mask, value: $0.value)
      }
      return product.flatMap { start in arguments.map { start + [$0] } }
    }
    for arguments in alternatives {
      entries.append(
        OCIProfile.Entry(
          names: [rule.name], action: action, errno: errno, arguments: arguments, comment: rule.reason))
    }
  }

  private func isPlain(_ answer: ServedRule.Answer) -> Bool {
    switch answer {
    case .continue, .errno: true
    case .continueInStart, .descriptor, .setUp: false
    }
  }

  private static let notPermitted: Int32 = 1

  private static func number(of answer: ServedRule.Answer) -> Int32? {
    if case .errno(let number) = answer { number } else { nil }
  }
}
