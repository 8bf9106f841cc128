/// Why a module could not be activated, selected or stopped (seed "Failure Handling"; SPEC §3).
public enum ModuleManagerError: Error, Sendable, Hashable {
  case moduleNotDiscovered(moduleID: String)
  /// There is a bundle of this ID, and it is not let in.
  case bundleRefused(moduleID: String, reason: String)
  case moduleNotActive(moduleID: String)
  case incompatible(CompatibilityReport)
  case registrationMissing(moduleID: String, sha256: String)
  case registrationMismatch(moduleID: String, reason: String)
  case moduleLocked(moduleID: String, productID: String?)
  case entryPointNotRegistered(moduleID: String, entryPoint: String)
  case duplicateEntryPoint(entryPoint: String, moduleIDs: [String])
  case moduleIdentityMismatch(moduleID: String, field: String, expected: String, actual: String)
  case notUIModule(moduleID: String)
  case missingCapability(moduleID: String, capability: Capability, usage: String)
  case unsatisfiedRuntimeRequirement(moduleID: String, reason: String)
  case startFailed(moduleID: String, reason: String)
  case startTimedOut(moduleID: String, phase: ModulePhase, milliseconds: Int)
  case sandboxFailed(moduleID: String, step: SandboxLayer, errno: Int32)
  /// It is granted threads, and nothing here would hold their number.
  case threadsUnbounded(moduleID: String)
  /// The plan could not be made a filter.
  case filterFailed(moduleID: String, reason: String)
  case crashedDuringStart(moduleID: String, exit: ModuleExit)
  case stopTimedOut(moduleID: String)
  /// It was active and ended unasked.
  case ended(moduleID: String, exit: ModuleExit)
  /// It ended in a way that is not worth a restart, or too often.
  case quarantined(moduleID: String, cause: QuarantineCause)
  /// It was stopped with a module that is restarted, and follows once that one is active.
  case waitingForModule(moduleID: String, other: String)
  /// The runtime is shutting down and activates nothing any more.
  case shuttingDown(moduleID: String)
  /// A bundle's executable is not what was looked at when bundles were read, or cannot be run.
  case executableUnavailable(moduleID: String, path: String, reason: String)
  /// The module host cannot be started: absent, not executable, of another protocol version.
  case hostUnavailable(moduleID: String, path: String, reason: String)
  /// State could not be read or written.
  case storeFailed(operation: String, reason: String)
}
