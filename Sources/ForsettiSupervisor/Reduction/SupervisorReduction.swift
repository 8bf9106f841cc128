import ForsettiCore
import ForsettiLockdown

/// What the supervisor takes from itself before it starts a thread, opens its state or reads a manifest: the whole of it
/// runs inside one Landlock domain and without capabilities that it has no use for.
enum SupervisorReduction {
  /// Where everything is that a running supervisor works with; absolute, or from the working directory.
  struct Places: Equatable, Sendable {
    /// State and what lives as long as the supervisor.
    var own: StatePlaces
    var policyFolder: String
    var manifests: String
    var bundles: String
    /// The folder of the file that says what is unlocked, where the policy names one.
    var entitlements: String?
    /// The folder of the programs that are started.
    var programs: String
    /// What the service manager hands over, such as the master key.
    var credentials: String?
    /// The cgroup that was given to the supervisor.
    var cgroup: String?
    /// NOTIFY_SOCKET of sd_notify(3).
    var notifySocket: String?
  }

  /// What root keeps to give each module a user of its own (setuid(2), setgroups(2)), to look into it (proc(5),
  /// pidfd_getfd(2)) and to end it. Nobody else holds any, nor keeps one.
  static let capabilities: ProcessCapabilities = [.setUserID, .setGroupID, .kill, .trace]

  /// The reduction of a supervisor: a pure function of where things are and of what the policy asks for.
  static func derive(_ places: Places, policy: Policy) -> Reduction {
    var exceptions = LandlockRights()
    if places.notifySocket?.hasPrefix("@") == true { exceptions.scopes = .abstractSockets }
    return Reduction(
      landlock: LandlockRuleset(rules: rules(places), exceptions: exceptions),
      mayLackLandlock: policy.sandboxDefaults.mayBeMissing.contains(.landlock), capabilities: capabilities)
  }

  private static func rules(_ places: Places) -> [LandlockRuleset.Rule] {
    let change: LandlockFileRights = [.read, .writeFile, .truncate, .makeFile, .removeFile]
    var rules: [LandlockRuleset.Rule] = [
      .init(places.own.state, [change, .makeFolder, .removeFolder, .makeSocket, .refer], "state"),
      .init(places.own.runtime, [change, .makeSocket], "process ID and control socket"),
      .init(places.policyFolder, .read, "policy"),
      .init(places.manifests, .read, "manifests"),
      .init(places.bundles, .read, "bundles"),
      .init(places.programs, [.read, .execute], "programs that hold modules"),
      // The pages of other processes in it are closed by the domain itself, which allows ptrace within alone.
      .init("/proc", .read, "what the kernel tells of modules"),
      .init("/dev/null", [.readFile, .writeFile], "standard input of modules"),
      .init("/dev/urandom", .readFile, "what modules are served"),
    ]
    if let folder = places.entitlements { rules.append(.init(folder, .read, "entitlements")) }
    if let folder = places.credentials { rules.append(.init(folder, .read, "credentials")) }
    if let folder = places.cgroup {
      rules.append(.init(folder, [.read, .writeFile, .makeFolder, .removeFolder], "cgroups of modules"))
    }
    return rules + programRules
  }

  /// What a program that is not static loads (ld.so(8)), in the places of Debian and its kin.
  private static let programRules: [LandlockRuleset.Rule] = [
    .init("/lib64/ld-linux-x86-64.so.2", [.readFile, .execute], "dynamic loader"),
    .init("/lib/ld-linux-aarch64.so.1", [.readFile, .execute], "dynamic loader"),
    .init("/etc/ld.so.cache", .readFile, "where libraries are"),
    .init("/usr/lib", .read, "libraries"), .init("/usr/lib64", .read, "libraries"),
    .init("/lib", .read, "libraries"), .init("/lib64", .read, "libraries"),
  ]
}

extension SupervisorReduction.Places {
  /// Those of a run.
  init(
    own: StatePlaces, policy: Policy, policyPath: String, manifests: String, bundles: String, host: String,
    environment: [String: String], cgroup: String?
  ) {
    self.own = own
    policyFolder = WorkingFolder.parent(of: policyPath)
    self.manifests = manifests
    self.bundles = bundles
    if case .file(let path) = policy.entitlements {
      entitlements = WorkingFolder.parent(of: EntitlementInput.absolute(path, besides: policyPath))
    }
    programs = WorkingFolder.parent(of: host)
    credentials = environment["CREDENTIALS_DIRECTORY"]
    self.cgroup = cgroup
    notifySocket = environment["NOTIFY_SOCKET"]
  }
}

extension ReductionResult {
  /// One line for people.
  var text: String {
    let landlock =
      landlockABI > 0 ? "Landlock ABI \(landlockABI)" : "no Landlock (the policy lets it be missing)"
    let kept =
      capabilities.isEmpty
      ? "no capabilities" : "no capabilities but \(capabilities.names.joined(separator: ", "))"
    return "the supervisor itself: \(landlock), no new privileges, \(kept)"
  }
}
