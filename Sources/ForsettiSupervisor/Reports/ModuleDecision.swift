import ForsettiCore
import ForsettiIPC
import ForsettiRuntime

/// One thing that a policy decided of a module, with the place that says so.
struct ModuleDecision: ControlRecord, Equatable {
  /// What is decided; raw values are those of the control socket.
  enum Kind: String {
    case capability, entitlement, registration, setting
  }

  var kind = Kind.setting.rawValue
  /// The capability, the product, or the key of the policy.
  var name = ""
  /// The verdict, or what holds.
  var outcome = ""
  /// In words, for people; empty where the outcome says it all.
  var reason = ""
  /// `FILE:LINE:COLUMN "PATTERN"`; absent where the policy is silent.
  var source: String?

  init() {}

  init(_ kind: Kind, _ name: String, _ outcome: String, _ reason: String = "", by source: PolicySource?) {
    self.kind = kind.rawValue
    self.name = name
    self.outcome = outcome
    self.reason = reason
    self.source = source?.text
  }

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("kind", &kind)
    try members("name", &name)
    try members("outcome", &outcome)
    try members("reason", &reason)
    try members("source", &source)
  }

  /// All that a policy decides of a module: capabilities in the manifest's order, then what else keeps it from running,
  /// then what holds while it runs.
  static func all(of module: LoadedManifest, by policy: Policy, isUnlocked: Bool) -> [ModuleDecision] {
    let manifest = module.manifest
    let capabilities = policy.grants(for: manifest, origin: module.origin).decisions.map {
      ModuleDecision(.capability, $0.capability.rawValue, $0.verdict.rawValue, $0.reason, by: $0.source)
    }
    let others = [
      entitlement(manifest.iapProductID, policy, isUnlocked),
      ModuleDecision(
        .registration, "registration", policy.registration.rawValue, by: policy.source(of: .registration)),
      ModuleDecision(.registration, "onDrift", policy.onDrift.rawValue, by: policy.source(of: .onDrift)),
    ]
    let settings = policy.settings(for: manifest.moduleID, origin: module.origin).map {
      ModuleDecision(.setting, $0.key, $0.value, $0.reason ?? "", by: $0.source)
    }
    return capabilities + others + settings
  }

  private static func entitlement(
    _ product: String?, _ policy: Policy, _ isUnlocked: Bool
  ) -> ModuleDecision {
    guard let product else {
      return ModuleDecision(.entitlement, "none", "not needed", "the manifest names no product", by: nil)
    }
    let reason =
      switch policy.entitlements {
      case .allowAll: "the policy unlocks everything"
      case .fixed: isUnlocked ? "the policy's list names it" : "the policy's list does not name it"
      case .file(let path): isUnlocked ? "\(path) unlocks it" : "\(path) does not unlock it"
      }
    return ModuleDecision(
      .entitlement, product, isUnlocked ? "unlocked" : "locked", reason, by: policy.source(of: .entitlements))
  }
}
