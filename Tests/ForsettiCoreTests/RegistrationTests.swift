import ForsettiCore
import Testing

@Suite("Registration and activation state")
struct RegistrationTests {
  static let record = ModuleRegistrationRecord(
    manifest: RequirementsTests.identity, sha256: String(repeating: "a", count: 64), origin: "built-in",
    productVersion: "0.2.0", registeredAt: 1_800_000_000_123)

  @Test("a record survives its JSON form")
  func coding() throws {
    var bundle = Self.record
    bundle.executableSHA256 = String(repeating: "b", count: 64)
    for record in [Self.record, bundle] {
      let text = JSONWriter.bytes(record.jsonValue, style: .pretty)
      #expect(try ModuleRegistrationRecord(jsonValue: JSONParser.parse(text).root) == record)
    }
    let fault = #expect(throws: JSONFault.self) {
      try ModuleRegistrationRecord(jsonValue: .object([("manifest", Self.record.manifest.jsonValue)]))
    }
    #expect(fault?.pointer == "/sha256")
  }

  @Test("what is as it was accepted is no drift, whatever the product's version")
  func noDrift() {
    let drift = RegistrationDrift.between(
      Self.record, and: Self.record.manifest, sha256: Self.record.sha256, origin: "built-in")
    #expect(drift == nil)
  }

  @Test("drift names every field that changed, with its old and new value")
  func changes() throws {
    var manifest = Self.record.manifest
    manifest.capabilitiesRequested.append(.networking)
    manifest.entryPoint = "B"
    let drift = try #require(
      RegistrationDrift.between(Self.record, and: manifest, sha256: "f00", origin: "built-in"))
    #expect(drift.changes.map(\.field) == ["capabilitiesRequested", "entryPoint", "sha256"])
    #expect(drift.changes[0].old == #"["api","storage"]"#)
    #expect(drift.changes[0].new == #"["api","storage","networking"]"#)
    #expect(drift.reason.hasSuffix("capabilitiesRequested, entryPoint"))
    #expect(!drift.isDowngrade && !drift.isOriginChanged)
  }

  @Test("a change of unknown keys alone is drift by the hash")
  func hashAlone() throws {
    let drift = try #require(
      RegistrationDrift.between(Self.record, and: Self.record.manifest, sha256: "f00", origin: "built-in"))
    #expect(drift.changes.map(\.field) == ["sha256"])
    #expect(drift.reason.contains("outside the model"))
  }

  @Test("another origin and another executable are drift; a lower version of a bundle is a downgrade")
  func bundles() throws {
    var record = Self.record
    record.origin = "key:A"
    record.executableSHA256 = "01"
    var manifest = record.manifest
    func drift(_ origin: String, _ executable: String?) -> RegistrationDrift? {
      RegistrationDrift.between(
        record, and: manifest, sha256: record.sha256, origin: origin, executableSHA256: executable)
    }
    #expect(drift("key:A", "01") == nil)
    #expect(drift("key:B", "01")?.isOriginChanged == true)
    #expect(drift("key:A", "02")?.changes.map(\.field) == ["executable"])
    manifest.moduleVersion.prerelease = "rc"
    #expect(drift("key:A", "02")?.isDowngrade == true)
    #expect(drift("key:A", "02")?.reason.contains("lower") == true)
    manifest.moduleVersion = SemVer(major: 2, minor: 0, patch: 0)
    #expect(drift("key:A", "02")?.isDowngrade == false)
  }

  @Test("a lower version of a built-in is drift, but no downgrade")
  func builtInDowngrade() {
    var manifest = Self.record.manifest
    manifest.moduleVersion = SemVer(major: 0, minor: 1, patch: 0)
    let drift = RegistrationDrift.between(Self.record, and: manifest, sha256: "f00", origin: "built-in")
    #expect(drift?.isDowngrade == false)
    #expect(drift?.changes.first?.field == "moduleVersion")
  }

  @Test("activation state survives its JSON form, and one state has one text")
  func state() throws {
    let state = ActivationState(
      enabledServiceModuleIDs: ["c.c", "a.a", "b.b"], enabledUIModuleIDs: ["u.u"], selectedUIModuleID: "u.u")
    #expect(
      JSONWriter.text(state.jsonValue)
        == #"{"enabledServiceModuleIDs":["a.a","b.b","c.c"],"enabledUIModuleIDs":["u.u"],"selectedUIModuleID":"u.u"}"#
    )
    #expect(try ActivationState(jsonValue: state.jsonValue) == state)
    #expect(try ActivationState(jsonValue: .object([])) == ActivationState())
    #expect(throws: JSONFault.self) {
      try ActivationState(
        jsonValue: .object([
          ("enabledServiceModuleIDs", .strings(["a"])), ("enabledUIModuleIDs", .string("b")),
        ]))
    }
  }
}
