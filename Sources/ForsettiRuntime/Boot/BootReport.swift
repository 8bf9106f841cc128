public import ForsettiCore
public import ForsettiSandbox

/// What a successful boot did.
public struct BootReport: Sendable, Hashable {
  /// How the boot came to its set of modules.
  public enum Kind: String, Sendable, Hashable {
    /// The policy's set, which is the desired state from now on.
    case first
    /// The desired state as stored.
    case restored
  }

  /// Where the set came from.
  public var kind: Kind
  /// From the first look at the manifests to the last module active.
  public var milliseconds: Double
  /// Desired modules that could not be restored: they stay desired.
  public var failures: [ModuleManagerError]

  /// Makes a report.
  public init(kind: Kind, milliseconds: Double, failures: [ModuleManagerError]) {
    self.kind = kind
    self.milliseconds = milliseconds
    self.failures = failures
  }
}

/// How one module ended at a shutdown.
public struct ModuleEnd: Sendable, Hashable {
  /// Which module.
  public var moduleID: String
  /// How it ended.
  public var exit: ModuleExit

  /// Makes an end.
  public init(moduleID: String, exit: ModuleExit) {
    self.moduleID = moduleID
    self.exit = exit
  }
}

/// One discovered module as it is now.
public struct ModuleStatus: Sendable, Hashable {
  /// Where the module stands (seed "Module Lifecycle").
  public enum State: String, Sendable, Hashable, CaseIterable {
    /// Its manifest is known; nobody wants it active.
    case discovered
    /// It runs.
    case active
    /// It should run and does not: see `failure`.
    case failed
    /// It ended unasked, or was stopped with one that did, and waits for its restart.
    case restarting
    /// It ended in a way that is not worth a restart, or too often; a person resets it or activates it again.
    case quarantined
  }

  /// Which module.
  public var moduleID: String
  /// What its manifest says it is; `nil` for one that is desired and no longer discovered.
  public var type: ModuleType?
  /// Where it stands.
  public var state: State
  /// Why it does not run although it is desired.
  public var failure: ModuleManagerError?
  /// The process, where there is one.
  public var process: ModuleProcessInfo?
  /// What holds the process.
  public var plan: SandboxPlan?
  /// How long it has been active.
  public var uptimeMilliseconds: Int?
  /// Since when, in nanoseconds of the runtime's clock.
  public var activeSince: UInt64?
  /// Answers to its calls, or of its own, that came when nobody waited any more.
  public var lateAnswers: Int?
  /// What it asked for and was refused.
  public var refusals: Int?
  /// What was counted of it since the supervisor started; `nil` where nobody wants it to run.
  public var figures: ModuleFigures?

  /// Makes a status.
  public init(
    moduleID: String, type: ModuleType? = nil, state: State, failure: ModuleManagerError? = nil,
    process: ModuleProcessInfo? = nil, plan: SandboxPlan? = nil
  ) {
    self.moduleID = moduleID
    self.type = type
    self.state = state
    self.failure = failure
    self.process = process
    self.plan = plan
  }
}

/// The whole runtime as it is now; what `run --once` prints.
public struct RuntimeStatus: Sendable, Hashable {
  /// The UI module that is shown.
  public var selectedUIModuleID: String?
  /// Active modules in the order of their activation, then desired ones that failed, then the rest by ID.
  public var modules: [ModuleStatus]

  /// Makes a status; without modules, that of a runtime which has not booted.
  public init(selectedUIModuleID: String? = nil, modules: [ModuleStatus] = []) {
    self.selectedUIModuleID = selectedUIModuleID
    self.modules = modules
  }
}
