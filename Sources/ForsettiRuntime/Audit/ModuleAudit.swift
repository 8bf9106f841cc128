public import ForsettiCore
public import ForsettiSandbox

/// The audit of one module: calls that would be violations are recorded here and let through, as far as
/// `SandboxPlan.audited` goes. It covers nothing before a boot has seen that policy and kernel allow it.
@ReactorActor public final class ModuleAudit {
  /// The audited module, and what held it.
  public struct Subject: Sendable, Hashable {
    /// Its ID as its manifest has it.
    public var moduleID: String
    /// Whose code it is.
    public var origin: ModuleOrigin
    /// What it was granted.
    public var grants: Set<Capability>
    /// What the policy says of its sandbox.
    public var sandbox: SandboxPolicy
  }

  /// Who is audited, once a boot has allowed it.
  public private(set) var subject: Subject?
  /// Whether calls are let through: a reload may take the policy's word away.
  private(set) var isOpen = false
  /// What was seen, over all processes of the module.
  public private(set) var records = AuditRecords()
  /// Hears of the end of each of its processes.
  public var processEnded: @ReactorActor () -> Void = {}
  private let moduleID: String
  private let landlockABI: Int

  /// Makes an audit that has not begun.
  /// - Parameter landlockABI: this kernel's; 0 where it has none.
  public nonisolated init(moduleID: String, landlockABI: Int) {
    self.moduleID = moduleID
    self.landlockABI = landlockABI
  }

  /// Begins, before any module starts.
  /// - Throws: `module` for one that was not discovered, `audit` where policy or kernel don't allow it.
  func begin(_ catalog: ForsettiModuleCatalog, _ policy: Policy) throws(BootFailure) {
    guard let module = catalog[moduleID] else { throw .module(.moduleNotDiscovered(moduleID: moduleID)) }
    let (id, origin) = (module.manifest.moduleID, module.origin)
    if let refusal = refusal(of: module, by: policy) { throw .audit(moduleID: id, refusal) }
    isOpen = true
    subject = Subject(
      moduleID: id, origin: origin,
      grants: Set(policy.grants(for: module.manifest, origin: origin).granted),
      sandbox: policy.sandbox(for: id, origin: origin))
  }

  /// Judges anew after a reload. Where the audit is not allowed any more nothing is let through from here on, of a process
  /// that runs neither.
  /// - Returns: why it is closed; `nil` where it is open, or never began.
  func review(_ catalog: ForsettiModuleCatalog, _ policy: Policy) -> AuditRefusal? {
    guard let subject else { return nil }
    let refusal: AuditRefusal?
    if let module = catalog[subject.moduleID] {
      refusal = self.refusal(of: module, by: policy)
    } else {
      refusal = .notAllowed
    }
    isOpen = refusal == nil
    return refusal
  }

  /// Whether a new process of a module is audited: of the audited one, where this policy allows it.
  func covers(_ module: LoadedManifest, by policy: Policy) -> Bool {
    subject?.moduleID == module.manifest.moduleID && refusal(of: module, by: policy) == nil
  }

  private func refusal(of module: LoadedManifest, by policy: Policy) -> AuditRefusal? {
    AuditRefusal(
      moduleID: module.manifest.moduleID, origin: module.origin, policy: policy, landlockABI: landlockABI)
  }

  /// The audited module's plan, with its default lifted.
  func lifting(_ plan: SandboxPlan) -> SandboxPlan { plan.audited(landlockABI: landlockABI) }

  /// Notes a call, before it is let through or ends its process.
  func record(_ call: Violation, wasLetThrough: Bool) { records.add(call, wasLetThrough: wasLetThrough) }
}
