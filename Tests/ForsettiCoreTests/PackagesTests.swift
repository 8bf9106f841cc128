import ForsettiCore
import Testing

/// What of a bundle can be judged from values alone.
@Suite("Bundles as values") struct PackagesTests {
  /// A static program of 64 bits: a header and one segment of code, as bytes that a test can spoil.
  private static let program: [UInt8] = {
    var bytes = [UInt8](repeating: 0, count: 64 + 2 * 56)
    bytes.replaceSubrange(0..<6, with: [0x7f, 0x45, 0x4c, 0x46, 2, 1])
    bytes[16] = 2
    bytes[18] = UInt8(ExecutableImage.nativeMachine & 0xff)
    bytes[25] = 0x10
    bytes[32] = 64
    bytes[54] = 56
    bytes[56] = 2
    // PT_LOAD, read and execute; PT_GNU_STACK, read and write.
    (bytes[64], bytes[68]) = (1, 5)
    bytes.replaceSubrange(120..<124, with: [0x51, 0xe5, 0x74, 0x64])
    bytes[124] = 6
    return bytes
  }()

  private func fault(_ bytes: [UInt8]) -> ExecutableFault? {
    do throws(ExecutableFault) {
      try ExecutableImage.check(bytes)
      return nil
    } catch { return error }
  }

  private func spoiled(_ change: (inout [UInt8]) -> Void) -> ExecutableFault? {
    var bytes = Self.program
    change(&bytes)
    return fault(bytes)
  }

  @Test("a static program of this machine passes, position-independent or not") func good() {
    #expect(fault(Self.program) == nil)
    #expect(spoiled { $0[16] = 3 } == nil)
  }

  @Test("every other file is told apart by what is wrong with it") func faults() {
    #expect(fault(Array("#!/bin/sh\n".utf8)) == .notELF)
    #expect(fault([]) == .notELF)
    #expect(spoiled { $0[0] = 0 } == .notELF)
    #expect(spoiled { $0[4] = 1 } == .foreignArchitecture(machine: nil))
    #expect(spoiled { $0[5] = 2 } == .foreignArchitecture(machine: nil))
    #expect(spoiled { $0[18] = 8 } == .foreignArchitecture(machine: 8))
    #expect(spoiled { $0[16] = 1 } == .notAProgram)
    #expect(spoiled { $0[16] = 4 } == .notAProgram)
    // A library has no entry.
    #expect(spoiled { $0[25] = 0 } == .notAProgram)
    // PT_INTERP.
    #expect(spoiled { $0.replaceSubrange(120..<124, with: [3, 0, 0, 0]) } == .dynamic)
    #expect(spoiled { $0[124] = 7 } == .executableStack)
    #expect(spoiled { $0[68] = 7 } == .writableCode)
    for change: (inout [UInt8]) -> Void in [
      { $0[68] = 4 }, { $0[54] = 0 }, { $0[56] = 0 }, { $0[57] = 0xff }, { $0[39] = 0xff }, { $0[33] = 1 },
      { $0.removeLast() },
    ] {
      guard case .malformed? = spoiled(change) else {
        Issue.record("not malformed")
        return
      }
    }
  }

  @Test("no bytes whatever make the check trap") func noise() {
    let seed = UInt64.random(in: 0...UInt64.max)
    // Said before anything is tried, for a trap says nothing: with this number in its place the same comes again.
    print("PackagesTests.noise: seed \(seed)")
    var generator = SplitMix64(seed: seed)
    for _ in 0..<20_000 {
      var bytes = Self.program
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      _ = fault(Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &generator))))
    }
  }

  @Test("the statement that is signed names ID, version and both hashes, a line each") func statement() {
    let statement = BundleStatement(
      moduleID: "com.example.meter", version: SemVer(major: 1, minor: 2, patch: 0, prerelease: "rc.1"),
      manifestSHA256: "aa", executableSHA256: "bb")
    #expect(
      statement.text == "Forsetti bundle statement 1\nmoduleID: com.example.meter\nversion: 1.2.0-rc.1\n"
        + "manifest-sha256: aa\nexecutable-sha256: bb\n")
  }

  private func policy(_ members: String) throws -> Policy {
    try PolicyDecoder.decode(bytes: Array("{\"policyVersion\": 1\(members)}".utf8), file: "p.json")
  }

  @Test("bundles are in the state folder unless the policy names another") func folder() throws {
    func path(_ members: String) throws -> String {
      try policy(members).bundles.path(policyFolder: "/etc/f", stateFolder: "/s")
    }
    #expect(try path("") == "/s/bundles")
    #expect(try path(#", "bundles": {"folder": "b", "reason": "r"}"#) == "/etc/f/b")
    #expect(try path(#", "bundles": {"folder": "/b"}"#) == "/b")
    #expect(try policy("").bundles.executableBytes == 64 << 20)
    #expect(try policy(#", "bundles": {"executableBytes": 4096}"#).bundles.executableBytes == 4_096)
  }

  @Test(
    "what is wrong with bundles is told with its place",
    arguments: [
      ("[]", "/bundles"), (#"{"folder": " "}"#, "/bundles/folder"), (#"{"folder": 1}"#, "/bundles/folder"),
      (#"{"executableBytes": 4095}"#, "/bundles/executableBytes"),
      (#"{"executableBytes": 1073741825}"#, "/bundles/executableBytes"),
      (#"{"fodler": "x"}"#, "/bundles/fodler"),
    ])
  func faults(value: String, pointer: String) throws {
    let error = #expect(throws: PolicyFaults.self) { try policy(", \"bundles\": \(value)") }
    #expect(error?.faults.map(\.pointer) == [pointer])
  }

  @Test("a policy knows the keys it trusts, and whether any rule is for a module of an origin") func names()
    throws
  {
    let key = "RWS4K92WSvi1VVdM2JR2gSez76g9MsBTpdXEyVKc0h5eAxxupLM3mY16"
    let policy = try policy(
      """
      , "rules": [
        {"modules": "com.a.*", "origin": {"key": "\(key)"}}, {"modules": "com.b.*", "origin": {"key": "\(key)"}},
        {"modules": "com.c.d", "origin": {"sha256": "\(String(repeating: "0", count: 64))"}}, {"modules": "*"}
      ]
      """)
    #expect(policy.signingKeys == [key])
    #expect(policy.names("com.a.x", origin: .bundle(sha256: "1", key: key)))
    #expect(!policy.names("com.c.d", origin: .bundle(sha256: "1", key: key)))
    #expect(policy.names("com.c.d", origin: .bundle(sha256: String(repeating: "0", count: 64), key: nil)))
    #expect(!policy.names("com.a.x", origin: .bundle(sha256: "1", key: nil)))
  }
}
