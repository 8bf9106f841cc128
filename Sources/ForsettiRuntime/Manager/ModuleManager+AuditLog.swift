import ForsettiCore

// What the audit log keeps of modules. Each is one line where the decision is made.
extension ModuleManager {
  private func keep(_ kind: AuditEvent.Kind, _ id: String, _ details: [String: String]) {
    environment.auditLog.record(AuditEvent(kind, moduleID: id, details: details))
  }

  /// A module is active.
  func auditGrants(_ module: LoadedManifest, registered: ModuleRegistrationRecord?) {
    let id = module.manifest.moduleID
    if let registered {
      keep(.registered, id, ["sha256": registered.sha256, "origin": registered.origin])
    }
    let decision = policy.grants(for: module.manifest, origin: module.origin)
    let denied = module.manifest.capabilitiesRequested.filter { !decision.granted.contains($0) }
    keep(
      .granted, id,
      [
        "capabilities": decision.granted.map(\.rawValue).joined(separator: " "),
        "denied": denied.map(\.rawValue).joined(separator: " "), "origin": module.origin.text,
        "sha256": module.acceptedSHA256,
      ])
  }

  /// A module is not let in, for what it is or for what nobody has unlocked.
  func auditRefusal(_ id: String, _ error: ModuleManagerError) {
    switch error {
    case .moduleLocked: keep(.locked, id, ["reason": error.message])
    case .incompatible, .registrationMissing, .registrationMismatch, .bundleRefused, .moduleIdentityMismatch,
      .missingCapability, .unsatisfiedRuntimeRequirement, .notUIModule:
      keep(.denied, id, ["reason": error.message])
    default: break
    }
  }

  /// A reload was refused for what modules are, which the reasons name.
  func auditRefusal(of failure: ReloadFailure) {
    guard case .refused(let errors) = failure else { return }
    for error in errors {
      let subjects: [String?] = error.moduleIDs.isEmpty ? [nil] : error.moduleIDs
      for id in subjects {
        environment.auditLog.record(
          AuditEvent(
            .denied, moduleID: id, details: ["operation": "reload", "reason": error.message]))
      }
    }
  }

  /// A reload changes what everything is held against; the lines behind it say what becomes of modules.
  func auditReload(_ plan: ReloadPlan) {
    guard !plan.isEmpty else { return }
    environment.auditLog.record(
      AuditEvent(
        .changed,
        details: [
          "operation": "reload", "policy": plan.keys.map(\.rawValue).joined(separator: " "),
          "modules": plan.modules.map(\.moduleID).joined(separator: " "),
        ]))
  }

  /// A process ended unasked, or had to be killed.
  func auditEnd(_ id: String, _ exit: ModuleExit) {
    guard exit.reason != .stopped else { return }
    keep(.ended, id, ["reason": exit.reason.kind.rawValue, "message": "\(exit)"])
  }

  /// A module is not started again by itself.
  func auditQuarantine(_ id: String, _ cause: QuarantineCause) {
    keep(.quarantined, id, ["cause": "\(cause)"])
  }

  /// A person says that a module is mended.
  func auditRelease(_ id: String) { keep(.released, id, [:]) }

  /// A product that an active module needs is locked.
  func auditLock(_ module: LoadedManifest) {
    keep(.locked, module.manifest.moduleID, ["productID": module.manifest.iapProductID ?? ""])
  }
}
