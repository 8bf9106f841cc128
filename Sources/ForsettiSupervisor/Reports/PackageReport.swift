import ForsettiCore
import ForsettiRuntime

/// What `packages install` shows of a bundle: what it asks for beside what the policy grants, whose it is, and how it
/// differs from what is installed.
struct PackageReport: Equatable {
  /// One capability the manifest asks for.
  struct Request: Equatable {
    var capability: String
    var verdict: PolicyDecision.Verdict
    /// The policy's reason, and the place that decided.
    var reason: String
  }

  var moduleID: String
  var displayName: String
  var version: String
  var moduleType: String
  /// As the policy names origins.
  var origin: String
  var manifestSHA256: String
  var executableSHA256: String
  var executableBytes: Int
  /// Why the policy does not let it run; `nil` where it does.
  var refusal: String?
  /// In the manifest's order.
  var requests: [Request]
  /// What it says it does with them, one line each.
  var uses: [String]
  /// What differs from the installed one; empty where none is installed.
  var changes: [AcceptReport.Change] = []
  /// Whether it is not installed already, to the byte.
  var isNew: Bool
  var isInstalled = false

  /// For people.
  func text(_ style: TextStyle) -> String {
    var text =
      "\(style.bold(escaped(displayName)))  \(escaped(moduleID)) \(escaped(version)), a \(moduleType) module\n"
    text += columns([
      ["origin", escaped(origin)], ["manifest", "sha256 \(manifestSHA256)"],
      ["executable", "sha256 \(executableSHA256), \(executableBytes) bytes"],
    ])
    text += "\n\(style.bold("It asks for"))\n"
    text += requests.isEmpty ? "  nothing\n" : columns(requests.map { row($0, style) })
    if !uses.isEmpty { text += uses.map { "  \(style.dim("- \(escaped($0))"))\n" }.joined() }
    if !changes.isEmpty {
      text += "\n\(style.bold("It differs from what is installed"))\n"
      for change in changes {
        text += "  \(escaped(change.field))\n" + style.red("    - \(escaped(change.registered))") + "\n"
        text += style.green("    + \(escaped(change.present))") + "\n"
      }
    }
    if let refusal { text += "\n\(style.fail) it will not run: \(escaped(refusal))\n" }
    return text + "\n"
  }

  private func row(_ request: Request, _ style: TextStyle) -> [String] {
    let mark =
      switch request.verdict {
      case .granted: style.pass
      case .leftOut: style.open
      case .denied: style.fail
      }
    let word =
      switch request.verdict {
      case .granted: "granted"
      case .leftOut: "left out"
      case .denied: "denied"
      }
    return [mark, request.capability, word, escaped(request.reason)]
  }

  /// For programs.
  var json: JSONValue {
    .record([
      "moduleID": .string(moduleID), "displayName": .string(displayName), "version": .string(version),
      "type": .string(moduleType), "origin": .string(origin), "manifestSHA256": .string(manifestSHA256),
      "executableSHA256": .string(executableSHA256), "executableBytes": .integer(executableBytes),
      "refusal": .string(refusal),
      "requests": .array(
        requests.map {
          .record([
            "capability": .string($0.capability), "verdict": .string($0.verdict.rawValue),
            "reason": .string($0.reason),
          ])
        }),
      "changes": .array(changes.map(\.json)), "installed": .bool(isInstalled),
    ])
  }
}

extension PackageReport {
  /// What a policy makes of an offer.
  init(_ offer: ModulePackageManager.Offer, policy: Policy) {
    let manifest = offer.module.manifest
    moduleID = manifest.moduleID
    displayName = manifest.displayName
    version = manifest.moduleVersion.description
    moduleType = manifest.moduleType.rawValue
    origin = offer.module.origin.text
    manifestSHA256 = offer.module.sha256
    executableSHA256 = offer.module.origin.executableSHA256 ?? ""
    executableBytes = offer.executableBytes
    refusal = offer.refusal?.reason
    requests = offer.grants(by: policy).decisions.map { decision in
      Request(
        capability: decision.capability.rawValue, verdict: decision.verdict,
        reason: decision.source.map { "\(decision.reason) (\($0.text))" } ?? decision.reason)
    }
    uses = manifest.runtimeRequirements.io.map { entry in
      "\(entry.kind.rawValue) \(entry.access.rawValue)\(entry.required ? "" : ", if it may")"
        + (entry.description.map { ": \($0)" } ?? "")
    }
    switch offer.installed {
    case .nothing: isNew = true
    case .same: isNew = false
    case .older(let drift):
      isNew = true
      changes = Self.changes(drift)
    case .other(_, let drift):
      isNew = true
      changes = drift.map(Self.changes) ?? []
    }
  }

  private static func changes(_ drift: RegistrationDrift) -> [AcceptReport.Change] {
    drift.changes.map { AcceptReport.Change(field: $0.field, registered: $0.old, present: $0.new) }
  }
}

/// What `packages list` shows.
struct PackageList {
  private let found: BundleFolder.Found

  init(_ found: BundleFolder.Found) { self.found = found }

  /// For people.
  func text(_ style: TextStyle) -> String {
    guard !found.modules.isEmpty || !found.refusals.isEmpty else { return "No bundles are installed.\n" }
    return columns(
      found.modules.map {
        [
          style.pass, escaped($0.manifest.moduleID), $0.manifest.moduleVersion.description,
          escaped($0.origin.text),
        ]
      } + found.refusals.map { [style.fail, escaped($0.name), "", escaped($0.reason)] })
  }

  /// For programs.
  var json: JSONValue {
    .record([
      "bundles": .array(
        found.modules.map {
          .record([
            "moduleID": .string($0.manifest.moduleID), "displayName": .string($0.manifest.displayName),
            "version": .string($0.manifest.moduleVersion.description), "origin": .string($0.origin.text),
            "manifestSHA256": .string($0.sha256), "executableSHA256": .string($0.origin.executableSHA256),
          ])
        }),
      "refused": .array(
        found.refusals.map {
          .record([
            "name": .string($0.name), "path": .string($0.path), "reason": .string($0.reason),
          ])
        }),
    ])
  }
}
