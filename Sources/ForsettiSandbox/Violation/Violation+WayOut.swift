public import ForsettiCore

extension Violation {
  /// What a policy would have to say for this call to be allowed, or that nothing it can say allows it. Asked of
  /// `SandboxPlan.derive` itself, so that it can't promise what a policy would not do.
  /// - Parameters:
  ///   - grants: what the module was granted.
  ///   - policy: what held it.
  public func wayOut(grants: Set<Capability>, policy: SandboxPolicy) -> String {
    guard number >= 0 else {
      return "no grant and no policy line allows calls of another architecture: build the module for this one"
    }
    guard
      let change = SandboxPlan.grantsAllowing(ObservedCall(self), grants: grants, policy: policy),
      !change.isEmpty
    else { return "no grant and no policy line allows this call: the module has to do without it" }
    let direct = change.direct.map(\.rawValue).sorted()
    let capabilities = change.capabilities.map(\.rawValue).sorted()
    let lines = [("direct", direct), ("grant", capabilities)].filter { !$0.1.isEmpty }.map { key, values in
      "\"\(key)\": [\(values.map { "\"\($0)\"" }.joined(separator: ", "))]"
    }
    return "the policy allows it with \(lines.joined(separator: " and ")) for this module"
  }
}
