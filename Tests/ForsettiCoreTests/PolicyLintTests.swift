import Testing

@testable import ForsettiCore

/// The lint rules over policies that are valid, each as a text.
@Suite("Risky lines of a policy") struct PolicyLintTests {
  private static func module(
    _ id: String, asks capabilities: [Capability] = [], origin: ModuleOrigin = .builtIn
  ) -> LintedModule {
    LintedModule(
      ModuleManifest(
        moduleID: id, displayName: "M", moduleVersion: SemVer(major: 1, minor: 0, patch: 0),
        moduleType: .service, supportedPlatforms: [.linux],
        minForsettiVersion: SemVer(major: 0, minor: 1, patch: 0), capabilitiesRequested: capabilities,
        entryPoint: "M"),
      origin: origin)
  }

  private static func findings(
    _ members: String, _ modules: [LintedModule] = [module("com.a.one", asks: Capability.allCases)]
  ) throws -> [LintFinding] {
    let bytes = Array("{\"policyVersion\": 1, \"reason\": \"What the whole is for.\", \(members)}".utf8)
    return PolicyLint.findings(
      in: bytes, of: try PolicyDecoder.decode(bytes: bytes, file: "p.json"), for: modules)
  }

  /// A text, the rule it breaks, and the pointer to it.
  static let risky: [(text: String, rule: LintRule, pointer: String)] = [
    (#""onDrift": "accept""#, .driftAccepted, "/onDrift"),
    (#""entitlements": {"provider": "allowAll"}"#, .everythingUnlocked, "/entitlements"),
    (#""host": {"standsInFor": ["macOS"]}"#, .standsIn, "/host/standsInFor"),
    (#""audit": "allowed""#, .auditAllowed, "/audit"),
    (
      #""telemetry": {"destination": "collector", "url": "http://otel.example/v1"}"#, .telemetryInClear,
      "/telemetry/url"
    ),
    (#""traces": {"url": "http://otel.example/v1", "rate": 0.5}"#, .telemetryInClear, "/traces/url"),
    (#""control": {"change": [{"gid": 27}]}"#, .sharedControl, "/control/change"),
    (#""control": {"trust": [{"uid": 7}]}"#, .sharedControl, "/control/trust"),
    (
      #""defaults": {"sandbox": {"mayBeMissing": ["landlock"]}}"#, .missingLayer,
      "/defaults/sandbox/mayBeMissing"
    ),
    (
      #""rules": [{"modules": "com.a.one", "sandbox": {"direct": ["threads"]}}]"#, .directGrant,
      "/rules/0/sandbox/direct"
    ),
    (#""defaults": {"heartbeat": {"enabled": false}}"#, .noHeartbeat, "/defaults/heartbeat/enabled"),
    (
      #""defaults": {"restart": {"quarantineEnds": "supervisorStart"}}"#, .quarantineForgotten,
      "/defaults/restart/quarantineEnds"
    ),
    (#""rules": [{"modules": "com.a.one", "audit": "allowed"}]"#, .auditAllowed, "/rules/0/audit"),
    (#""rules": [{"modules": "com.a.*", "grant": ["storage"]}]"#, .wideGrant, "/rules/0/grant"),
    (#""rules": [{"modules": "com.a.one", "grant": ["networking"]}]"#, .powerfulGrant, "/rules/0/grant/0"),
    (
      #""rules": [{"modules": "com.a.one", "grant": ["secure_storage"]}]"#, .powerfulGrant, "/rules/0/grant/0"
    ),
    (#""rules": [{"modules": "com.a.one", "grant": ["api"]}]"#, .unlimitedAPI, "/rules/0/grant"),
    (#""rules": [{"modules": "com.a.one", "publish": ["*"]}]"#, .anyEvent, "/rules/0/publish/0"),
    (#""rules": [{"modules": "com.a.one", "subscribe": ["*"]}]"#, .anyEvent, "/rules/0/subscribe/0"),
    (#""messages": [{"from": "*", "to": "com.a.one", "allow": true}]"#, .anyMessage, "/messages/0/from"),
    (
      #""rules": [{"modules": "com.a.one", "networking": {"allow": [{"hosts": ["*.b.example"]}]}}]"#,
      .wideHost,
      "/rules/0/networking/allow/0/hosts/0"
    ),
    (
      #""rules": [{"modules": "com.a.one", "networking": {"allow": [{"hosts": ["b.example"], "schemes": ["http"]}]}}]"#,
      .plainHTTP, "/rules/0/networking/allow/0/schemes/0"
    ),
    (
      #""rules": [{"modules": "com.a.one", "networking": {"allow": [{"hosts": ["b.example"], "addresses": ["10.0.0.0/8"]}]}}]"#,
      .privateAddresses, "/rules/0/networking/allow/0/addresses"
    ),
    (
      #""rules": [{"modules": "com.a.one", "networking": {"allow": [{"hosts": ["b.example"], "methods": ["GET", "PUT"]}]}}]"#,
      .writingMethods, "/rules/0/networking/allow/0/methods"
    ),
  ]

  @Test("each risky line is found where it is, and asks for a reason", arguments: risky)
  func found(text: String, rule: LintRule, pointer: String) throws {
    let findings = try Self.findings(text)
    #expect(findings.map(\.rule) == [rule])
    #expect(findings.first?.pointer == pointer)
    #expect(findings.first?.isOpen == true)
    #expect(findings.first?.place.line == 1)
  }

  @Test("a reason by a line or around it is enough; one of the whole policy is not")
  func reasons() throws {
    func open(_ text: String) throws -> Int { try Self.findings(text).count(where: \.isOpen) }
    #expect(try open(#""onDrift": {"value": "accept", "reason": "A test machine."}"#) == 0)
    #expect(try open(#""onDrift": {"value": "accept"}"#) == 1)
    let rule = #""rules": [{"modules": "com.a.one", REASON "sandbox": {"direct": ["threads"]}}]"#
    #expect(try open(rule.replacing("REASON", with: #""reason": "It renders.","#)) == 0)
    #expect(try open(rule.replacing("REASON", with: "")) == 1)
    let inner =
      #""rules": [{"modules": "com.a.one", "sandbox": {"direct": ["threads"], "reason": "It renders."}}]"#
    #expect(try open(inner) == 0)
    #expect(try Self.findings(inner).map(\.reason) == ["It renders."])
  }

  @Test("code of a third party has no right to a processor for ever, and none unseen") func thirdParty()
    throws
  {
    let key = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3"
    let bundle = Self.module("com.a.one", origin: .bundle(sha256: "", key: key))
    let rule = #""rules": [{"modules": "com.a.one", "origin": {"key": "\#(key)"} LIMITS}]"#
    let bare = try Self.findings(rule.replacing("LIMITS", with: ""), [bundle])
    #expect(Set(bare.map(\.rule)) == [.unlimitedProcessor, .unreviewedBundles])
    let limited = rule.replacing("LIMITS", with: #", "sandbox": {"limits": {"cpuSeconds": 60}}"#)
    #expect(try Self.findings(#""registration": "reviewed", "# + limited, [bundle]).map(\.rule) == [])
    let percent = rule.replacing("LIMITS", with: #", "sandbox": {"cgroup": {"cpuPercent": 50}}"#)
    #expect(try Self.findings(#""registration": "reviewed", "# + percent, [bundle]).map(\.rule) == [])
  }

  @Test("a rule for nobody and a grant that nobody asked for are notes") func notes() throws {
    let modules = [Self.module("com.a.one", asks: [.storage])]
    let unused = try Self.findings(#""rules": [{"modules": "com.b.one"}, {"modules": "com.b.*"}]"#, modules)
    #expect(unused.map(\.rule) == [.ruleWithoutModule, .ruleWithoutModule])
    let unasked = try Self.findings(
      #""rules": [{"modules": "com.A.one", "grant": ["storage", "telemetry"]}]"#, modules)
    #expect(unasked.map(\.rule) == [.unaskedGrant])
    #expect(unasked.map(\.pointer) == ["/rules/0/grant/1"])
    #expect((unused + unasked).filter(\.isOpen) == [])
  }

  @Test("what is not risky is not found") func fine() throws {
    let fine = """
      "onDrift": "refuse", "entitlements": {"provider": "static"}, "audit": "refused",
      "telemetry": {"destination": "collector", "url": "http://127.0.0.1:4318/v1"},
      "traces": {"url": "http://localhost/v1", "rate": 1}, "control": {"read": [{"gid": 27}]},
      "messages": [{"from": "*", "to": "*", "allow": false}],
      "rules": [{"modules": "com.a.*", "deny": ["api"]}, {"modules": "com.a.one", "grant": ["storage"],
        "networking": {"allow": [{"hosts": ["b.example"]}]}, "publish": ["com.a.one.*"], "subscribe": []}]
      """
    #expect(try Self.findings(fine) == [])
  }

  @Test("whoever provides api asks nobody") func provider() throws {
    let provider = #""roles": {"api": "com.a.one"}, "rules": [{"modules": "com.a.one", "grant": ["api"]}]"#
    #expect(try Self.findings(provider) == [])
  }

  @Test("findings come in the order of the text, each in its line") func order() throws {
    let findings = try Self.findings("\n\"audit\": \"allowed\",\n\"onDrift\": \"accept\"")
    #expect(findings.map(\.rule) == [.auditAllowed, .driftAccepted])
    #expect(findings.map(\.place.line) == [2, 3])
  }
}

@Suite("How much a module could harm") struct ModuleExposureTests {
  private func exposure(
    _ policy: Policy = Policy(), asks capabilities: [Capability] = [], origin: ModuleOrigin = .builtIn
  ) -> ModuleExposure {
    let manifest = ModuleManifest(
      moduleID: "com.a.one", displayName: "M", moduleVersion: SemVer(major: 1, minor: 0, patch: 0),
      moduleType: .service, supportedPlatforms: [.linux],
      minForsettiVersion: SemVer(major: 0, minor: 1, patch: 0), capabilitiesRequested: capabilities,
      entryPoint: "M")
    return ModuleExposure(of: LintedModule(manifest, origin: origin), by: policy)
  }

  private func policy(_ members: String) throws -> Policy {
    try PolicyDecoder.decode(bytes: Array("{\"policyVersion\": 1, \(members)}".utf8), file: "p.json")
  }

  @Test("whoever gets nothing is low; whoever gets all is extreme") func ends() throws {
    #expect(exposure().level == .low)
    let key = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3"
    let all = Capability.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    let everything = try policy(
      """
      "audit": "allowed", "defaults": {"heartbeat": {"enabled": false}, "sandbox": {"limits": {"addressSpaceBytes": 8589934592}}},
      "rules": [{"modules": "com.a.one", "origin": {"key": "\(key)"}, "grant": [\(all)], "publish": ["*"], "subscribe": ["*"],
        "sandbox": {"direct": ["threads"], "mayBeMissing": ["landlock"]},
        "networking": {"allow": [{"hosts": ["*.b.example"], "addresses": ["10.0.0.0/8"]}]}}]
      """)
    let worst = exposure(everything, asks: Capability.allCases, origin: .bundle(sha256: "", key: key))
    #expect(worst.score == 10 && worst.level == .extreme)
  }

  /// Each of these makes the second policy worse than the first.
  static let worse: [(better: String, worse: String)] = [
    (#""audit": "refused""#, #""audit": "allowed""#),
    (#""defaults": {}"#, #""defaults": {"sandbox": {"mayBeMissing": ["landlock"]}}"#),
    (#""defaults": {}"#, #""defaults": {"sandbox": {"direct": ["threads"]}}"#),
    (#""defaults": {"sandbox": {"limits": {"cpuSeconds": 60}}}"#, #""defaults": {}"#),
    (
      #""defaults": {"rates": {"callsPerSecond": 1, "eventsPerSecond": 1, "bytesPerSecond": 1024}}"#,
      #""defaults": {"rates": {"callsPerSecond": 1}}"#
    ),
    (
      #""rules": [{"modules": "com.a.one", "grant": ["api"], "api": [{"paths": ["/v1"], "methods": ["GET"]}]}]"#,
      #""rules": [{"modules": "com.a.one", "grant": ["api"], "api": [{"paths": ["/v1"]}]}]"#
    ),
    (
      #""rules": [{"modules": "com.a.one", "grant": ["api"], "api": [{"paths": ["/v1"]}]}]"#,
      #""rules": [{"modules": "com.a.one", "grant": ["api"]}]"#
    ),
    (
      #""rules": [{"modules": "com.a.one", "grant": ["networking"], "networking": {"allow": [{"hosts": ["b.example"]}]}}]"#,
      #""rules": [{"modules": "com.a.one", "grant": ["networking"], "networking": {"allow": [{"hosts": ["*.b.example"]}]}}]"#
    ),
    (#""rules": []"#, #""rules": [{"modules": "com.a.one", "publish": ["*"]}]"#),
    (
      #""rules": [{"modules": "com.a.one", "grant": ["storage"]}]"#,
      #""rules": [{"modules": "com.a.one", "grant": ["storage", "file_export"]}]"#
    ),
  ]

  @Test("each right more is a higher score, and told why", arguments: worse)
  func higher(better: String, worse: String) throws {
    let low = exposure(try policy(better), asks: Capability.allCases)
    let high = exposure(try policy(worse), asks: Capability.allCases)
    #expect(low.score < high.score)
    #expect(low.questions.map(\.name) == high.questions.map(\.name))
    #expect(low.questions != high.questions)
  }

  @Test("the heaviest answer comes first, and what counts nothing is not told") func heaviest() throws {
    let exposure = exposure(try policy(#""audit": "allowed""#))
    #expect(exposure.heaviest.first?.name == "audit")
    #expect(!exposure.heaviest.contains { $0.share == 0 })
  }
}
