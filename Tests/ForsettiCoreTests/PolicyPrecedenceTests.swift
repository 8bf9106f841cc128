import ForsettiCore
import Testing

/// One capability, asked of `com.ab.cd`, under some rules.
struct PrecedenceCase: Sendable, CustomTestStringConvertible {
  var name: String
  /// Pattern and what it says: `+` grants, `-` denies, `?` marks optional.
  var rules: [(pattern: String, says: String, origin: RuleOrigin)]
  var origin = ModuleOrigin.builtIn
  var verdict: PolicyDecision.Verdict
  var decidedBy: String?

  var testDescription: String { name }

  static let hash = String(repeating: "a", count: 64)
  static let key = "RW" + String(repeating: "Q", count: 54)
  static let signed = ModuleOrigin.bundle(sha256: hash, key: key)

  static func builtIn(
    _ name: String, _ rules: KeyValuePairs<String, String>, _ verdict: PolicyDecision.Verdict,
    by decidedBy: String?
  ) -> PrecedenceCase {
    PrecedenceCase(
      name: name, rules: rules.map { ($0.key, $0.value, .builtIn) }, verdict: verdict, decidedBy: decidedBy)
  }

  static func bundle(
    _ name: String, _ rules: [(String, String, RuleOrigin)], _ origin: ModuleOrigin,
    _ verdict: PolicyDecision.Verdict, by decidedBy: String?
  ) -> PrecedenceCase {
    PrecedenceCase(name: name, rules: rules, origin: origin, verdict: verdict, decidedBy: decidedBy)
  }

  static let table: [PrecedenceCase] = [
    .builtIn("silence denies", [:], .denied, by: nil),
    .builtIn("another module's grant is none", ["com.ab.ce": "+"], .denied, by: nil),
    .builtIn("an exact grant grants", ["com.ab.cd": "+"], .granted, by: "com.ab.cd"),
    .builtIn("IDs compare without case", ["COM.Ab.cD": "+"], .granted, by: "COM.Ab.cD"),
    .builtIn(
      "exact grant beats pattern denial", ["com.ab.*": "-", "com.ab.cd": "+"], .granted, by: "com.ab.cd"),
    .builtIn(
      "exact denial beats pattern grant", ["com.ab.cd": "-", "com.ab.*": "+"], .denied, by: "com.ab.cd"),
    .builtIn("longer grant beats shorter denial", ["com.*": "-", "com.ab.*": "+"], .granted, by: "com.ab.*"),
    .builtIn("longer denial beats shorter grant", ["com.ab.*": "-", "*": "+"], .denied, by: "com.ab.*"),
    .builtIn(
      "at one length denial beats a grant before it", ["com.ab.*": "+", "com.*.cd": "-"], .denied,
      by: "com.*.cd"),
    .builtIn(
      "at one length denial beats a grant behind it", ["com.*.cd": "-", "com.ab.*": "+"], .denied,
      by: "com.*.cd"),
    .builtIn(
      "a silent exact rule decides nothing", ["com.ab.cd": "", "com.ab.*": "+"], .granted, by: "com.ab.*"),
    .builtIn("denied and optional is left out", ["com.ab.cd": "-?"], .leftOut, by: "com.ab.cd"),
    .builtIn("silent and optional is left out", ["com.ab.cd": "?"], .leftOut, by: nil),
    .builtIn(
      "a weaker rule may mark it optional", ["com.ab.cd": "-", "com.*": "?"], .leftOut, by: "com.ab.cd"),
    .builtIn("optional takes no grant away", ["com.ab.cd": "+?"], .granted, by: "com.ab.cd"),
    .bundle(
      "a rule without origin is for built-ins", [("com.ab.cd", "+", .builtIn)], signed, .denied, by: nil),
    .bundle(
      "a hash grants to that bundle", [("com.ab.cd", "+", .sha256(hash))], signed, .granted, by: "com.ab.cd"),
    .bundle("a key grants to what it signed", [("com.*", "+", .key(key))], signed, .granted, by: "com.*"),
    .bundle(
      "a key grants nothing to the unsigned", [("com.*", "+", .key(key))], .bundle(sha256: hash, key: nil),
      .denied,
      by: nil),
    .bundle(
      "a bundle's grant is none for a built-in", [("com.*", "+", .key(key))], .builtIn, .denied, by: nil),
    .bundle(
      "hash and key at one length: denial wins",
      [("com.ab.cd", "+", .sha256(hash)), ("com.ab.cd", "-", .key(key))], signed, .denied, by: "com.ab.cd"),
    .bundle(
      "an exact hash beats a pattern by key", [("com.*", "-", .key(key)), ("com.ab.cd", "+", .sha256(hash))],
      signed, .granted, by: "com.ab.cd"),
  ]
}

