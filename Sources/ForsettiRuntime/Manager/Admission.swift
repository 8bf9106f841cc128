import ForsettiCore
import ForsettiIPC

/// A module's way through the gates before its process exists (SPEC §3): what it may run with, and the
/// registration record that its activation will save.
struct Admission {
  var grants: [Capability]
  /// The record to save when it has started; `nil` when the stored one still holds.
  var newRecord: ModuleRegistrationRecord?
}

extension ModuleManager {
  /// Compatibility, registration, entitlement, in this order. The first gate that is shut throws.
  func admit(_ module: LoadedManifest) async throws(ModuleManagerError) -> Admission {
    let manifest = module.manifest
    let report = checker.check(manifest, policy: environment.policy.seen(from: module.origin))
    guard report.isCompatible else { throw .incompatible(report) }
    let newRecord = try await newRegistration(of: module)
    guard await isUnlocked(module) else {
      throw .moduleLocked(moduleID: manifest.moduleID, productID: manifest.iapProductID)
    }
    return Admission(
      grants: environment.policy.grants(for: manifest, origin: module.origin).granted, newRecord: newRecord)
  }

  /// Holds the module against its record. A difference passes only if a person accepted this very hash, or the
  /// policy accepts drift and it is no downgrade.
  private func newRegistration(
    of module: LoadedManifest
  ) async throws(ModuleManagerError) -> ModuleRegistrationRecord? {
    let id = module.manifest.moduleID
    let policy = environment.policy
    let stored: ModuleRegistrationRecord?
    let acceptance: Acceptance?
    do throws(StoreError) {
      stored = try await environment.store.record(moduleID: id)
      acceptance = try await environment.store.acceptance(moduleID: id)
    } catch {
      throw error.during("read the registration of \(id)")
    }
    let isAccepted =
      acceptance.map { $0.manifestSHA256 == module.sha256 && $0.origin == module.origin.text } ?? false
    guard let stored else {
      guard policy.registration == .automatic || isAccepted else {
        throw .registrationMissing(moduleID: id, sha256: module.sha256)
      }
      return makeRecord(of: module)
    }
    guard
      let drift = RegistrationDrift.between(
        stored, and: module.manifest, sha256: module.sha256, origin: module.origin.text)
    else { return nil }
    let byPolicy = policy.onDrift == .accept && !drift.isDowngrade && !drift.isOriginChanged
    guard isAccepted || byPolicy else { throw .registrationMismatch(moduleID: id, reason: drift.reason) }
    return makeRecord(of: module)
  }

  private func makeRecord(of module: LoadedManifest) -> ModuleRegistrationRecord {
    ModuleRegistrationRecord(
      manifest: module.manifest, sha256: module.sha256, origin: module.origin.text,
      productVersion: ForsettiVersion.current.description, registeredAt: environment.wallClock())
  }
}

extension LoadedManifest {
  /// Where the module's code comes from: every module that a manifests folder holds is the host's own.
  var origin: ModuleOrigin { .builtIn }
}

/// The gates between `describe` and `start`, as one pure function.
enum ActivationChecks {
  /// Identity, UI protocol, runtime requirements, UI contributions, in this order.
  /// - Returns: what the surface will show, sanitised; `nil` for a service.
  static func contributions(
    of description: DescribeMessage, manifest: ModuleManifest, grants: [Capability], policy: Policy,
    providers: ProviderDirectory
  ) throws(ModuleManagerError) -> UIContributions? {
    try ModuleIdentity.check(
      discovered: manifest, descriptor: description.descriptor, manifest: description.manifest)
    let isUI = manifest.moduleType != .service
    guard description.isUIModule == isUI else {
      guard isUI else {
        throw .unsatisfiedRuntimeRequirement(
          moduleID: manifest.moduleID,
          reason: "a service contributes to the UI; make its moduleType ui or app")
      }
      throw .notUIModule(moduleID: manifest.moduleID)
    }
    try RuntimeRequirementsCheck.check(manifest, grants: grants, providers: providers)
    guard let contributions = description.contributions else { return nil }
    try UIContributionValidator.validate(contributions, of: manifest)
    return UIContributionValidator.sanitised(
      contributions, grants: grants, mayHostUseThemeMasks: policy.mayHostUseThemeMasks)
  }
}
