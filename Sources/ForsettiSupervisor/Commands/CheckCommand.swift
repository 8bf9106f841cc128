import ForsettiCore
import ForsettiRuntime

/// `check`: policy and manifests together, every fault of both, no process.
struct CheckCommand {
  var inputs: Inputs
  /// Where bundles are, unless the policy names another folder.
  var state: String?
  var json: Bool

  func run(in surroundings: Surroundings) throws(CommandFailure) -> ExitStatus {
    try surroundings.requireTrustedCheckout(inputs)
    let progress = Progress("reading manifests", on: surroundings.errors)
    let report = report(in: surroundings)
    progress.end()
    try surroundings.output.write(json ? report.json.line : report.text(surroundings.output.style))
    return report.status
  }

  func report(in surroundings: Surroundings) -> CheckReport {
    let begin = ContinuousClock.now
    let manifests = ManifestInput(inputs, installation: surroundings.installation)
    let policyPath = surroundings.policyPath(inputs)
    var findings = CheckFindings()
    var failures: [ExitStatus] = []
    var policy: Policy?
    var catalog: ForsettiModuleCatalog?
    do { policy = try PolicyInput.read(policyPath) } catch {
      switch error {
      case .file(let error): findings.add(policyFile: error)
      case .faults(let faults): findings.add(faults, path: policyPath)
      }
      failures.append(CommandFailure(error, path: policyPath).status)
    }
    do { catalog = try manifests.source.load() } catch {
      findings.add(error)
      failures.append(CommandFailure(error).status)
    }
    // Without a home there is no state, and so no bundles but those of a folder that the policy names.
    let places = try? surroundings.statePlaces(state: state)
    if let policy, let found = catalog {
      catalog = found.adding(
        BundleFolder(policy: policy, at: policyPath, state: places?.state ?? "/nonexistent").load())
    }
    if let catalog { findings.add(catalog) }
    if let catalog, let policy { findings.add(compatibilityOf: catalog, policy: policy) }
    return CheckReport(
      policyPath: policyPath, manifestsPath: manifests.path, manifestCount: catalog?.manifests.count ?? 0,
      compatibleCount: findings.compatibleCount, findings: findings.findings,
      milliseconds: begin.duration(to: .now).milliseconds, failureStatus: failures.first ?? .dataError)
  }
}

extension Duration {
  /// The duration in milliseconds.
  var milliseconds: Double {
    Double(components.seconds) * 1e3 + Double(components.attoseconds) / 1e15
  }
}
