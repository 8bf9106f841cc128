import ForsettiCore
import ForsettiLockdown
import Testing

@testable import ForsettiSupervisor

/// What a supervisor takes from itself, as a value.
@Suite struct ReductionPlanTests {
  private var places: SupervisorReduction.Places {
    SupervisorReduction.Places(
      own: StatePlaces(state: "/s", runtime: "/r"), policy: Policy(file: "p.json"), policyPath: "/p/p.json",
      manifests: "/m", bundles: "/s/bundles", host: "/b/forsetti-module-host", environment: [:], cgroup: nil)
  }

  private func rights(_ reduction: Reduction, at path: String) -> LandlockFileRights {
    reduction.landlock.rules.filter { $0.path == path }.reduce(into: []) { $0.formUnion($1.rights) }
  }

  @Test("only state and runtime folder may be changed, only programs and the loader be executed")
  func changes() {
    let reduction = SupervisorReduction.derive(places, policy: Policy(file: "p.json"))
    let changing = reduction.landlock.rules.filter {
      !$0.rights.isDisjoint(with: [.makeFile, .removeFile, .truncate])
    }
    #expect(changing.map(\.path) == ["/s", "/r"])
    let executable = reduction.landlock.rules.filter { $0.rights.contains(.execute) }.map(\.path)
    #expect(executable.first == "/b")
    #expect(executable.dropFirst().allSatisfy { $0.contains("/ld-linux-") })
    #expect(rights(reduction, at: "/p") == .read)
    #expect(rights(reduction, at: "/m") == .read)
    #expect(reduction.landlock.rules.allSatisfy { !["/", "/etc", "/dev"].contains($0.path) })
    #expect(reduction.capabilities.names == ["KILL", "SETGID", "SETUID", "SYS_PTRACE"])
    #expect(!reduction.mayLackLandlock)
  }

  @Test("what the environment and the policy name is within reach, and nothing of it otherwise")
  func optional() {
    var places = places
    let bare = SupervisorReduction.derive(places, policy: Policy(file: "p.json"))
    places.entitlements = "/e"
    places.credentials = "/c"
    places.cgroup = "/sys/fs/cgroup/x"
    let full = SupervisorReduction.derive(places, policy: Policy(file: "p.json"))
    #expect(rights(full, at: "/e") == .read)
    #expect(rights(full, at: "/c") == .read)
    #expect(rights(full, at: "/sys/fs/cgroup/x") == [.read, .writeFile, .makeFolder, .removeFolder])
    #expect(full.landlock.rules.count == bare.landlock.rules.count + 3)
  }

  @Test("the entitlements of a relative path are beside the policy") func entitlements() {
    let policy = Policy(file: "p.json", entitlements: .file(path: "sub/e.json"))
    let places = SupervisorReduction.Places(
      own: StatePlaces(state: "/s", runtime: "/r"), policy: policy, policyPath: "/p/p.json", manifests: "/m",
      bundles: "/s/bundles", host: "/b/h",
      environment: ["CREDENTIALS_DIRECTORY": "/c", "NOTIFY_SOCKET": "@n"],
      cgroup: nil)
    #expect(places.entitlements == "/p/sub")
    #expect(places.credentials == "/c")
    #expect(places.programs == "/b")
    #expect(SupervisorReduction.derive(places, policy: policy).landlock.exceptions.scopes == .abstractSockets)
  }

  @Test("TCP, resolver and authorities are out of reach, whatever the policy lets leave the host")
  func network() throws {
    func derived(_ policy: Policy) -> Reduction { SupervisorReduction.derive(places, policy: policy) }
    let silent = derived(Policy(file: "p.json"))
    #expect(silent.landlock.exceptions == LandlockRights())
    let target = #"{"hosts": ["a.example.com"]}"#
    for text in [
      #""rules": [{"modules": "a.b", "grant": ["networking"], "networking": {"allow": [\#(target)]}}]"#,
      #""telemetry": {"destination": "collector", "url": "https://a.example.com/v1/logs"}"#,
    ] {
      let policy = try PolicyDecoder.decode(bytes: Array("{\"policyVersion\": 1, \(text)}".utf8), file: "p")
      #expect(policy.reachesNetwork)
      #expect(derived(policy) == silent, "\(text)")
    }
    let empty = #"{"policyVersion": 1, "rules": [{"modules": "a.b", "networking": {"allow": []}}]}"#
    #expect(try !PolicyDecoder.decode(bytes: Array(empty.utf8), file: "p").reachesNetwork)
  }

  @Test("a policy that lets Landlock be missing says so for the supervisor too") func missing() {
    let policy = Policy(file: "p.json", sandboxDefaults: SandboxPolicy(mayBeMissing: [.landlock]))
    #expect(SupervisorReduction.derive(places, policy: policy).mayLackLandlock)
  }

  @Test("what holds the supervisor is one line") func text() {
    #expect(
      ReductionResult(landlockABI: 7, capabilities: [.kill, .setUserID]).text
        == "the supervisor itself: Landlock ABI 7, no new privileges, no capabilities but KILL, SETUID")
    #expect(
      ReductionResult(landlockABI: 0, capabilities: []).text
        == "the supervisor itself: no Landlock (the policy lets it be missing), no new privileges, no capabilities"
    )
  }
}
