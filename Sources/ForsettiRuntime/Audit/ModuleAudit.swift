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
    if let refusal = AuditRefusal(moduleID: id, origin: origin, policy: policy, landlockABI: landlockABI) {
      throw .audit(moduleID: id, refusal)
    }
    subject = Subject(
      moduleID: id, origin: origin,
      grants: Set(policy.grants(for: module.manifest, origin: origin).granted),
      sandbox: policy.sandbox(for: id, origin: origin))
  }

  /// Whether this module is the audited one.
  func covers(_ id: String) -> Bool { subject?.moduleID == id }

  /// The audited module's plan, with its default lifted.
  func lifting(_ plan: SandboxPlan) -> SandboxPlan { plan.audited(landlockABI: landlockABI) }

  /// Notes a call, before it is let through or ends its process.
  func record(_ call: Violation, wasLetThrough: Bool) { records.add(call, wasLetThrough: wasLetThrough) }
}
