import ForsettiCore
import ForsettiRuntime
import ForsettiSandbox

/// `explain`: one module against policy, state and this kernel.
struct ExplainCommand {
  var moduleID: String
  var inputs: Inputs
  var state: String?
  var format: ExplainFormat

  func run(in surroundings: Surroundings) async throws(CommandFailure) -> ExitStatus {
    try surroundings.requireTrustedCheckout(inputs)
    let report = try await report(in: surroundings)
    switch format {
    case .text: try surroundings.output.write(report.text(surroundings.output.style))
    case .json: try surroundings.output.write(report.json.line)
    case .bpf:
      guard !surroundings.output.isTerminal else {
        throw CommandFailure(
          status: .usage, message: "--format bpf writes bytes, not text; redirect it to a file or a pipe")
      }
      try surroundings.output.write(bytes: report.filter)
    case .oci:
      try surroundings.output.write(report.profile.profile.jsonValue.line)
      for loss in report.profile.losses { try surroundings.errors.write("not in the profile: \(loss)\n") }
    }
    return report.status
  }

  func report(in surroundings: Surroundings) async throws(CommandFailure) -> ExplainReport {
    let policyPath = surroundings.policyPath(inputs)
    let policy = try PolicyInput.require(policyPath)
    let places = try surroundings.statePlaces(state: state)
    let catalog = try ManifestInput(inputs, installation: surroundings.installation)
      .require(with: BundleFolder(policy: policy, at: policyPath, state: places.state))
    let module = try catalog.require(moduleID)
    let registration: RegistrationView
    do { registration = try RegistrationView.read(moduleID: moduleID, state: places.state) } catch {
      throw CommandFailure(error)
    }
    let entitlements = try await EntitlementInput.provider(policy.entitlements, policyPath: policyPath)
    let productID = module.manifest.iapProductID
    let gates = ExplainGates(
      module: module, catalog: catalog, policy: policy, registration: registration,
      isUnlocked: await entitlements.isUnlocked(moduleID: module.manifest.moduleID, productID: productID),
      host: await EntryPointProbe.ask(
        about: module, hostPath: surroundings.installation.moduleHost, policy: policy))
    let grants = Set(policy.grants(for: module.manifest, origin: module.origin).granted)
    let plan = SandboxPlan.derive(
      grants: grants, policy: policy.sandbox(for: module.manifest.moduleID, origin: module.origin),
      executes: !module.origin.isBuiltIn)
    return try ExplainReport(
      of: module, by: policy, plan: plan, gates: gates.all, userID: surroundings.userID,
      cgroup: LimitsExplanation.cgroupStanding())
  }
}

extension ExplainReport {
  /// What a policy gives a module, and what holds it.
  /// - Parameters:
  ///   - userID: who runs the supervisor.
  ///   - cgroup: what modules have by cgroups.
  init(
    of module: LoadedManifest, by policy: Policy, plan: SandboxPlan, gates: [Gate], userID: UInt32,
    cgroup: CgroupStanding
  ) throws(CommandFailure) {
    self.init(
      moduleID: module.manifest.moduleID, displayName: module.manifest.displayName, manifestFile: module.path,
      sha256: module.sha256, gates: gates,
      grants: policy.grants(for: module.manifest, origin: module.origin).decisions.map(Self.row),
      plan: Self.rows(plan, module, policy, cgroup, hasOwnUser: userID == 0),
      filter: try Self.filter(of: plan),
      profile: OCIExport(plan),
      missing: KernelFacts.current(userID: userID).missing)
  }

  /// The plan's rows, with those of the limits that others hold among them.
  private static func rows(
    _ plan: SandboxPlan, _ module: LoadedManifest, _ policy: Policy, _ cgroup: CgroupStanding,
    hasOwnUser: Bool
  ) -> [PlanRow] {
    let (id, origin) = (module.manifest.moduleID, module.origin)
    return plan.explanation
      + LimitsExplanation.rows(
        policy.sandbox(for: id, origin: origin), heartbeat: policy.heartbeat(for: id, origin: origin),
        logLinesPerSecond: policy.rates(for: id, origin: origin)[.logLinesPerSecond],
        cgroup: cgroup, hasOwnUser: hasOwnUser)
  }

  private static func row(_ decision: PolicyDecision) -> ExplainReport.Grant {
    ExplainReport.Grant(
      capability: decision.capability.rawValue, verdict: decision.verdict,
      reason: decision.source.map { "\(decision.reason) (\($0.text))" } ?? decision.reason)
  }

  private static func filter(of plan: SandboxPlan) throws(CommandFailure) -> [UInt8] {
    do { return try FilterCompiler.compile(plan).bytes } catch {
      throw CommandFailure(status: .software, message: "the filter cannot be compiled: \(error)")
    }
  }
}