@Suite("Precedence of policy rules")
struct PolicyPrecedenceTests {
  @Test("grants and denials", arguments: PrecedenceCase.table)
  func decisions(_ this: PrecedenceCase) throws {
    let rules = try this.rules.map { pattern, says, origin in
      PolicyRule(
        try ModulePattern(pattern), origin: origin, grant: says.contains("+") ? [.storage] : [],
        deny: says.contains("-") ? [.storage] : [], optional: says.contains("?") ? [.storage] : [])
    }
    // The order of rules in the file never decides.
    for rules in [rules, rules.reversed()] {
      let policy = Policy(file: "p.json", rules: rules)
      let decision = policy.decision(moduleID: "com.ab.cd", capability: .storage, origin: this.origin)
      #expect(decision.verdict == this.verdict)
      #expect(decision.source?.pattern == this.decidedBy)
      #expect(!policy.decision(moduleID: "com.ab.cd", capability: .api).isGranted)
    }
  }

  @Test("grants keep the manifest's order and say what is left out and what is denied")
  func grants() throws {
    let policy = Policy(rules: [
      PolicyRule(
        try ModulePattern("com.example.a"), grant: [.api, .storage], deny: [.telemetry],
        optional: [.telemetry])
    ])
    let manifest = PolicyActivationTests.manifest(
      "com.example.a", capabilities: [.storage, .telemetry, .networking, .api])
    let grants = policy.grants(for: manifest)
    #expect(grants.granted == [.storage, .api])
    #expect(grants.leftOut == [.telemetry])
    #expect(grants.denied == [.networking])
    #expect(policy.grants(for: manifest, origin: PrecedenceCase.signed).granted.isEmpty)
  }

