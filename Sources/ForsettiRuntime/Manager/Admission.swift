public import ForsettiCore
import ForsettiIPC

/// A module's way through the gates before its process exists (SPEC §3): what it may run with, and the
/// registration record that its activation will save.
struct Admission {
  var grants: [Capability]
  /// The record to save when it has started; `nil` when the stored one still holds.
  var newRecord: ModuleRegistrationRecord?
  /// The origin whose data it takes over; `nil` is its own.
  var dataOrigin: String?
}

extension ModuleManager {
  /// Compatibility, registration, entitlement, in this order. The first gate that is shut throws.
  func admit(
    _ module: LoadedManifest, by deployment: Deployment
  ) async throws(ModuleManagerError) -> Admission {
    let manifest = module.manifest
    let report = deployment.report(on: module)
    guard report.isCompatible else { throw .incompatible(report) }
    let (newRecord, dataOrigin) = try await registration(of: module, by: deployment.policy)
    guard await isUnlocked(module) else {
      throw .moduleLocked(moduleID: manifest.moduleID, productID: manifest.iapProductID)
    }
    return Admission(
      grants: deployment.policy.grants(for: manifest, origin: module.origin).granted, newRecord: newRecord,
      dataOrigin: dataOrigin)
  }

  /// Holds the module against its record. A difference passes only if a person accepted this very hash, or the
  /// policy accepts drift and it is no downgrade.
  /// - Returns: the record to save, if the stored one no longer holds, and the origin whose data the module has.
  private func registration(
    of module: LoadedManifest, by policy: Policy
  ) async throws(ModuleManagerError) -> (new: ModuleRegistrationRecord?, dataOrigin: String?) {
    let id = module.manifest.moduleID
    let stored: ModuleRegistrationRecord?
    let acceptance: Acceptance?
    do throws(StoreError) {
      stored = try await environment.store.record(moduleID: id)
      acceptance = try await environment.store.acceptance(moduleID: id)
    } catch {
      throw error.during("read the registration of \(id)")
    }
    let isAccepted = acceptance?.covers(module) ?? false
    guard let stored else {
      guard policy.registration == .automatic || isAccepted else {
        throw .registrationMissing(moduleID: id, sha256: module.acceptedSHA256)
      }
      return (makeRecord(of: module, dataOrigin: nil), nil)
    }
    guard let drift = module.drift(from: stored) else { return (nil, stored.dataOrigin) }
    let byPolicy = policy.onDrift == .accept && !drift.isDowngrade && !drift.isOriginChanged
    // Whoever accepts another origin has said what becomes of the data, or it was another change they saw.
    let byPerson = isAccepted && (!drift.isOriginChanged || acceptance?.data != nil)
    guard byPerson || byPolicy else { throw .registrationMismatch(moduleID: id, reason: drift.reason) }
    var dataOrigin = stored.dataOrigin
    if drift.isOriginChanged {
      dataOrigin = acceptance?.data == .keep ? stored.dataOrigin ?? stored.origin : nil
    }
    return (makeRecord(of: module, dataOrigin: dataOrigin), dataOrigin)
  }

  private func makeRecord(of module: LoadedManifest, dataOrigin: String?) -> ModuleRegistrationRecord {
    ModuleRegistrationRecord(
      manifest: module.manifest, sha256: module.sha256, origin: module.origin.text,
      executableSHA256: module.origin.executableSHA256, dataOrigin: dataOrigin,
      productVersion: ForsettiVersion.current.description, registeredAt: environment.wallClock())
  }
}

extension LoadedManifest {
  /// How the module differs from its record; `nil` where it agrees.
  public func drift(from record: ModuleRegistrationRecord) -> RegistrationDrift? {
    RegistrationDrift.between(
      record, and: manifest, sha256: sha256, origin: origin.text, executableSHA256: origin.executableSHA256)
  }
}

extension Acceptance {
  /// Whether it is of just this manifest, executable and origin.
  public func covers(_ module: LoadedManifest) -> Bool {
    manifestSHA256 == module.sha256 && executableSHA256 == module.origin.executableSHA256
      && origin == module.origin.text
  }
}

extension ModuleManager {
  /// The module of an ID, or why there is none.
  func discovered(_ moduleID: String) throws(ModuleManagerError) -> LoadedManifest {
    if let module = catalog[moduleID] { return module }
    if let refusal = catalog.refusal(of: moduleID) {
      throw .bundleRefused(moduleID: moduleID, reason: refusal.reason)
    }
    throw .moduleNotDiscovered(moduleID: moduleID)
  }
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
