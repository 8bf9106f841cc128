import ForsettiCore
import ForsettiRuntime

/// The gates that a module passes before it is active, as far as they can be judged without starting it. Pure:
/// what the module host answered is among what it is given.
struct ExplainGates {
  var module: LoadedManifest
  var catalog: ForsettiModuleCatalog
  var policy: Policy
  var registration: RegistrationView
  var isUnlocked: Bool
  /// What the module host says of the entry point; `nil` where it was not asked, and this gate is left out.
  var host: EntryPointProbe.Answer?

  private typealias Gate = ExplainReport.Gate

  /// In the order an activation passes them.
  var all: [ExplainReport.Gate] {
    [manifest, compatibility, registered, entitlement] + (host.map { [entryPoint($0)] } ?? []) + [
      requirements
    ]
  }

  private var manifest: Gate {
    let warnings = module.warnings.count
    let note = warnings == 0 ? "" : ", \(counted(warnings, "warning")) (see check)"
    return Gate(
      name: "manifest", outcome: .passed, reason: "valid, schema \(module.manifest.schemaVersion)\(note)")
  }

  private var compatibility: Gate {
    let report = catalog.report(on: module, by: policy)
    let issues = report.issues.filter { $0.severity != .info }.map { "\($0.code.rawValue): \($0.message)" }
    guard report.isCompatible else {
      return Gate(name: "compatibility", outcome: .failed, reason: issues.joined(separator: "; "))
    }
    let text = "this host and policy can run it"
    return Gate(name: "compatibility", outcome: .passed, reason: ([text] + issues).joined(separator: "; "))
  }

  private var registered: Gate {
    let accept = "accept \(module.manifest.moduleID) --sha256 \(module.acceptedSHA256)"
    guard registration.record != nil else {
      if registration.isAccepted(module) {
        return Gate(
          name: "registration", outcome: .passed, reason: "accepted; registered at its first activation")
      }
      guard policy.registration == .automatic else {
        return Gate(
          name: "registration", outcome: .failed, reason: "the policy wants a person's word first: \(accept)")
      }
      return Gate(name: "registration", outcome: .passed, reason: "none yet; made at its first activation")
    }
    guard let drift = registration.drift(of: module) else {
      return Gate(name: "registration", outcome: .passed, reason: "agrees with its record")
    }
    if registration.isAccepted(module) {
      return Gate(name: "registration", outcome: .passed, reason: "\(drift.reason); accepted")
    }
    if policy.onDrift == .accept, !drift.isDowngrade, !drift.isOriginChanged {
      return Gate(name: "registration", outcome: .passed, reason: "\(drift.reason); the policy accepts drift")
    }
    return Gate(name: "registration", outcome: .failed, reason: "\(drift.reason): \(accept)")
  }

  private var entitlement: Gate {
    guard let product = module.manifest.iapProductID else {
      return Gate(name: "entitlement", outcome: .passed, reason: "needs none")
    }
    return isUnlocked
      ? Gate(name: "entitlement", outcome: .passed, reason: "product \(product) is unlocked")
      : Gate(
        name: "entitlement", outcome: .failed, reason: "product \(product) is locked (policy, entitlements)")
  }

  private func entryPoint(_ host: EntryPointProbe.Answer) -> Gate {
    let name = module.manifest.entryPoint
    let others = catalog.manifests.filter {
      module.origin.isBuiltIn && $0.origin.isBuiltIn && $0.manifest.entryPoint == name
        && $0.manifest.moduleID != module.manifest.moduleID
    }
    guard others.isEmpty else {
      let ids = others.map(\.manifest.moduleID).joined(separator: ", ")
      return Gate(name: "entry point", outcome: .failed, reason: "\(name) is also named by \(ids)")
    }
    switch host {
    case .known:
      return Gate(
        name: "entry point", outcome: .passed,
        reason: module.origin.isBuiltIn
          ? "the module host has \(name), and it is this module"
          : "the bundle's executable says that it is this module")
    case .refused(let error):
      return Gate(name: "entry point", outcome: .failed, reason: "\(error.fault); \(error.wayOut)")
    }
  }

  private var requirements: Gate {
    let providers = catalog.providers(by: policy)
    let granted = policy.grants(for: module.manifest, origin: module.origin).granted
    do throws(ModuleManagerError) {
      try RuntimeRequirementsCheck.check(module.manifest, grants: granted, providers: providers)
    } catch {
      if case .unsatisfiedRuntimeRequirement(_, let reason) = error {
        return Gate(name: "requirements", outcome: .failed, reason: reason)
      }
      return Gate(name: "requirements", outcome: .failed, reason: error.message)
    }
    let warning = providers.unusedRoleWarning(for: module.manifest)
    return Gate(
      name: "requirements", outcome: .passed, reason: warning ?? "everything it requires has a provider")
  }
}