  @Test("the compatibility check is told the same, with the place")
  func compatibility() throws {
    let text = """
      {
        "policyVersion": 1,
        "rules": [
          { "modules": "com.example.*", "grant": ["api"], "deny": ["storage", "telemetry"], "optional": ["telemetry"],
            "reason": "examples" }
        ]
      }
      """
    let policy = try PolicyDecoder.decode(bytes: Array(text.utf8), file: "p.json")
    let decide = { (capability: Capability) in
      policy.decision(moduleID: "com.example.a", capability: capability)
    }
    #expect(decide(.api) == .granted(source: #"p.json:4:45 "com.example.*""#))
    #expect(decide(.storage) == .denied(reason: "examples", source: #"p.json:4:62 "com.example.*""#))
    #expect(
      decide(.telemetry) == .optionalDenied(reason: "examples", source: #"p.json:4:73 "com.example.*""#))
    #expect(decide(.networking) == .denied(reason: "no rule of p.json grants it", source: "p.json"))
    let bundle = policy.seen(from: PrecedenceCase.signed)
    #expect(!bundle.decision(moduleID: "com.example.a", capability: .api).isGranted)
  }

  @Test("each setting comes from the strongest rule that states it")
  func settings() throws {
    let policy = Policy(
      sandboxDefaults: SandboxPolicy(limits: SandboxLimits(addressSpaceBytes: 1 << 30, openFiles: 16)),
      deadlineDefaults: PhaseDeadlines(start: 100, stop: 200),
      restartDefaults: RestartPolicy(kind: .permanent, restarts: 3),
      rules: [
        PolicyRule(
          try ModulePattern("com.example.a"), limits: [.openFiles: 64],
          restart: RestartSettings(numbers: [.restarts: 9])),
        PolicyRule(
          try ModulePattern("com.example.*"), limits: [.openFiles: 32, .dataBytes: 1 << 24],
          mayBeMissing: [.landlock], deadlines: [.start: 300], restart: RestartSettings(kind: .temporary)),
        PolicyRule(try ModulePattern("*"), mayBeMissing: [], deadlines: [.start: 400, .stop: 500]),
      ])
    let sandbox = policy.sandbox(for: "com.example.a")
    #expect(sandbox.limits.openFiles == 64)
    #expect(sandbox.limits.dataBytes == 1 << 24)
    #expect(sandbox.limits.addressSpaceBytes == 1 << 30)
    #expect(sandbox.mayBeMissing == [.landlock])
    #expect(policy.deadlines(for: "com.example.a")[.start] == 300)
    #expect(policy.deadlines(for: "com.example.a").stop == 500)
    #expect(policy.deadlines(for: "com.other")[.start] == 400)
    #expect(policy.restart(for: "com.example.a").kind == .temporary)
    #expect(policy.restart(for: "com.example.a").restarts == 9)
    #expect(policy.restart(for: "com.other").kind == .permanent)
    #expect(policy.sandbox(for: "com.example.a", origin: PrecedenceCase.signed) == policy.sandboxDefaults)
  }

  @Test("the strongest rule that says anything of direct grants decides, an empty list included")
  func direct() throws {
    let policy = try PolicyDecoder.decode(
      bytes: Array(
        """
        {"policyVersion": 1, "defaults": {"sandbox": {"direct": ["threads"], "limits": {"threads": 4}}},
         "rules": [{"modules": "com.example.a", "sandbox": {"direct": []}},
                   {"modules": "com.example.*", "sandbox": {"limits": {"threads": 9}}}]}
        """.utf8), file: "p.json")
    #expect(policy.sandbox(for: "com.other").direct == [.threads])
    #expect(policy.sandbox(for: "com.other").limits.threads == 4)
    #expect(policy.sandbox(for: "com.example.b").direct == [.threads])
    #expect(policy.sandbox(for: "com.example.b").limits.threads == 9)
    #expect(policy.sandbox(for: "com.example.a").direct.isEmpty)
  }

  @Test("messages pass between built-ins, and to or from a bundle by a pair rule only")
  func messages() throws {
    let any = try ModulePattern("*")
    let policy = Policy(messages: [
      MessageRule(from: try ModulePattern("com.a.*"), to: any, allow: false),
      MessageRule(from: try ModulePattern("com.a.*"), to: try ModulePattern("com.b.x"), allow: true),
      MessageRule(
        from: try ModulePattern("com.c.*"), fromOrigin: .key(PrecedenceCase.key), to: any, allow: true),
    ])
    let signed = PrecedenceCase.signed
    #expect(policy.mayMessage(from: "com.x.y", to: "com.z.y"))
    #expect(!policy.mayMessage(from: "com.a.y", to: "com.z.y"))
    #expect(policy.mayMessage(from: "com.a.y", to: "com.b.x"))
    #expect(policy.mayMessage(from: "com.c.y", signed, to: "com.b.x"))
    #expect(
      !policy.mayMessage(from: "com.c.y", .bundle(sha256: PrecedenceCase.hash, key: nil), to: "com.b.x"))
    #expect(!policy.mayMessage(from: "com.b.x", to: "com.c.y", signed))
    #expect(!policy.mayMessage(from: "com.c.y", signed, to: "com.c.z", signed))
  }
}
