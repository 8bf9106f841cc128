import Testing

@testable import ForsettiSupervisor

@Suite struct PlacesTests {
  @Test("in a checkout everything is found from the build folder upwards") func checkout() {
    let files: Set<String> = ["/src/f/policy/strict.json", "/src/f/Resources/ForsettiManifests"]
    let found = Installation.locate(
      executable: "/src/f/.build/x86_64-unknown-linux-gnu/release/forsetti-supervisor", exists: files.contains
    )
    #expect(found.checkout == "/src/f")
    #expect(found.policy == "/src/f/policy/strict.json")
    #expect(found.manifests == "/src/f/Resources/ForsettiManifests")
    #expect(found.moduleHost == "/src/f/.build/x86_64-unknown-linux-gnu/release/forsetti-module-host")
  }

  @Test("installed, /etc goes before the policy that came with it") func installed() {
    let bare = Installation.locate(executable: "/usr/local/bin/forsetti-supervisor") { _ in false }
    #expect(
      bare
        == Installation(
          policy: "/usr/local/share/forsetti/policy/strict.json",
          manifests: "/usr/local/share/forsetti/manifests",
          moduleHost: "/usr/local/libexec/forsetti/forsetti-module-host",
          hostileHost: "/usr/local/libexec/forsetti-crash-test/forsetti-hostile-host"))
    let files: Set<String> = ["/etc/forsetti/policy.json", "/usr/bin/forsetti-module-host"]
    let full = Installation.locate(executable: "/usr/bin/forsetti-supervisor", exists: files.contains)
    #expect(full.policy == "/etc/forsetti/policy.json")
    #expect(full.moduleHost == "/usr/bin/forsetti-module-host")
    #expect(full.manifests == "/usr/share/forsetti/manifests")
  }

  @Test("state goes to /var/lib for root and to the XDG folders for others") func state() {
    #expect(
      StatePlaces.standard(userID: 0, environment: ["HOME": "/root"])
        == StatePlaces(state: "/var/lib/forsetti", runtime: "/run/forsetti"))
    #expect(
      StatePlaces.standard(userID: 7, environment: ["XDG_STATE_HOME": "/s", "XDG_RUNTIME_DIR": "/r"])
        == StatePlaces(state: "/s/forsetti", runtime: "/r/forsetti"))
    #expect(
      StatePlaces.standard(userID: 7, environment: ["HOME": "/home/u", "XDG_STATE_HOME": "relative"])
        == StatePlaces(
          state: "/home/u/.local/state/forsetti", runtime: "/home/u/.local/state/forsetti/run"))
    #expect(StatePlaces.standard(userID: 7, environment: [:]) == nil)
  }
}
