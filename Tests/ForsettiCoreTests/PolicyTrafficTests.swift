import Testing

@testable import ForsettiCore

@Suite("What a policy says of calls")
struct PolicyTrafficTests {
  private func decode(_ text: String) throws(PolicyFaults) -> Policy {
    try PolicyDecoder.decode(bytes: Array(text.utf8), file: "p.json")
  }

  private func reasons(_ text: String) -> [String] {
    do throws(PolicyFaults) {
      _ = try decode(text)
      return []
    } catch { return error.faults.map { "\($0.pointer): \($0.reason)" } }
  }

  @Test("rates are the rule's, then the defaults', then none")
  func rates() throws {
    let policy = try decode(
      """
      {"policyVersion": 1, "defaults": {"rates": {"callsPerSecond": 10, "eventsPerSecond": 20}},
       "rules": [{"modules": "com.example.a", "rates": {"callsPerSecond": 5}}]}
      """)
    #expect(policy.rates(for: "com.example.a")[.callsPerSecond] == 5)
    #expect(policy.rates(for: "com.example.a")[.eventsPerSecond] == 20)
    #expect(policy.rates(for: "com.example.b")[.callsPerSecond] == 10)
    #expect(policy.rates(for: "com.example.b")[.bytesPerSecond] == nil)
    #expect(Policy().rates(for: "com.example.a") == ModuleRates())
  }

  @Test("spinning is adaptive unless it is off")
  func spin() throws {
    #expect(try decode(#"{"policyVersion": 1}"#).spin == .adaptive)
    #expect(try decode(#"{"policyVersion": 1, "spin": "off"}"#).spin == .off)
    #expect(
      try decode(#"{"policyVersion": 1, "spin": {"value": "off", "reason": "one core"}}"#).spin == .off)
  }

  @Test("the strongest rule that speaks of api decides, and silence limits nothing")
  func api() throws {
    let policy = try decode(
      """
      {"policyVersion": 1, "rules": [
        {"modules": "com.example.*", "api": [{"paths": ["/v1"], "methods": ["GET"]}]},
        {"modules": "com.example.none", "api": []}, {"modules": "com.example.a"}]}
      """)
    let rules = try #require(policy.apiRules(for: "com.example.a"))
    for (method, path, isAllowed) in [
      ("GET", "/v1", true), ("GET", "/v1/", true), ("GET", "/v1/x", true), ("GET", "/v12", false),
      ("get", "/v1", false), ("POST", "/v1", false), ("GET", "/", false),
    ] {
      #expect(rules.allows(method: method, path: path) == isAllowed, "\(method) \(path)")
    }
    #expect(
      try #require(policy.apiRules(for: "com.example.none")).allows(method: "GET", path: "/v1") == false)
    #expect(policy.apiRules(for: "org.example.a") == nil)
    let everything = APIRules(allow: [APITarget(paths: ["/"])])
    #expect(everything.allows(method: "PURGE", path: "/any/thing"))
  }

  @Test(
    "faults are told where they are",
    arguments: [
      (#""rates": {"callsPerSecond": 0}"#, "/rules/0/rates/callsPerSecond"),
      (#""rates": {"bytesPerSecond": 1}"#, "/rules/0/rates/bytesPerSecond"),
      (#""rates": {"call": 1}"#, "/rules/0/rates/call"), (#""api": {}"#, "/rules/0/api"),
      (#""api": [{}]"#, "/rules/0/api/0"), (#""api": [{"paths": []}]"#, "/rules/0/api/0/paths"),
      (#""api": [{"paths": ["/a/../b"]}]"#, "/rules/0/api/0/paths/0"),
      (#""api": [{"paths": ["/%61"]}]"#, "/rules/0/api/0/paths/0"),
      (#""api": [{"paths": ["/a"], "methods": ["get"]}]"#, "/rules/0/api/0/methods/0"),
    ])
  func faults(member: String, pointer: String) {
    let found = reasons(#"{"policyVersion": 1, "rules": [{"modules": "com.example.a", "# + member + "}]}")
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix(pointer + ": ") == true, "\(found)")
  }
}
