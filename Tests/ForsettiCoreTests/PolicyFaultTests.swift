import ForsettiCore
import Testing

/// A broken policy: its text, where `▶` marks the place at fault, and what is said of it.
struct PolicyFaultCase: Sendable, CustomTestStringConvertible {
  var name: String
  var marked: String
  /// Pointers of the faults, in the order of the marks.
  var pointers: [String]
  /// A part of the reason of each.
  var reasons: [String]

  var testDescription: String { name }

  init(_ name: String, _ marked: String, _ faults: KeyValuePairs<String, String>) {
    self.name = name
    self.marked = marked
    pointers = faults.map(\.key)
    reasons = faults.map(\.value)
  }

  /// The text without marks, and line and column of each mark.
  var text: (bytes: [UInt8], places: [PolicyPlace]) {
    var text = ""
    var places: [PolicyPlace] = []
    var place = PolicyPlace(line: 1, column: 1)
    for scalar in marked.unicodeScalars {
      if scalar == "▶" {
        places.append(place)
        continue
      }
      text.unicodeScalars.append(scalar)
      place =
        scalar == "\n"
        ? PolicyPlace(line: place.line + 1, column: 1)
        : PolicyPlace(line: place.line, column: place.column + 1)
    }
    return (Array(text.utf8), places)
  }

  /// The same inside a policy that is right.
  static func member(
    _ name: String, _ member: String, _ faults: KeyValuePairs<String, String>
  ) -> PolicyFaultCase {
    PolicyFaultCase(name, "{\n  \"policyVersion\": 1,\n  \(member)\n}", faults)
  }

