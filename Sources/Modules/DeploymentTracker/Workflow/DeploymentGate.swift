/// What must hold of a device before a step.
enum DeploymentGate: String, CaseIterable, Sendable, Hashable {
  /// Nothing must.
  case open
  case catalog
  case businessReadiness = "abm-readiness"
  case business = "abm"
  case project, configuration, quality
  case preloadReadiness = "preload-readiness"
  case preloadSubmission = "preload-submission"
  case reconciliation
  case serviceDeskReadiness = "sdplus-readiness"
  case serviceDeskExport = "sdplus-export"
  case shipping, delivery, completion, records
  case exceptionsSettled = "exceptions-settled"
}

/// What a gate says.
enum DeploymentVerdict: Sendable, Hashable {
  case pass
  /// The device's project doesn't ask for this.
  case notApplicable
  /// The step may be taken, and this is to be known.
  case warning(String)
  /// It may not; what is wrong, and what mends it.
  case blocked(String)

  /// Whether the step may be taken.
  var allows: Bool {
    if case .blocked = self { false } else { true }
  }

  /// What it says, if it says something.
  var words: String {
    switch self {
    case .pass, .notApplicable: ""
    case .warning(let words), .blocked(let words): words
    }
  }
}

extension DeploymentGate {
  /// Judges a device.
  /// - Parameters:
  ///   - project: the one that the device belongs to, if any; without one nothing of what projects ask applies but the
  ///     preload.
  ///   - exceptions: those of the device.
  func judge(
    _ device: DeploymentDevice, project: DeploymentProject?, exceptions: [DeploymentException]
  ) -> DeploymentVerdict {
    if let rule, !(project?.rules.contains(rule) ?? rule.holdsWithoutProject) { return .notApplicable }
    switch self {
    case .open, .records: return .pass
    case .catalog: return needs(device, [.serial, .deviceType, .model])
    case .businessReadiness: return needs(device, [.serial, .partNumber])
    case .business: return judgeBusiness(device.business, project)
    case .project:
      return project == nil ? .blocked("The device is in no project; assign it to one.") : .pass
    case .configuration:
      return device.text(.profile).isEmpty ? .warning("The device has no profile.") : .pass
    case .quality, .exceptionsSettled: return settled(exceptions)
    case .preloadReadiness: return needs(device, [.serial, .deviceType])
    case .preloadSubmission:
      return device.preload == .submitted || device.preload == .reconciled
        ? .pass : .blocked("The device is in no preload; submit one that holds it.")
    case .reconciliation:
      return device.preload == .reconciled
        ? .pass : .blocked("The preload is not reconciled for this device; reconcile it.")
    case .serviceDeskReadiness: return needs(device, [.assetTag, .assignedUser])
    case .serviceDeskExport:
      return device.serviceDesk == .exported
        ? .pass : .blocked("The device is in no service-desk export; make one that holds it.")
    case .shipping: return needs(device, [.tracking])
    case .delivery: return needs(device, [.delivery])
    case .completion: return judgeCompletion(project, exceptions)
    }
  }

  /// What a project must ask for this gate to matter; nothing where it always does.
  private var rule: DeploymentProject.Rule? {
    switch self {
    case .businessReadiness, .business: .businessCheck
    case .quality: .quality
    case .preloadReadiness, .preloadSubmission: .preload
    case .reconciliation: .reconciliation
    case .serviceDeskReadiness, .serviceDeskExport: .serviceDesk
    case .shipping: .shipping
    case .delivery: .delivery
    case .open, .catalog, .project, .configuration, .completion, .records, .exceptionsSettled: nil
    }
  }

  private func needs(_ device: DeploymentDevice, _ fields: [DeploymentField]) -> DeploymentVerdict {
    let missing = fields.filter { device.text($0).isEmpty }
    guard !missing.isEmpty else { return .pass }
    return .blocked("Missing: \(missing.map(\.title).joined(separator: ", ")); fill it in.")
  }

  private func judgeBusiness(_ found: DeploymentDevice.Business, _ project: DeploymentProject?)
    -> DeploymentVerdict
  {
    switch found {
    case .expected: return .pass
    case .found where project?.rules.contains(.expectedServer) == true:
      return .blocked("Apple Business assigns the device to another server than the project expects.")
    case .found: return .pass
    case .stale: return .warning("What Apple Business said is old; check again.")
    case .lookupFailed: return .warning("Apple Business gave no answer; check again.")
    case .unchecked, .missing: return .blocked("Apple Business doesn't know the device; check it.")
    }
  }

  private func settled(_ exceptions: [DeploymentException]) -> DeploymentVerdict {
    guard let open = exceptions.first(where: \.blocks) else { return .pass }
    return .blocked(open.advice)
  }

  private func judgeCompletion(_ project: DeploymentProject?, _ exceptions: [DeploymentException])
    -> DeploymentVerdict
  {
    let verdict = settled(exceptions)
    guard verdict == .pass, let project, project.rules.contains(.review) else { return verdict }
    return project.rules.contains(.completionWithWarnings)
      ? .warning("The project wants a review; it allows completion before it.")
      : .blocked("The project wants a review before completion, and allows no completion with warnings.")
  }
}
