import ForsettiCore
import Testing

@Suite("Whether a module may be audited") struct AuditPermissionTests {
  private func policy(_ members: String) throws -> Policy {
    try PolicyDecoder.decode(bytes: Array("{\"policyVersion\": 1\(members)}".utf8), file: "p.json")
  }

  private func refusal(
    _ members: String, origin: ModuleOrigin = .builtIn, landlockABI: Int = 7
  ) throws -> AuditRefusal? {
    AuditRefusal(
      moduleID: "com.a.module", origin: origin, policy: try policy(members), landlockABI: landlockABI)
  }

  @Test("the policy's word is for all, a rule's for its modules, and the strongest rule that has one decides")
  func permission() throws {
    let rules = """
      , "audit": {"value": "allowed", "reason": "a machine for tests"}, "rules": [
        {"modules": "com.a.*", "audit": "refused"}, {"modules": "com.a.module", "audit": "allowed"},
        {"modules": "com.a.silent", "grant": ["api"]}]
      """
    let policy = try policy(rules)
    #expect(policy.audit(for: "com.a.module") == .allowed)
    #expect(policy.audit(for: "com.a.silent") == .refused)
    #expect(policy.audit(for: "com.b") == .allowed)
    #expect(try self.policy("").audit(for: "com.b") == .refused)
  }

  @Test("without the policy's word, with reviews, beside threads and without Landlock there is none")
  func refusals() throws {
    let allowed = #", "audit": "allowed""#
    #expect(try refusal(allowed) == nil)
    #expect(try refusal("") == .notAllowed)
    #expect(try refusal(allowed + #", "registration": "reviewed""#) == .reviewedRegistration)
    #expect(try refusal(allowed + #", "defaults": {"sandbox": {"direct": ["threads"]}}"#) == .threads)
    #expect(try refusal(allowed, landlockABI: 0) == .noLandlock)
    // A rule for the built-in module of an ID is none for a bundle of the same ID.
    let rule = #", "rules": [{"modules": "com.a.module", "audit": "allowed"}]"#
    #expect(try refusal(rule) == nil)
    #expect(try refusal(rule, origin: .bundle(sha256: "ab", key: nil)) == .notAllowed)
  }
}
