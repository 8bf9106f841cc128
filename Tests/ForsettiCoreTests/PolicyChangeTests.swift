import Testing

@testable import ForsettiCore

/// What of a policy a running supervisor takes in, and for whom. A new key of a policy has to take its place here.
@Suite("What differs between two policies")
struct PolicyChangeTests {
  private typealias Part = ModuleSettings.Part

  private static let id = "com.example.a"

  /// Each key of a rule with a word of it, and the part of a module's settings that it changes; `nil` changes its grants.
  private static let words: [(key: String, word: String, part: Part?)] = [
    ("grant", #"["storage"]"#, nil),
    ("sandbox", #"{"limits": {"openFiles": 17}}"#, .sandbox),
    ("sandbox", #"{"mayBeMissing": ["landlock"]}"#, .sandbox),
    ("sandbox", #"{"direct": ["threads"]}"#, .direct),
    ("deadlineMilliseconds", #"{"start": 77}"#, .deadlineMilliseconds),
    ("restart", #"{"restarts": 77}"#, .restart),
    ("heartbeat", #"{"intervalMilliseconds": 1234}"#, .heartbeat),
    ("rates", #"{"callsPerSecond": 77}"#, .rates),
    ("publish", #"["com.example.x"]"#, .events),
    ("subscribe", #"["com.example.x"]"#, .events),
    ("networking", #"{"allow": [{"hosts": ["example.com"]}]}"#, .networking),
    ("api", #"[{"paths": ["/v1"]}]"#, .api),
    ("audit", #""allowed""#, .audit),
  ]

  /// Keys that say whom a rule is for, or how what it says of capabilities is meant.
  private static let others: Set<String> = ["modules", "origin", "reason", "deny", "optional"]

  private static func policy(_ members: String, module: String = id) throws(PolicyFaults) -> Policy {
    try PolicyDecoder.decode(
      bytes: Array(#"{"policyVersion": 1, "rules": [{"modules": "\#(module)"\#(members)}]}"#.utf8),
      file: "p.json")
  }

  private static func settings(_ policy: Policy, _ type: ModuleType = .service) -> ModuleSettings {
    let manifest = ModuleManifest(
      moduleID: id, displayName: "A", moduleVersion: SemVer(major: 1, minor: 0, patch: 0), moduleType: type,
      supportedPlatforms: [.linux], minForsettiVersion: SemVer(major: 0, minor: 1, patch: 0),
      capabilitiesRequested: [.storage], entryPoint: "a")
    return ModuleSettings(of: manifest, origin: .builtIn, by: policy)
  }

  @Test("each word of a rule changes its own part of the settings of its module, and nothing of another's")
  func rules() throws {
    let before = Self.settings(try Self.policy(""))
    for (key, word, part) in Self.words {
      let after = Self.settings(try Self.policy(#", "\#(key)": \#(word)"#))
      #expect(after.parts(differingFrom: before) == [part].compactMap { $0 }, "\(key)")
      #expect((after.grants != before.grants) == (part == nil), "\(key)")
      let other = Self.settings(try Self.policy(#", "\#(key)": \#(word)"#, module: "com.example.b"))
      #expect(other == before, "\(key)")
    }
    #expect(
      Set(Self.words.map(\.key)).union(Self.others) == Set(PolicyObject.rule.keys),
      "say of the new key of a rule what it changes, in ModuleSettings and here")
  }

  @Test("the same words elsewhere in the file change nothing")
  func places() throws {
    let before = try Self.policy(#", "grant": ["storage"], "publish": ["com.example.x"]"#)
    let after = try Self.policy(
      "\n\n, \"reason\": \"why\",\n \"publish\": [\"com.example.x\"],\n \"grant\": [\n\"storage\"]")
    #expect(Self.settings(after) == Self.settings(before))
    #expect(after.keys(differingFrom: before).isEmpty)
  }

  @Test("theme masks are a matter of UI modules alone")
  func themeMasks() {
    let (before, after) = (Policy(), Policy(mayHostUseThemeMasks: true))
    #expect(Self.settings(after) == Self.settings(before))
    #expect(Self.settings(after, .ui).parts(differingFrom: Self.settings(before, .ui)) == [.ui])
  }

  /// Each key of the file beside those of single modules.
  private static let keys: [(PolicyKey, String)] = [
    (.host, #"{"standsInFor": ["macOS"]}"#), (.registration, #""reviewed""#), (.onDrift, #""accept""#),
    (.entitlements, #"{"provider": "allowAll"}"#), (.activation, #"{"order": ["com.example.a"]}"#),
    (.roles, #"{"security": "host"}"#), (.userIDs, #"{"first": 700000, "count": 10000}"#),
    (.ui, #"{"hostUsesThemeMasks": true}"#), (.spin, #""off""#),
    (.telemetry, #"{"destination": "file"}"#), (.bundles, #"{"executableBytes": 1000000}"#),
    (.traces, #"{"url": "https://a.test/v1/traces", "rate": 1}"#), (.control, #"{"read": [{"uid": 7}]}"#),
    (.console, #"{"listen": "127.0.0.1:7"}"#),
    (.audit, #""allowed""#),
    (.views, #"{"home": "com.example.a"}"#),
    (
      .secrets,
      ##"[{"secretID": "s", "module": "a.b", "title": "T", "fields": [{"fieldID": "f", "label": "L", "kind": "text"}]}]"##
    ),
    (.messages, #"[{"from": "com.example.a", "to": "com.example.b", "allow": true}]"#),
  ]

  @Test("each key is told by its name, and what only a start takes in is kept as it was")
  func keys() throws {
    let before = Policy()
    for (key, word) in Self.keys {
      let after = try PolicyDecoder.decode(
        bytes: Array(#"{"policyVersion": 1, "\#(key.rawValue)": \#(word)}"#.utf8), file: "p.json")
      #expect(after.keys(differingFrom: before) == [key])
      let kept = after.keepingStartSettings(of: before)
      #expect(kept.keys(differingFrom: before) == (key.needsRestart ? [] : [key]), "\(key)")
    }
    let ofModules: Set = ["$schema", "policyVersion", "reason", "defaults", "rules"]
    #expect(Set(Self.keys.map(\.0.rawValue)).union(ofModules) == Set(PolicyObject.policy.keys))
  }
}
