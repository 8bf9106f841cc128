import ForsettiCore
import ForsettiRuntime

/// Turns what the readers say into findings. Pure.
struct CheckFindings {
  private(set) var findings: [CheckReport.Finding] = []
  private(set) var compatibleCount = 0

  private mutating func add(
    _ severity: CheckReport.Finding.Severity, _ place: String, _ message: String, pointer: String = ""
  ) {
    findings.append(
      CheckReport.Finding(severity: severity, place: place, pointer: pointer, message: message))
  }

  /// A policy file that could not be read.
  mutating func add(policyFile error: TrustedFileError) {
    add(.error, error.path, error.reason)
  }

  /// A policy that is wrong.
  mutating func add(_ faults: PolicyFaults, path: String) {
    for fault in faults.faults {
      add(.error, "\(path):\(fault.line):\(fault.column)", fault.reason, pointer: fault.pointer)
    }
    if faults.omitted > 0 { add(.error, path, "and \(faults.omitted) more") }
  }

  /// Manifests that could not be loaded.
  mutating func add(_ error: ManifestLoaderError) {
    switch error {
    case .several(let errors): for error in errors { add(error) }
    case .validationFailed(let fault):
      let place = fault.line > 0 ? "\(fault.file):\(fault.line):\(fault.column)" : fault.file
      add(.error, place, fault.reason, pointer: fault.pointer)
    case .manifestsDirectoryNotFound(let path, let why): add(.error, path, why.message)
    case .untrustedFile(let path, let reason): add(.error, path, reason)
    case .duplicateModuleID(_, let files): add(.error, files.first ?? "manifests", error.message)
    case .tooManyManifests(let path, _): add(.error, path, error.message)
    }
  }

  /// Manifests that were loaded: what is odd in them, and between them.
  mutating func add(_ catalog: ForsettiModuleCatalog) {
    for warning in catalog.warnings { add(.warning, warning.path, warning.text) }
    for module in catalog.manifests {
      for warning in module.warnings {
        add(
          .warning, "\(module.path):\(warning.line):\(warning.column)", warning.text, pointer: warning.pointer
        )
      }
    }
    for refusal in catalog.refusals { add(.error, refusal.path, refusal.description) }
    for duplicate in catalog.duplicateEntryPoints { add(.warning, "manifests", duplicate.message) }
  }

  /// Every module against this host and the policy, in module order, and the policy against them.
  mutating func add(compatibilityOf catalog: ForsettiModuleCatalog, policy: Policy) {
    addModules(of: catalog, policy)
    addActivation(of: catalog, policy)
    addViews(of: catalog, policy)
    if catalog.manifests.count > Int(policy.userIDs.count) {
      add(
        .warning, policy.file,
        "userIDs has \(policy.userIDs.count) user IDs for \(catalog.manifests.count) modules: under root some have none"
      )
    }
  }

  private mutating func addModules(of catalog: ForsettiModuleCatalog, _ policy: Policy) {
    let providers = catalog.providers(by: policy)
    for module in catalog.manifests {
      let report = catalog.report(on: module, by: policy)
      for issue in report.issues where issue.severity != .info {
        add(
          issue.severity == .error ? .error : .warning, module.path,
          "\(issue.code.rawValue): \(issue.message)")
      }
      if let warning = providers.unusedRoleWarning(for: module.manifest) {
        add(.warning, module.path, "\(module.manifest.moduleID) \(warning)")
      }
      guard report.isCompatible else { continue }
      compatibleCount += 1
      let grants = policy.grants(for: module.manifest, origin: module.origin).granted
      do throws(ModuleManagerError) {
        try RuntimeRequirementsCheck.check(module.manifest, grants: grants, providers: providers)
      } catch {
        add(.error, module.path, error.message)
      }
    }
  }

  private mutating func addActivation(of catalog: ForsettiModuleCatalog, _ policy: Policy) {
    for moduleID in policy.activationOrder
    where catalog[moduleID] == nil && catalog.refusal(of: moduleID) == nil {
      add(
        .error, policy.file, "activation.order names \(moduleID), of which there is no manifest: a boot fails"
      )
    }
    guard let moduleID = policy.selectedUIModuleID else { return }
    guard let module = catalog[moduleID] else {
      return add(
        .error, policy.file,
        "activation.selectedUIModuleID names \(moduleID), of which there is no manifest: a boot fails")
    }
    if module.manifest.moduleType == .service {
      add(.error, policy.file, "activation.selectedUIModuleID names \(moduleID), which is a service")
    }
  }

  private mutating func addViews(of catalog: ForsettiModuleCatalog, _ policy: Policy) {
    for (view, moduleID) in policy.views.sorted(by: { $0.key.text < $1.key.text })
    where catalog[moduleID] == nil && catalog.refusal(of: moduleID) == nil {
      add(
        .warning, policy.file,
        "views gives \(view.text.quoted()) to \(moduleID), of which there is no manifest: nobody draws it")
    }
  }
}
