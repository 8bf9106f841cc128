import Testing

@testable import ForsettiCore

/// What holds for a module, and the place that says so.
@Suite("Settings of a module by a policy") struct PolicySettingTests {
  private static let text = """
    {"policyVersion": 1,
     "entitlements": {"provider": "allowAll"},
     "audit": "allowed",
     "defaults": {"sandbox": {"limits": {"openFiles": 20}},
                  "rates": {"callsPerSecond": 7}},
     "rules": [
      {"modules": "com.example.*", "reason": "all of them",
       "sandbox": {"limits": {"openFiles": 30, "dataBytes": 8388608}}},
      {"modules": "com.example.a",
       "sandbox": {"limits": {"openFiles": 40}},
       "subscribe": [],
       "api": [{"paths": ["/v1", "/v2"], "methods": ["GET", "PUT"]}],
       "networking": {"allow": [{"hosts": ["*.example.com", "10.0.0.1"], "ports": [8443]}]}}]}
    """

  private static func setting(_ key: String, of id: String) throws -> PolicySetting {
    let policy = try PolicyDecoder.decode(bytes: Array(text.utf8), file: "p.json")
    return try #require(policy.settings(for: id).first { $0.key == key })
  }

  @Test(
    "each has the value that holds, and the line of the word that decided: the strongest rule's, then the defaults'",
    arguments: [
      ("com.example.a", "sandbox.limits.openFiles", "40", 10, "com.example.a"),
      ("com.example.b", "sandbox.limits.openFiles", "30", 8, "com.example.*"),
      ("com.other", "sandbox.limits.openFiles", "20", 4, "defaults"),
      ("com.example.a", "sandbox.limits.dataBytes", "8388608", 8, "com.example.*"),
      ("com.example.a", "rates.callsPerSecond", "7", 5, "defaults"),
      ("com.example.a", "subscribe", "none", 11, "com.example.a"),
      ("com.example.a", "api", "GET PUT /v1 /v2", 12, "com.example.a"),
      (
        "com.example.a", "networking", "GET HEAD https://*.example.com:8443 https://10.0.0.1:8443", 13,
        "com.example.a"
      ),
      ("com.example.a", "audit", "allowed", 3, "audit"),
    ])
  func decided(id: String, key: String, value: String, line: Int, pattern: String) throws {
    let setting = try Self.setting(key, of: id)
    #expect(setting.value == value)
    let source = try #require(setting.source)
    #expect(source.file == "p.json" && source.line == line && source.pattern == pattern, "\(source.text)")
  }

  @Test(
    "where nothing is said the build's own default holds, and no place is named",
    arguments: [
      ("sandbox.limits.addressSpaceBytes", "1073741824"), ("sandbox.limits.cpuSeconds", "no limit"),
      ("sandbox.direct", "none"), ("deadlineMilliseconds.start", "10000"), ("restart.kind", "transient"),
      ("heartbeat.intervalMilliseconds", "5000"), ("rates.bytesPerSecond", "no limit"),
      ("publish", "{moduleID}.*"),
    ])
  func silent(key: String, value: String) throws {
    let setting = try Self.setting(key, of: "com.example.a")
    #expect(setting.value == value && setting.source == nil)
  }

  @Test("the reason of the rule that decided is told with it, not that of a weaker one")
  func reasons() throws {
    #expect(try Self.setting("sandbox.limits.dataBytes", of: "com.example.a").reason == "all of them")
    #expect(try Self.setting("sandbox.limits.openFiles", of: "com.example.a").reason == nil)
  }

  @Test("keys of all modules have their places too; silence and code have none")
  func keys() throws {
    let policy = try PolicyDecoder.decode(bytes: Array(Self.text.utf8), file: "p.json")
    #expect(policy.source(of: .entitlements)?.line == 2)
    #expect(policy.source(of: .registration) == nil)
    #expect(Policy().source(of: .entitlements) == nil)
    #expect(Policy().settings(for: "com.example.a").allSatisfy { $0.source == nil })
  }
}
