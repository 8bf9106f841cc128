public import ForsettiCore
import ForsettiSandbox

extension SyscallMatrix {
  /// The plans of every discovered module under a policy, named by its file.
  public static func subjects(of policy: Policy, catalog: ForsettiModuleCatalog) -> [Subject] {
    catalog.manifests.map { module in
      subject(
        policy.file, grants: Set(policy.grants(for: module.manifest, origin: module.origin).granted),
        policy.sandbox(for: module.manifest.moduleID, origin: module.origin),
        isBundle: !module.origin.isBuiltIn)
    }
  }

  /// A plan for each sandbox that a policy gives, of whatever module, named by its file. Capabilities add no calls.
  public static func subjects(of policy: Policy) -> [Subject] {
    policy.sandboxes.map { subject(policy.file, $0.sandbox, isBundle: $0.isBundle) }
  }

  /// A plan for each direct grant alone, named `direct GRANT`: of a module of the host, and of a bundle.
  public static var directGrants: [Subject] {
    DirectGrant.allCases.flatMap { grant in
      [false, true].map {
        subject("direct \(grant.rawValue)", SandboxPolicy(direct: [grant]), isBundle: $0)
      }
    }
  }

  private static func subject(
    _ name: String, grants: Set<Capability> = [], _ sandbox: SandboxPolicy, isBundle: Bool
  ) -> Subject {
    Subject(
      policy: isBundle ? name + " (bundle)" : name,
      plan: SandboxPlan.derive(grants: grants, policy: sandbox, executes: isBundle))
  }
}
