import ForsettiCore
import ForsettiLockdown
import ForsettiRuntime

/// What `run` does while the process has one thread: Landlock, capabilities and no_new_privs belong to a thread, and
/// what it starts has them from it. The folders are made first, as a rule names what is there.
struct PreparedRun: Sendable {
  let policyPath: String
  let policy: Policy
  /// What it was decoded from.
  let policyText: [UInt8]
  let places: StatePlaces
  /// Where log lines go: what standard error is may be out of reach from now on.
  let log: LogOutput
  /// `nil` where the policy lets nothing leave the host.
  let network: NetworkAccess?
  /// What the service manager hands over.
  let sockets: InheritedSockets
  /// The web console's socket, where the policy wants one: afterwards nothing can be bound.
  let console: PreparedConsole?
  /// What its own cgroup gives to modules: afterwards the mark of one that was given away may be out of sight.
  let cgroup: CgroupStanding
  /// What holds this process.
  let reduction: ReductionResult

  /// Reads the policy, makes the folders, and reduces this process for good.
  init(_ options: RunOptions, in surroundings: Surroundings) throws(CommandFailure) {
    try surroundings.requireTrustedCheckout(options.inputs)
    policyPath = WorkingFolder.absolute(surroundings.policyPath(options.inputs))
    (policy, policyText) = try PolicyInput.requireText(policyPath)
    places = try surroundings.statePlaces(state: options.state, runtime: options.runtimeDirectory)
    do throws(StoreError) { try StateStore.makeFolder(places.state) } catch { throw CommandFailure(error) }
    try RuntimeFolder.make(places.runtime)
    sockets = try InheritedSockets(environment: surroundings.environment)
    sockets.keepFromPrograms()
    console = try options.once ? nil : Self.console(by: policy, or: sockets)
    log = LogOutput(descriptor: surroundings.errors.descriptor, usesReactor: true)
    let installation = surroundings.installation
    network = try NetworkAccess(
      policy: policy, path: installation.networkWorker, userID: surroundings.userID)
    cgroup = LimitsExplanation.cgroupStanding()
    let reduction = SupervisorReduction.derive(
      SupervisorReduction.Places(
        own: places, policy: policy, policyPath: policyPath,
        manifests: ManifestInput(options.inputs, installation: installation).path,
        bundles: BundleFolder(policy: policy, at: policyPath, state: places.state).path,
        host: installation.moduleHost, environment: surroundings.environment,
        cgroup: cgroup.folder),
      policy: policy)
    do throws(ReductionFailure) { self.reduction = try reduction.apply() } catch {
      throw CommandFailure(error)
    }
  }

  private static func console(
    by policy: Policy, or sockets: InheritedSockets
  ) throws(CommandFailure) -> PreparedConsole? {
    if let number = sockets.console { return try PreparedConsole(inheriting: number, wanted: policy.console) }
    return try policy.console.map { (address) throws(CommandFailure) in try PreparedConsole(address) }
  }
}

extension CommandFailure {
  /// A supervisor that cannot hold itself does not run.
  init(_ failure: ReductionFailure) {
    let remedy =
      failure.layer == .landlock
      ? "mend the host, or let the policy run without (sandbox.mayBeMissing)" : "look at what started it"
    self.init(
      status: .osError,
      message:
        "the supervisor cannot give up its rights: \(failure.layer.rawValue): \(ErrnoName.text(failure.errno)); \(remedy)"
    )
  }
}