  static let dialect: [PolicyFaultCase] = [
    .init("empty", "▶", ["": "empty"]),
    .init("cut off", #"{"policyVersion": 1▶"#, ["": "the text ends"]),
    .init("comment", #"{ ▶// no\#n"policyVersion": 1}"#, ["": "comments"]),
    .init("trailing text", #"{"policyVersion": 1} ▶x"#, ["": "after the end"]),
    .init(
      "duplicate key", #"{"policyVersion": 1, ▶"policyVersion": 1}"#, ["/policyVersion": "occurs twice"]),
    .init("no object", "▶[]", ["": "an object is meant, not an array"]),
  ]

  static let root: [PolicyFaultCase] = [
    .init("no version", "▶{}", ["": #""policyVersion" is missing"#]),
    .init(
      "newer version", #"{"rulez": 1, "policyVersion": ▶2}"#, ["/policyVersion": "reads policyVersion 1"]),
    .init("version as text", #"{"policyVersion": ▶"1"}"#, ["/policyVersion": "reads policyVersion 1"]),
    .member("misspelt key", #"▶"rulse": []"#, ["/rulse": #"did you mean "rules"?"#]),
    .member("unknown key", #"▶"qqqqqqqqqqqqq": []"#, ["/qqqqqqqqqqqqq": "known: $schema, policyVersion"]),
    .member("key with a slash", #"▶"a/b~": []"#, ["/a~1b~0": "unknown key"]),
    .member("null", #""rules": ▶null"#, ["/rules": "an array is meant, not null"]),
    .member("rules as object", #""rules": ▶{}"#, ["/rules": "an array is meant, not an object"]),
    .member("rule as text", #""rules": [▶"x"]"#, ["/rules/0": "an object is meant, not a string"]),
    .member("blank reason", #""reason": ▶" ""#, ["/reason": "blank"]),
    .member("hiding reason", #""reason": ▶"a\u202Eb""#, ["/reason": "bidirectional"]),
    .member(
      "registration", #""registration": ▶"automatik""#, ["/registration": #"did you mean "automatic"?"#]),
    .member(
      "drift in an object", #""onDrift": {"value": ▶"acept"}"#,
      ["/onDrift/value": #"did you mean "accept"?"#]),
    .member("audit", #""audit": ▶"yes""#, ["/audit": "known: allowed, refused"]),
    .member(
      "audit of a rule", #""rules": [{"modules": "com.a", "audit": ▶true}]"#,
      ["/rules/0/audit": "a string is meant, not a boolean"]),
    .member("drift without value", #""onDrift": ▶{"reason": "r"}"#, ["/onDrift": #""value" is missing"#]),
    .member(
      "host is Linux", #""host": {"standsInFor": [▶"Linux"]}"#, ["/host/standsInFor/0": "Linux already"]),
    .member(
      "platform", #""host": {"standsInFor": [▶"macos"]}"#,
      ["/host/standsInFor/0": #"did you mean "macOS"?"#]),
    .member(
      "platform twice", #""host": {"standsInFor": ["iOS", ▶"iOS"]}"#,
      ["/host/standsInFor/1": "said already at line 3, column 28"]),
    .member(
      "provider", #""entitlements": {"provider": ▶"statc"}"#,
      ["/entitlements/provider": #"did you mean "static"?"#]),
    .member("no provider", #""entitlements": ▶{}"#, ["/entitlements": #""provider" is missing"#]),
    .member(
      "no path", #""entitlements": ▶{"provider": "file"}"#, ["/entitlements": #""path" is missing"#]),
    .member(
      "another provider's key",
      #""entitlements": {"provider": "file", "path": "p", "productIDs": ▶[]}"#,
      ["/entitlements/productIDs": #"belongs to provider "static""#]),
    .member(
      "blank product", #""entitlements": {"provider": "static", "productIDs": [▶""]}"#,
      ["/entitlements/productIDs/0": "blank"]),
    .member(
      "pattern in order", #""activation": {"order": [▶"com.a.*"]}"#,
      ["/activation/order/0": "one module's ID"]),
    .member(
      "order twice", #""activation": {"order": ["com.a", ▶"COM.A"]}"#,
      ["/activation/order/1": "said already"]),
    .member(
      "selected", #""activation": {"selectedUIModuleID": ▶7}"#,
      ["/activation/selectedUIModuleID": "a string is meant, not a number"]),
    .member("ui has no entry", #""roles": {▶"ui": "host"}"#, ["/roles/ui": #"unknown key "ui""#]),
    .member(
      "role's capability", #""roles": {"api": ▶"com.a"}"#,
      ["/roles/api": #"no rule grants "com.a" the capability "api""#]),
    .member(
      "user 0", #""userIDs": {"first": ▶0, "count": 1}"#, ["/userIDs/first": "from 1000 to 2147483646"]),
    .member(
      "users past the end", #""userIDs": ▶{"first": 2147483646, "count": 2}"#,
      ["/userIDs": "past the greatest"]),
    .member(
      "users with nobody", #""userIDs": ▶{"first": 60000, "count": 10000}"#, ["/userIDs": "nobody"]),
    .member("no count", #""userIDs": ▶{"first": 60000}"#, ["/userIDs": #""count" is missing"#]),
    .member("views", #""views": ▶["a"]"#, ["/views": "an object is meant, not an array"]),
    .member(
      "a view's module", #""views": {"home": ▶"com.a.*", "about": ▶7}"#,
      ["/views/home": "one module's ID", "/views/about": "a string is meant"]),
    .member(
      "a view without a name", #""views": {▶" ": "com.a", ▶"a\u202e": "com.a"}"#,
      ["/views/ ": "ID of a view", "/views/a\u{202e}": "ID of a view"]),
    .member(
      "theme masks", #""ui": {"hostUsesThemeMasks": ▶1}"#, ["/ui/hostUsesThemeMasks": "true or false"]),
  ]

  static let settings: [PolicyFaultCase] = [
    .member(
      "tiny memory", #""defaults": {"sandbox": {"limits": {"addressSpaceBytes": ▶4096}}}"#,
      ["/defaults/sandbox/limits/addressSpaceBytes": "from 33554432"]),
    .member(
      "negative", #""defaults": {"sandbox": {"limits": {"fileSizeBytes": ▶-1}}}"#,
      ["/defaults/sandbox/limits/fileSizeBytes": "from 0"]),
    .member(
      "huge", #""defaults": {"sandbox": {"limits": {"dataBytes": ▶1e300}}}"#,
      ["/defaults/sandbox/limits/dataBytes": "an integer from"]),
    .member(
      "fraction", #""defaults": {"sandbox": {"limits": {"openFiles": ▶16.5}}}"#,
      ["/defaults/sandbox/limits/openFiles": "an integer from 8 to 1024"]),
    .member(
      "more data than space",
      #""defaults": {"sandbox": {"limits": {"addressSpaceBytes": 67108864, "dataBytes": ▶67108865, "stackBytes": 262144}}}"#,
      ["/defaults/sandbox/limits/dataBytes": "more than addressSpaceBytes"]),
    .member(
      "less space than the default data",
      #""rules": [{"modules": "com.a", "sandbox": {"limits": {"addressSpaceBytes": ▶67108864}}}]"#,
      ["/rules/0/sandbox/limits/addressSpaceBytes": "dataBytes, 536870912"]),
    .member(
      "direct storage", #""defaults": {"sandbox": {"direct": ["threads", ▶"storage"]}}"#,
      ["/defaults/sandbox/direct/1": "not available in this version"]),
    .member(
      "direct threads twice", #""defaults": {"sandbox": {"direct": ["threads", ▶"threads"]}}"#,
      ["/defaults/sandbox/direct/1": "said already"]),
    .member(
      "one thread", #""defaults": {"sandbox": {"limits": {"threads": ▶1}}}"#,
      ["/defaults/sandbox/limits/threads": "an integer from 2 to 1024"]),
    .member(
      "direct nonsense", #""defaults": {"sandbox": {"direct": [▶"thread"]}}"#,
      ["/defaults/sandbox/direct/0": #"did you mean "threads"?"#]),
    .member(
      "missing seccomp", #""defaults": {"sandbox": {"mayBeMissing": [▶"seccomp"]}}"#,
      ["/defaults/sandbox/mayBeMissing/0": #"only "landlock""#]),
    .member(
      "misspelt layer", #""defaults": {"sandbox": {"mayBeMissing": [▶"landlok"]}}"#,
      ["/defaults/sandbox/mayBeMissing/0": #"did you mean "landlock"?"#]),
    .member(
      "deadline", #""defaults": {"deadlineMilliseconds": {"start": ▶9}}"#,
      ["/defaults/deadlineMilliseconds/start": "from 10 to 600000"]),
    .member(
      "phase", #""defaults": {"deadlineMilliseconds": {▶"strat": 10}}"#,
      ["/defaults/deadlineMilliseconds/strat": #"did you mean "start"?"#]),
    .member(
      "kind", #""defaults": {"restart": {"kind": ▶"always"}}"#,
      ["/defaults/restart/kind": "known: permanent, transient, temporary"]),
    .member(
      "cgroup", #""defaults": {"sandbox": {"cgroup": {"tasks": ▶0, ▶"memory": 1}}}"#,
      ["/defaults/sandbox/cgroup/tasks": "from 1 to 4096", "/defaults/sandbox/cgroup/memory": "unknown key"]),
    .member(
      "strategy", #""defaults": {"restart": {"strategy": ▶"rest_for_one"}}"#,
      ["/defaults/restart/strategy": "known: one, dependents, all"]),
    .member(
      "end of a quarantine", #""defaults": {"restart": {"quarantineEnds": ▶"never"}}"#,
      ["/defaults/restart/quarantineEnds": "known: reset, supervisorStart"]),
    .member(
      "backoff",
      #""defaults": {"restart": {"backoffFirstMilliseconds": ▶500, "backoffMaximumMilliseconds": 400}}"#,
      ["/defaults/restart/backoffFirstMilliseconds": "500, is more than"]),
    .member(
      "heartbeat",
      #""defaults": {"heartbeat": {"enabled": ▶1, "intervalMilliseconds": ▶99, ▶"timeout": 1}}"#,
      [
        "/defaults/heartbeat/enabled": "true or false",
        "/defaults/heartbeat/intervalMilliseconds": "from 100",
        "/defaults/heartbeat/timeout": "unknown key",
      ]),
    .member(
      "text for a number", #""defaults": {"restart": {"restarts": ▶"5"}}"#,
      ["/defaults/restart/restarts": "a number is meant, not a string"]),
  ]

  static let rules: [PolicyFaultCase] = [
    .member("no modules", #""rules": [▶{}]"#, ["/rules/0": #""modules" is missing"#]),
    .member(
      "half a segment", #""rules": [{"modules": ▶"com.ex*"}]"#, ["/rules/0/modules": "whole segments"]),
    .member("reserved", #""rules": [{"modules": ▶"forsetti.*"}]"#, ["/rules/0/modules": "reserved"]),
    .member(
      "capability", #""rules": [{"modules": "com.a", "grant": [▶"netwroking"]}]"#,
      ["/rules/0/grant/0": #"did you mean "networking"?"#]),
    .member(
      "capability twice", #""rules": [{"modules": "com.a", "grant": ["api", ▶"api"]}]"#,
      ["/rules/0/grant/1": "said already"]),
    .member(
      "contradiction",
      #""rules": [{"modules": "com.a", "grant": ["api"],\#n "deny": ["storage", ▶"api"]}]"#,
      ["/rules/0/deny/1": #"contradicts line 3, column 44, where the same pattern grants "api""#]),
    .member(
      "pattern twice", #""rules": [{"modules": "com.a.*"}, {"modules": ▶"COM.a.*"}]"#,
      ["/rules/1/modules": "has a rule already at line 3"]),
    .member(
      "contradiction of two rules",
      #""rules": [{"modules": "com.a.*", "deny": ["api"], "grant": ["storage"]},\#n {"modules": ▶"com.a.*", "grant": [▶"api"], "deny": [▶"storage"]}]"#,
      [
        "/rules/1/modules": "already", "/rules/1/grant/0": #"denies "api""#,
        "/rules/1/deny/0": #"grants "storage""#,
      ]),
    .member(
      "origin of nothing", #""rules": [{"modules": "com.a", "origin": ▶{}}]"#,
      ["/rules/0/origin": #""sha256" or "key" is missing"#]),
    .member(
      "origin of both",
      #""rules": [{"modules": "com.a", "origin": ▶{"sha256": "a", "key": "b"}}]"#,
      ["/rules/0/origin": "not both"]),
    .member(
      "short hash", #""rules": [{"modules": "com.a", "origin": {"sha256": ▶"ab"}}]"#,
      ["/rules/0/origin/sha256": "64 digits"]),
    .member(
      "pattern by hash",
      #""rules": [{"modules": "com.a.*", "origin": {"sha256": ▶"\#(PrecedenceCase.hash)"}}]"#,
      ["/rules/0/origin/sha256": "by its key alone"]),
    .member(
      "key", #""rules": [{"modules": "com.a.*", "origin": {"key": ▶"RWxx"}}]"#,
      ["/rules/0/origin/key": "minisign"]),
    .member(
      "publish reserved", #""rules": [{"modules": "com.a", "publish": [▶"Forsetti.x"]}]"#,
      ["/rules/0/publish/0": "no module publishes"]),
    .member(
      "event pattern", #""rules": [{"modules": "com.a", "subscribe": [▶"a.*.b"]}]"#,
      ["/rules/0/subscribe/0": "at the end alone"]),
    .member(
      "pair without word", #""messages": [▶{"from": "com.a", "to": "com.b"}]"#,
      ["/messages/0": #""allow" is missing"#]),
    .member(
      "pair twice",
      #""messages": [{"from": "com.a", "to": "*", "allow": true},\#n▶{"from": "com.A", "to": "*", "allow": true}]"#,
      ["/messages/1": "already at line 3"]),
    .member(
      "pair origin",
      #""messages": [{"from": "com.a", "fromOrigin": ▶{}, "to": "*", "allow": true}]"#,
      ["/messages/0/fromOrigin": "is missing"]),
    .member("ü before the fault", #""reason": "äöü🦉", ▶"x": 1"#, ["/x": "unknown key"]),
    .member(
      "many at once",
      #"▶"a": 1, "rules": [{"modules": ▶"x", "grant": [▶"apy"]}, ▶{}], "ui": ▶[]"#,
      [
        "/a": "unknown", "/rules/0/modules": "two segments", "/rules/0/grant/0": #""api""#,
        "/rules/1": "missing", "/ui": "object",
      ]),
  ]
}

@Suite("Broken policies")
struct PolicyFaultTests {
  @Test(
    "every fault is named with line, column, pointer and what is meant",
    arguments: PolicyFaultCase.dialect + PolicyFaultCase.root + PolicyFaultCase.settings
      + PolicyFaultCase.rules)
  func faults(_ this: PolicyFaultCase) throws {
    let (bytes, places) = this.text
    let error = #expect(throws: PolicyFaults.self) { try PolicyDecoder.decode(bytes: bytes, file: "p.json") }
    let faults = try #require(error).faults
    #expect(faults.map(\.pointer) == this.pointers)
    #expect(faults.map { PolicyPlace(line: $0.line, column: $0.column) } == places)
    for (fault, reason) in zip(faults, this.reasons) {
      #expect(fault.file == "p.json")
      #expect(fault.reason.contains(reason), "\(fault.reason)")
      #expect(!fault.reason.contains("\n"))
    }
  }

  @Test("a file over 1 MiB, or nested past 16 levels, is refused before it is read")
  func limits() {
    let large = Array("{\"policyVersion\": 1}".utf8) + [UInt8](repeating: 0x20, count: 1 << 20)
    #expect(throws: PolicyFaults.self) { try PolicyDecoder.decode(bytes: large, file: "p.json") }
    let fitting = large.prefix(1 << 20)
    #expect(throws: Never.self) { try PolicyDecoder.decode(bytes: Array(fitting), file: "p.json") }
    let deep = "{\"policyVersion\": 1, \"reason\": " + String(repeating: "[", count: 16)
    #expect(throws: PolicyFaults.self) { try PolicyDecoder.decode(bytes: Array(deep.utf8), file: "p.json") }
  }

  @Test("a file that is wrong all over keeps a thousand faults and counts the rest")
  func many() throws {
    let words = Array(repeating: "\"apy\"", count: 9_000).joined(separator: ",")
    let text = "{\"policyVersion\": 1, \"rules\": [{\"modules\": \"com.a\", \"grant\": [\(words)]}]}"
    let error = #expect(throws: PolicyFaults.self) {
      try PolicyDecoder.decode(bytes: Array(text.utf8), file: "p.json")
    }
    #expect(error?.faults.count == PolicyFaults.limit)
    #expect(error?.omitted == 8_000)
  }

  @Test("the least policy is the strict one: it grants nothing")
  func least() throws {
    let policy = try PolicyDecoder.decode(bytes: Array("{\"policyVersion\": 1.0}".utf8), file: "p.json")
    #expect(policy == Policy(file: "p.json"))
    for capability in Capability.allCases {
      #expect(!policy.decision(moduleID: "com.a", capability: capability).isGranted)
    }
    #expect(policy.sandbox(for: "com.a") == SandboxPolicy())
    #expect(policy.provider(of: .api) == .host)
  }

  @Test("a provider that only a bundle's rule grants its capability is no contradiction")
  func bundleProvider() throws {
    let text = """
      {"policyVersion": 1, "roles": {"api": "com.a", "security": "host"},
       "rules": [{"modules": "com.*", "origin": {"key": "\(PrecedenceCase.key)"}, "grant": ["api"]}]}
      """
    let policy = try PolicyDecoder.decode(bytes: Array(text.utf8), file: "p.json")
    #expect(policy.provider(of: .api) == .module("com.a"))
    #expect(policy.provider(of: .security) == .host)
  }

  @Test("mutated policies never trap, and what is refused has a place and a reason")
  func mutations() throws {
    let seeds = try ["strict.json", "development.json"].map { try ShippedFiles.bytes("policy/\($0)") }
    let members = (PolicyFaultCase.root + PolicyFaultCase.settings + PolicyFaultCase.rules).map(\.text.bytes)
    var random = SeededGenerator(state: 0x51)
    var accepted = 0
    for round in 0..<6_000 {
      let seed = round % 8 == 0 ? seeds[round / 8 % 2] : members[round % members.count]
      let bytes = ManifestFuzzTests.mutated(seed, using: &random)
      do throws(PolicyFaults) {
        let policy = try PolicyDecoder.decode(bytes: bytes, file: "p.json")
        accepted += 1
        _ = policy.sandbox(for: "com.example.a")
        _ = policy.eventRules(for: "com.example.a")
        _ = policy.activationOrder(of: policy.activationOrder, manifests: [:])
      } catch {
        #expect(!error.faults.isEmpty)
        #expect(error.faults.allSatisfy { $0.line > 0 && $0.column > 0 && !$0.reason.isEmpty })
      }
    }
    #expect(accepted > 0)
  }
}
