public import ForsettiCore

extension ModuleManager {
  /// What the manager works with; all of it is exchangeable in tests.
  public struct Environment {
    /// What the deployment allows at the start.
    public var policy: Policy
    /// Desired state and registrations.
    public var store: any ModuleStateStore
    /// What is unlocked.
    public var entitlements: any EntitlementProvider
    /// Makes module processes.
    public var launcher: any ModuleLauncher
    /// Shows what the active UI module contributes.
    public var surface: UISurfaceManager
    /// Carries calls and events between modules and the host; without one there are none.
    public var broker: ModuleBroker?
    /// Keeps reports on modules that ended unasked; without one there are none.
    public var crashReporter: CrashReporter?
    /// Hears what becomes of modules.
    public var logger: any ForsettiLogger
    /// Measures uptimes and waits.
    public var clock: any RuntimeClock
    /// Milliseconds since 1970, for what is kept.
    public var wallClock: @Sendable () -> Int64
    /// A random number from 0 up to, not including, 1, that spreads restarts.
    public var jitter: @Sendable () -> Double
    /// Keeps what is decided.
    public var auditLog: any AuditRecorder = NoAudit()

    /// Makes an environment.
    public init(
      policy: Policy, store: any ModuleStateStore, entitlements: any EntitlementProvider,
      launcher: any ModuleLauncher, surface: UISurfaceManager, broker: ModuleBroker? = nil,
      crashReporter: CrashReporter? = nil, logger: any ForsettiLogger, clock: any RuntimeClock,
      wallClock: @escaping @Sendable () -> Int64,
      jitter: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
      self.policy = policy
      self.store = store
      self.entitlements = entitlements
      self.launcher = launcher
      self.surface = surface
      self.broker = broker
      self.crashReporter = crashReporter
      self.logger = logger
      self.clock = clock
      self.wallClock = wallClock
      self.jitter = jitter
    }
  }
}
