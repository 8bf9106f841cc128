extension ModuleManagerError: CustomStringConvertible {
  /// The same as `message`.
  public var description: String { message }

  /// One line for people: the module, the fault, the way out.
  public var message: String { "\(subject): \(fault); \(wayOut)" }

  /// What the error is about: a module's ID, or the part of the runtime that failed.
  public var subject: String {
    switch self {
    case .duplicateEntryPoint(let entryPoint, _): "entry point \(entryPoint.quoted())"
    default: moduleIDs.first?.plain() ?? "state"
    }
  }

  /// The modules that it is about; none where the runtime itself failed.
  public var moduleIDs: [String] {
    switch self {
    case .incompatible(let report): [report.moduleID]
    case .duplicateEntryPoint(_, let moduleIDs): moduleIDs
    case .storeFailed: []
    case .moduleNotDiscovered(let moduleID), .bundleRefused(let moduleID, _), .moduleNotActive(let moduleID),
      .executableUnavailable(let moduleID, _, _),
      .registrationMissing(let moduleID, _), .registrationMismatch(let moduleID, _),
      .moduleLocked(let moduleID, _), .entryPointNotRegistered(let moduleID, _),
      .moduleIdentityMismatch(let moduleID, _, _, _), .notUIModule(let moduleID),
      .missingCapability(let moduleID, _, _), .unsatisfiedRuntimeRequirement(let moduleID, _),
      .startFailed(let moduleID, _), .startTimedOut(let moduleID, _, _), .sandboxFailed(let moduleID, _, _),
      .crashedDuringStart(let moduleID, _), .stopTimedOut(let moduleID), .hostUnavailable(let moduleID, _, _),
      .filterFailed(let moduleID, _), .threadsUnbounded(let moduleID), .ended(let moduleID, _),
      .quarantined(let moduleID, _), .waitingForModule(let moduleID, _), .shuttingDown(let moduleID):
      [moduleID]
    }
  }

  /// What is wrong.
  public var fault: String {
    switch self {
    case .moduleNotDiscovered: "no manifest with this ID was discovered"
    case .bundleRefused(_, let reason): "its bundle is refused: \(reason.plain(limit: 800))"
    case .moduleNotActive: "not active"
    case .incompatible(let report): Self.fault(report)
    case .registrationMissing: "not registered, and the policy asks for a review first"
    case .registrationMismatch(_, let reason): reason.plain(limit: 800)
    case .moduleLocked(_, let productID):
      "locked" + (productID.map { ", it needs the product \($0.quoted())" } ?? "")
    case .entryPointNotRegistered(_, let entryPoint):
      "the module host has no entry point \(entryPoint.quoted())"
    case .duplicateEntryPoint(_, let moduleIDs):
      "named by \(moduleIDs.map { $0.plain() }.joined(separator: ", "))"
    case .moduleIdentityMismatch(_, let field, let expected, let actual):
      "its \(field.plain()) is \(actual.quoted(limit: 200)), its manifest file says \(expected.quoted(limit: 200))"
    case .notUIModule: "moduleType and code disagree on whether it is a UI module"
    case .missingCapability(_, let capability, let usage):
      "it contributes \(usage.plain()) without the capability \(capability.rawValue)"
    case .unsatisfiedRuntimeRequirement(_, let reason): reason.plain(limit: 800)
    case .startFailed(_, let reason): "its start failed: \(reason.plain())"
    case .startTimedOut(_, let phase, let milliseconds):
      "the phase \(phase.rawValue) did not end within \(milliseconds) ms"
    case .sandboxFailed(_, let step, let errno):
      "the sandbox step \(step.rawValue) failed: \(ErrnoName.text(errno))"
    case .crashedDuringStart(_, let exit): "it ended before it was active: \(exit)"
    case .threadsUnbounded: "it is granted threads, and nothing here would hold their number"
    case .filterFailed(_, let reason): "its seccomp filter could not be made: \(reason.plain())"
    case .ended(_, let exit): "it ended unasked: \(exit)"
    case .quarantined(_, let cause): "quarantined: \(cause)"
    case .waitingForModule(_, let other): "stopped until \(other.plain()) is active again"
    case .shuttingDown: "the runtime is shutting down"
    case .stopTimedOut: "it did not stop within its deadline and was killed"
    case .executableUnavailable(_, let path, let reason):
      "its executable \(path.quoted(limit: 400)) can't be run: \(reason.plain(limit: 400))"
    case .hostUnavailable(_, let path, let reason):
      "the module host \(path.quoted(limit: 400)) can't be started: \(reason.plain())"
    case .storeFailed(let operation, let reason): "\(operation.plain()) failed: \(reason.plain())"
    }
  }

  /// What a person can do about it.
  public var wayOut: String {
    switch self {
    case .moduleNotDiscovered(let moduleID):
      "check the ID and the manifests folder; one that is gone for good is let go of with `deactivate "
        + "\(moduleID.plain())`"
    case .bundleRefused: "see `packages list`, then mend the bundle or the policy"
    case .moduleNotActive: "activate it before it is selected"
    case .incompatible(let report): "see `explain \(report.moduleID.plain())`"
    case .registrationMissing(let moduleID, let sha256):
      "take it with `accept \(moduleID.plain()) --sha256 \(sha256.plain())`"
    case .registrationMismatch(let moduleID, _):
      "see `explain \(moduleID.plain())`, then take it with `accept \(moduleID.plain()) --sha256 …` or put the "
        + "registered version back"
    case .moduleLocked: "unlock it at the entitlement provider"
    case .entryPointNotRegistered: "correct entryPoint, or build a host that registers it"
    case .duplicateEntryPoint: "give each module its own"
    case .moduleIdentityMismatch: "make code and manifest agree"
    case .notUIModule: "correct moduleType, or conform to ForsettiUIModule"
    case .missingCapability: "add it to capabilitiesRequested"
    case .unsatisfiedRuntimeRequirement: "provide it, or change the manifest's runtimeRequirements"
    case .startFailed, .crashedDuringStart, .stopTimedOut, .ended: "see its log"
    case .quarantined(let moduleID, _):
      "see its log, mend it, then let it out with `reset \(moduleID.plain())`"
    case .waitingForModule(_, let other): "see the log of \(other.plain())"
    case .shuttingDown: "start the supervisor again"
    case .startTimedOut: "see its log, or raise the deadline in the policy"
    case .sandboxFailed(_, .landlock, _): "mend the host, or let the policy run it without (mayBeMissing)"
    // pidfd_getfd(2) of a process of another user: EPERM.
    case .sandboxFailed(_, .listener, 1):
      "give the supervisor CAP_SYS_PTRACE, by which root looks into processes of other users, or run it as an "
        + "ordinary user"
    case .sandboxFailed: "mend the host; without this layer no module runs"
    case .threadsUnbounded:
      "run the supervisor as root, or give it a subtree of cgroups with the pids controller"
    case .filterFailed: "check the installed libseccomp"
    case .executableUnavailable: "install the bundle again, or start the supervisor anew if it was replaced"
    case .hostUnavailable: "build it, or install it beside the supervisor"
    case .storeFailed: "check the state folder, its owner and its space"
    }
  }

  private static func fault(_ report: CompatibilityReport) -> String {
    let errors = report.issues.filter { $0.severity == .error }
    return "incompatible: "
      + errors.map { "\($0.code.rawValue): \($0.message.plain(limit: 400))" }.joined(separator: "; ")
  }
}
