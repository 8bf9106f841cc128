import ForsettiCore
import Foundation
import Testing

/// Grants all but what it is told to deny or to leave out.
struct FixedPolicy: CapabilityPolicy {
  var denied: Set<Capability> = []
  var optional: Set<Capability> = []

  func decision(moduleID: String, capability: Capability) -> CapabilityDecision {
    if denied.contains(capability) { return .denied(reason: "not here", source: "fixed.json:7:3") }
    if optional.contains(capability) {
      return .optionalDenied(reason: "not needed", source: "fixed.json:9:3")
    }
    return .granted(source: "fixed.json:1:1")
  }
}

@Suite("Compatibility")
struct CompatibilityTests {
  @Test("a module for this platform and version with granted capabilities has no finding")
  func compatible() throws {
    let manifest = try ManifestText.service.decode().manifest
    let report = CompatibilityChecker().check(manifest, policy: FixedPolicy())
    #expect(report.moduleID == "com.example.service")
    #expect(report.issues.isEmpty)
    #expect(report.isCompatible)
  }

  @Test("every check runs and every finding is told, in the order of the specification")
  func everything() throws {
    var manifest = try ManifestText.service.decode().manifest
    manifest.schemaVersion = "3.0"
    manifest.manifestTemplateVersion = "3.0"
    manifest.supportedPlatforms = [.iOS]
    manifest.minForsettiVersion = SemVer(major: 9, minor: 0, patch: 0)
    manifest.maxForsettiVersion = SemVer(major: 0, minor: 1, patch: 0)
    let report = CompatibilityChecker().check(
      manifest, policy: FixedPolicy(denied: [.networking, .api], optional: [.storage]))
    #expect(
      report.issues.map(\.code) == [
        .invalidSchemaVersion, .invalidManifestTemplateVersion, .unsupportedPlatform,
        .unsupportedForsettiVersion,
        .unsupportedForsettiVersion, .capabilityDenied, .capabilityDenied, .capabilityDenied,
      ])
    #expect(
      report.issues.map(\.severity) == [.error, .error, .error, .error, .error, .error, .warning, .error])
    let capabilities = report.issues.suffix(3).map(\.message)
    #expect(capabilities[0].hasPrefix("networking") && capabilities[0].contains("fixed.json:7:3"))
    #expect(capabilities[1].hasPrefix("storage"))
    #expect(capabilities[2].hasPrefix("api") && capabilities[2].contains("not here"))
    #expect(report.issues[3].message.contains("9.0.0"))
    #expect(report.issues[4].message.contains("0.1.0"))
  }

  @Test("schema 1.1 with template 1.0 is a finding of the template")
  func pairing() throws {
    var manifest = try ManifestText.service.decode().manifest
    manifest.manifestTemplateVersion = "1.0"
    let report = CompatibilityChecker().check(manifest, policy: FixedPolicy())
    #expect(report.issues.map(\.code) == [.invalidManifestTemplateVersion])
  }

  @Test("a capability left out as optional leaves the module compatible")
  func optional() throws {
    let manifest = try ManifestText.service.decode().manifest
    let report = CompatibilityChecker().check(manifest, policy: FixedPolicy(optional: [.storage]))
    #expect(report.isCompatible)
    #expect(report.issues.map(\.severity) == [.warning])
  }

  @Test(
    "version bounds are inclusive, and a prerelease comes before its release",
    arguments: [
      ("0.2.0", nil, true), ("0.2.1", nil, false), ("0.2.0-rc.1", nil, true), ("0.1.0", "0.2.0", true),
      ("0.1.0", "0.2.0-rc.1", false), ("0.1.0", "0.1.9", false), ("0.1.0", "0.2.1-a", true),
    ] as [(String, String?, Bool)])
  func bounds(low: String, high: String?, isCompatible: Bool) throws {
    var manifest = try ManifestText.service.decode().manifest
    manifest.minForsettiVersion = try SemVer.parse(low)
    manifest.maxForsettiVersion = try high.map { try SemVer.parse($0) }
    let checker = CompatibilityChecker(frameworkVersion: SemVer(major: 0, minor: 2, patch: 0))
    #expect(checker.check(manifest, policy: FixedPolicy()).isCompatible == isCompatible)
  }

  @Test(
    "manifests that others wrote are refused for their platform, and run where the host stands in for macOS")
  func upstream() throws {
    for file in try ManifestDecoderTests.upstreamFiles() {
      let bytes = Array(try Data(contentsOf: file))
      let manifest = try ManifestDecoder.decode(bytes: bytes, file: file.lastPathComponent).manifest
      let refused = CompatibilityChecker().check(manifest, policy: FixedPolicy())
      #expect(refused.issues.map(\.code) == [.unsupportedPlatform], "\(file.lastPathComponent)")
      #expect(!refused.isCompatible)
      let standing = CompatibilityChecker(standsInFor: [.macOS]).check(manifest, policy: FixedPolicy())
      #expect(standing.isCompatible, "\(file.lastPathComponent)")
      #expect(standing.issues.map(\.severity) == [.info])
    }
  }
}
