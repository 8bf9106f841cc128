import ForsettiCore
import ForsettiRuntime

/// `check`: policy and manifests together, every fault of both, no process.
struct CheckCommand {
  let options: CheckOptions

  init(_ options: CheckOptions) { self.options = options }

  func run(in surroundings: Surroundings) throws(CommandFailure) -> ExitStatus {
    try surroundings.requireTrustedCheckout(options.inputs)
    let progress = Progress("reading manifests", on: surroundings.errors)
    let report = report(in: surroundings)
    progress.end()
    switch options.format {
    case .text: try surroundings.output.write(report.text(surroundings.output.style))
    case .json: try surroundings.output.write(report.json.line)
    case .sarif: try surroundings.output.write(SARIFReport(check: report).json.line)
    }
    return report.status
  }

  func report(in surroundings: Surroundings) -> CheckReport {
    let begin = ContinuousClock.now
    let manifests = ManifestInput(options.inputs, installation: surroundings.installation)
    let policyPath = surroundings.policyPath(options.inputs)
    var findings = CheckFindings()
    var failures: [ExitStatus] = []
    var read: (policy: Policy, text: [UInt8])?
    var catalog: ForsettiModuleCatalog?
    do { read = try PolicyInput.readText(policyPath) } catch {
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
    let places = try? surroundings.statePlaces(state: options.state)
    let policy = read?.policy
    if let policy, let found = catalog {
      catalog = found.adding(
        BundleFolder(policy: policy, at: policyPath, state: places?.state ?? "/nonexistent").load())
    }
    if let catalog { findings.add(catalog) }
    if let catalog, let policy { findings.add(compatibilityOf: catalog, policy: policy) }
    var report = CheckReport(
      policyPath: policyPath, manifestsPath: manifests.path, manifestCount: catalog?.manifests.count ?? 0,
      compatibleCount: findings.compatibleCount, findings: findings.findings,
      milliseconds: begin.duration(to: .now).milliseconds, failureStatus: failures.first ?? .dataError)
    if options.lints, let read, let catalog {
      report.lint = LintReport(read.policy, text: read.text, catalog, threshold: options.threshold)
    }
    return report
  }
}

extension Duration {
  /// The duration in milliseconds.
  var milliseconds: Double {
    Double(components.seconds) * 1e3 + Double(components.attoseconds) / 1e15
  }
}
