public import ForsettiCore
public import ForsettiIPC
public import ForsettiSandbox

/// One module process as the manager sees it. The real one is `ModuleProcess`; tests script their own.
@ReactorActor
public protocol ModuleInstance: AnyObject, Sendable {
  /// What holds it.
  var plan: SandboxPlan { get }

  /// Spawns, locks and asks the module what it is. Throws with nothing left behind.
  func launch() async throws(ModuleManagerError) -> DescribeMessage

  /// Starts the module with these grants. Throws with nothing left behind.
  func start(grants: [Capability]) async throws(ModuleManagerError)

  /// Walks the stop ladder and returns how the process ended; always ends it. May be called by many.
  func stop() async -> ModuleExit

  /// Ends it at once.
  func kill()

  /// What its process left, once it has ended without having been asked to.
  var evidence: CrashEvidence? { get }

  /// The file that its process runs, held open; `nil` where it could not be.
  var program: ModuleProgram? { get }

  /// Its process, which is not looked at for this; `nil` when there is none.
  var process: RunningProcess? { get }

  /// What can be seen of the process now; `nil` when there is none. The kernel goes through all its memory for this, which
  /// takes a tenth of a millisecond and more, elsewhere than on the reactor.
  func observe() async -> ModuleProcessInfo?

  /// Its process's files, for whoever reads what it uses elsewhere than on the reactor; `nil` when there is none.
  func gauge() -> ProcessGauge?
}

/// What the supervisor knows of a process without asking the kernel.
public struct RunningProcess: Sendable, Hashable {
  /// Its process ID.
  public var pid: Int32
  /// From just before the spawn until `started` was read; `nil` before that.
  public var activationNanoseconds: UInt64?

  /// Makes a value.
  public init(pid: Int32, activationNanoseconds: UInt64?) {
    self.pid = pid
    self.activationNanoseconds = activationNanoseconds
  }
}

extension ModuleProcess: ModuleInstance {
  /// What holds it.
  public var plan: SandboxPlan { spec.plan }

  /// The host that it is started from, or the bundle's own executable.
  public var program: ModuleProgram? { spec.executable.map { .bundle($0) } ?? spec.host.map { .host($0) } }
}

/// Makes an instance for a discovered module: plan, user ID, pipes and host are its business.
@ReactorActor
public protocol ModuleLauncher: AnyObject, Sendable {
  /// An instance that has not been launched yet.
  /// - Parameters:
  ///   - policy: what it may do, and what holds it.
  ///   - convalescence: how long it is to run before it counts as stable, where it crashed lately.
  ///   - ended: called once, on the reactor, when its process has ended, whatever ended it; before
  ///   `launch`, `start` or `stop` return.
  func makeInstance(
    for module: LoadedManifest, by policy: Policy, convalescence: Duration?,
    ended: @escaping @ReactorActor (ModuleExit) -> Void
  ) async throws(ModuleManagerError) -> any ModuleInstance

  /// From now on instances are made for these modules alone: what others ran need not be kept.
  func keepPrograms(of catalog: ForsettiModuleCatalog)
}
