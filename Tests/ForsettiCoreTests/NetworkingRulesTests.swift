import Testing

@testable import ForsettiCore

@Suite struct NetworkingRulesTests {
  @Test(
    "addresses are read in their full forms",
    arguments: [
      ("1.2.3.4", "1.2.3.4"), ("255.255.255.255", "255.255.255.255"), ("::", "0:0:0:0:0:0:0:0"),
      ("::1", "0:0:0:0:0:0:0:1"),
      ("1::", "1:0:0:0:0:0:0:0"), ("2001:db8::8:800:200c:417a", "2001:db8:0:0:8:800:200c:417a"),
      ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"), ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
      ("FE80::1", "fe80:0:0:0:0:0:0:1"),
      ("::ffff:1.2.3.4", "1.2.3.4"), ("::FFFF:102:304", "1.2.3.4"),
      ("64:ff9b::1.2.3.4", "64:ff9b:0:0:0:0:102:304"),
    ])
  func addresses(text: String, shown: String) { #expect(IPAddress(text)?.description == shown) }

  @Test(
    "what programs read in different ways is no address",
    arguments: [
      "", "1", "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.256", "0x7f.0.0.1", "1.2.3.4 ", " 1.2.3.4", "1.2.3.",
      "1..2.3",
      ":", ":::", "1:", ":1", "1::2::3", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "12345::", "g::",
      "::1.2.3",
      "1.2.3.4::", "::1%lo", "[::1]", "+1.2.3.4", "::+1", "1:2:3:4:5:6:7:1.2.3.4", "::ffff:١.2.3.4",
      String(repeating: "1:", count: 100),
    ])
  func noAddresses(text: String) { #expect(IPAddress(text) == nil) }

  @Test(
    "only the public Internet is public",
    arguments: [
      ("8.8.8.8", true), ("1.1.1.1", true), ("93.184.216.34", true), ("2606:4700::1111", true),
      ("::ffff:8.8.8.8", true),
      ("0.0.0.0", false), ("10.255.255.255", false), ("100.64.0.1", false), ("100.128.0.1", true),
      ("127.0.0.1", false),
      ("127.255.255.255", false), ("169.254.169.254", false), ("172.15.255.255", true), ("172.16.0.0", false),
      ("172.31.255.255", false), ("172.32.0.0", true), ("192.0.0.1", false), ("192.168.0.1", false),
      ("192.169.0.1", true),
      ("198.18.0.1", false), ("203.0.113.7", false), ("224.0.0.251", false), ("239.1.1.1", false),
      ("240.0.0.1", false),
      ("255.255.255.255", false), ("::", false), ("::1", false), ("fe80::1", false), ("fc00::1", false),
      ("fdff::1", false),
      ("ff02::1", false), ("::ffff:127.0.0.1", false), ("::127.0.0.1", false), ("64:ff9b::7f00:1", false),
      ("2001:db8::1", false), ("2001::1", false), ("2002:7f00:1::", false), ("3fff::1", false),
      ("4000::1", false),
    ])
  func publicAddresses(text: String, isPublic: Bool) throws {
    #expect(try #require(IPAddress(text)).isPublic == isPublic)
  }

  @Test("ranges hold what their prefix says") func ranges() throws {
    let ten = try #require(AddressRange("10.0.0.0/8"))
    #expect(ten.contains(try #require(IPAddress("10.255.0.1"))))
    #expect(ten.contains(try #require(IPAddress("::ffff:10.0.0.1"))))
    #expect(!ten.contains(try #require(IPAddress("11.0.0.0"))))
    #expect(!ten.contains(try #require(IPAddress("::10.0.0.1"))))
    let odd = try #require(AddressRange("fd00:8000::/17"))
    #expect(odd.contains(try #require(IPAddress("fd00:ffff::1"))))
    #expect(!odd.contains(try #require(IPAddress("fd00:7fff::1"))))
    #expect(try #require(AddressRange("0.0.0.0/0")).contains(try #require(IPAddress("9.9.9.9"))))
    #expect(try #require(AddressRange("1.2.3.4")).contains(try #require(IPAddress("1.2.3.4"))))
    for text in [
      "", "/8", "10.0.0.1/8", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10/8", "::/129", "10.0.0.0/8/8",
      "::ffff:10.0.0.0/104",
    ] {
      #expect(AddressRange(text) == nil, "\(text)")
    }
  }

  @Test("hosts match whole names and whole labels alone") func hosts() throws {
    let below = try #require(NetworkHost("*.Example.com"))
    for (host, matches) in [
      ("a.example.com", true), ("a.b.example.com", true), ("example.com", false), (".example.com", false),
      ("aexample.com", false), ("a.example.com.evil", false), ("a.example.com.", false),
    ] { #expect(below.matches(host) == matches, "\(host)") }
    #expect(try #require(NetworkHost("API.example.com")).matches("api.example.com"))
    #expect(try #require(NetworkHost("[::1]")).matches("[::1]"))
    #expect(try #require(NetworkHost("::0001")).matches("[::1]"))
    for text in [
      "", "*", "*.", "*.com", "*.1.2", "a..b", "-a.test", "a-.test", "a_b", "a/b", "a:80", "http://a",
      "é.test", "1.2.3", "a.b*", "*.*.test", String(repeating: "a", count: 64),
    ] {
      #expect(NetworkHost(text) == nil, "\(text)")
    }
  }

  @Test("one entry has to cover a request, not two together") func targets() {
    let rules = NetworkingRules(allow: [
      NetworkTarget(hosts: [.name("a.test")], methods: [.get]),
      NetworkTarget(hosts: [.name("b.test")], schemes: [.http], ports: [8080], methods: [.post]),
    ])
    func isCovered(_ scheme: NetworkScheme, _ host: String, _ port: Int, _ method: NetworkMethod) -> Bool {
      !rules.targets(scheme: scheme, host: host, port: port, method: method).isEmpty
    }
    #expect(isCovered(.https, "a.test", 443, .get))
    #expect(isCovered(.http, "b.test", 8080, .post))
    #expect(!isCovered(.https, "a.test", 443, .post))
    #expect(!isCovered(.https, "a.test", 8080, .get))
    #expect(!isCovered(.http, "a.test", 80, .get))
    #expect(!isCovered(.http, "b.test", 80, .post))
    #expect(!isCovered(.http, "b.test", 8080, .get))
  }

  @Test("the strongest rule that says anything of networking decides it as a whole") func policy() throws {
    let text = """
      {"policyVersion": 1, "rules": [
        {"modules": "com.example.*", "networking": {"timeoutMilliseconds": 500, "allow": [{"hosts": ["a.test"]}]}},
        {"modules": "com.example.one", "networking": {"allow": [
          {"hosts": ["*.b.test", "10.0.0.1"], "schemes": ["http"], "ports": [80, 8080], "methods": ["POST"],
           "addresses": ["10.0.0.0/8"]}]}},
        {"modules": "com.example.two", "grant": ["networking"]}]}
      """
    let policy = try PolicyDecoder.decode(bytes: Array(text.utf8), file: "p.json")
    let one = policy.networking(for: "com.example.one")
    #expect(one.timeoutMilliseconds == 30_000)
    #expect(
      one.allow == [
        NetworkTarget(
          hosts: [.below("b.test"), .address(try #require(IPAddress("10.0.0.1")))], schemes: [.http],
          ports: [80, 8080],
          methods: [.post], addresses: [AddressRange("10.0.0.0/8")].compactMap { $0 })
      ])
    let two = policy.networking(for: "com.example.two")
    #expect(two.timeoutMilliseconds == 500)
    #expect(two.allow == [NetworkTarget(hosts: [.name("a.test")])])
    #expect(policy.networking(for: "com.other") == NetworkingRules())
    #expect(
      policy.networking(for: "com.example.one", origin: .bundle(sha256: "00", key: nil)) == NetworkingRules())
  }

  @Test(
    "what is wrong with an entry is told with its place",
    arguments: [
      (#"{"allow": [{}]}"#, "/rules/0/networking/allow/0", "missing"),
      (#"{"allow": [{"hosts": []}]}"#, "/rules/0/networking/allow/0/hosts", "at least one"),
      (#"{"allow": [{"hosts": ["*"]}]}"#, "/rules/0/networking/allow/0/hosts/0", "no host"),
      (
        #"{"allow": [{"hosts": ["a.test", "A.test"]}]}"#, "/rules/0/networking/allow/0/hosts/1",
        "said already"
      ),
      (
        #"{"allow": [{"hosts": ["a.test"], "schemes": ["ftp"]}]}"#, "/rules/0/networking/allow/0/schemes/0",
        "unknown scheme"
      ),
      (
        #"{"allow": [{"hosts": ["a.test"], "methods": ["TRACE"]}]}"#, "/rules/0/networking/allow/0/methods/0",
        "unknown method"
      ),
      (
        #"{"allow": [{"hosts": ["a.test"], "ports": [0]}]}"#, "/rules/0/networking/allow/0/ports/0",
        "1 to 65535"
      ),
      (
        #"{"allow": [{"hosts": ["a.test"], "addresses": ["10.0.0.1/8"]}]}"#,
        "/rules/0/networking/allow/0/addresses/0", "no range"
      ),
      (#"{"responseBytes": 0}"#, "/rules/0/networking/responseBytes", "1 to 4194304"),
      (#"{"alow": []}"#, "/rules/0/networking/alow", "allow"),
    ])
  func faults(networking: String, pointer: String, reason: String) {
    let text = #"{"policyVersion": 1, "rules": [{"modules": "a.b", "networking": \#(networking)}]}"#
    #expect {
      _ = try PolicyDecoder.decode(bytes: Array(text.utf8), file: "p.json")
    } throws: { error in
      guard let faults = (error as? PolicyFaults)?.faults, faults.count == 1 else { return false }
      return faults[0].pointer == pointer && faults[0].reason.contains(reason)
    }
  }

  @Test(
    "telemetry goes where the policy says, and nowhere unless it says so",
    arguments: [
      ("{}", TelemetryPolicy.off), (#"{"telemetry": {"destination": "off"}}"#, .off),
      (#"{"telemetry": {"destination": "file"}}"#, .file(bytes: 16_777_216, files: 4)),
      (#"{"telemetry": {"destination": "file", "bytes": 4096, "files": 1}}"#, .file(bytes: 4_096, files: 1)),
      (
        #"{"telemetry": {"destination": "collector", "url": "https://c.test/v1/logs"}}"#,
        .collector(url: "https://c.test/v1/logs")
      ),
    ])
  func telemetry(members: String, telemetry: TelemetryPolicy) throws {
    let text = #"{"policyVersion": 1"# + (members == "{}" ? "}" : ", " + members.dropFirst())
    #expect(try PolicyDecoder.decode(bytes: Array(text.utf8), file: "p.json").telemetry == telemetry)
  }

  @Test(
    "what is wrong with telemetry is told with its place",
    arguments: [
      ("{}", "/telemetry", "missing"),
      (#"{"destination": "disk"}"#, "/telemetry/destination", "unknown destination"),
      (#"{"destination": "collector"}"#, "/telemetry", "missing"),
      (#"{"destination": "collector", "url": "ftp://x"}"#, "/telemetry/url", "a URL is meant"),
      (#"{"destination": "file", "url": "https://x"}"#, "/telemetry/url", "belongs to destination"),
      (#"{"destination": "file", "bytes": 1}"#, "/telemetry/bytes", "4096"),
    ])
  func telemetryFaults(telemetry: String, pointer: String, reason: String) {
    let text = #"{"policyVersion": 1, "telemetry": \#(telemetry)}"#
    #expect {
      _ = try PolicyDecoder.decode(bytes: Array(text.utf8), file: "p.json")
    } throws: { error in
      guard let faults = (error as? PolicyFaults)?.faults, faults.count == 1 else { return false }
      return faults[0].pointer == pointer && faults[0].reason.contains(reason)
    }
  }

  @Test(
    "traces go to a collector, of a share that is one",
    arguments: [
      (#"{"url": "https://c.test/v1/traces", "rate": 1}"#, "", ""),
      (#"{"url": "http://127.0.0.1:4318/v1/traces", "rate": 0.001}"#, "", ""),
      (#"{"url": "https://c.test"}"#, "/traces", "missing"), (#"{"rate": 1}"#, "/traces", "missing"),
      (#"{"url": "c.test", "rate": 1}"#, "/traces/url", "a URL is meant"),
      (#"{"url": "https://c.test", "rate": 0}"#, "/traces/rate", "above 0"),
      (#"{"url": "https://c.test", "rate": 1.5}"#, "/traces/rate", "above 0"),
      (#"{"url": "https://c.test", "rate": "all"}"#, "/traces/rate", "above 0"),
    ])
  func traces(traces: String, pointer: String, reason: String) throws {
    let text = Array(#"{"policyVersion": 1, "traces": \#(traces)}"#.utf8)
    guard !pointer.isEmpty else {
      let policy = try PolicyDecoder.decode(bytes: text, file: "p.json")
      #expect(policy.traces != nil && policy.reachesNetwork)
      return
    }
    let faults = #expect(throws: PolicyFaults.self) {
      try PolicyDecoder.decode(bytes: text, file: "p.json")
    }
    #expect(
      faults?.faults.map(\.pointer) == [pointer] && faults?.faults.first?.reason.contains(reason) == true)
  }
}
