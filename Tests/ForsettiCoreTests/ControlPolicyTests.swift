import Testing

@testable import ForsettiCore

@Suite struct ControlPolicyTests {
  private func decode(_ control: String) throws -> ControlPolicy {
    try PolicyDecoder.decode(bytes: Array(#"{ "policyVersion": 1, "control": \#(control) }"#.utf8), file: "p")
      .control
  }

  @Test("silence leaves the socket to root and the supervisor's own user") func silence() {
    let policy = ControlPolicy()
    #expect(policy.rights(user: 0, groups: [], owner: 7) == Set(ControlRight.allCases))
    #expect(policy.rights(user: 7, groups: [], owner: 7) == Set(ControlRight.allCases))
    #expect(policy.rights(user: 8, groups: [7, 0], owner: 7).isEmpty)
    #expect(!policy.isShared)
  }

  @Test("rights go to users and groups as named, and whoever may change may read") func named() throws {
    let policy = try decode(
      #"{ "read": [{ "gid": 27, "reason": "operators" }], "change": [{ "uid": 1000 }], "trust": [], "reason": "r" }"#
    )
    #expect(policy.rights(user: 5, groups: [5, 27], owner: 7) == [.read])
    #expect(policy.rights(user: 1000, groups: [], owner: 7) == [.read, .change])
    #expect(policy.rights(user: 27, groups: [1000], owner: 7).isEmpty)
    #expect(policy.isShared)
  }

  private func console(_ text: String) throws -> ListenAddress? {
    try PolicyDecoder.decode(bytes: Array(#"{ "policyVersion": 1, "console": \#(text) }"#.utf8), file: "p")
      .console
  }

  @Test("the console is off unless the policy says where it listens") func console() throws {
    #expect(Policy().console == nil)
    #expect(try console(#"{ "listen": "127.0.0.1:8666", "reason": "r" }"#) == .loopback(port: 8666))
    #expect(try console(#"{ "listen": "unix:/run/c.sock" }"#) == .unix(path: "/run/c.sock"))
  }

  @Test(
    "a console that listens beyond this host, or nowhere, is a fault",
    arguments: [
      "{}", #"{ "listen": "0.0.0.0:80" }"#, #"{ "listen": "example.org:80" }"#, #"{ "listen": 80 }"#, "true",
      #"{ "listen": "127.0.0.1:80", "port": 1 }"#,
    ])
  func consoleFaults(text: String) {
    #expect(throws: PolicyFaults.self) { try console(text) }
  }

  @Test(
    "a holder that is nobody, or two, is a fault",
    arguments: [
      #"{ "read": [{}] }"#, #"{ "read": [{ "uid": 1, "gid": 1 }] }"#, #"{ "read": [{ "uid": -1 }] }"#,
      #"{ "read": [{ "uid": 4294967295 }] }"#, #"{ "read": ["root"] }"#, #"{ "write": [] }"#,
      #"{ "trust": [{ "uid": 1 }, { "uid": 1 }] }"#, "[]",
    ])
  func faults(control: String) {
    #expect(throws: PolicyFaults.self) { try decode(control) }
  }
}
