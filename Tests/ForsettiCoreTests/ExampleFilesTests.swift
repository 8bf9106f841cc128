import Testing

@testable import ForsettiCore

/// The manifests and the policy of `docs/writing-a-module.md`.
@Suite("Example manifests and their policy")
struct ExampleFilesTests {
  private static let folder = "Resources/ExampleManifests"
  private static let order = ["com.forsetti.example.service", "com.forsetti.example.ui"]

  @Test("there are two, valid and without a warning, for Linux too, and none of the shipped set")
  func manifests() throws {
    let manifests = try ShippedFiles.manifests(in: Self.folder)
    #expect(manifests.keys.sorted() == Self.order)
    for decoded in manifests.values {
      #expect(decoded.warnings.isEmpty)
      #expect(decoded.manifest.supportedPlatforms == [.iOS, .macOS, .linux])
      #expect(decoded.manifest.schemaVersion == "1.1" && decoded.manifest.manifestTemplateVersion == "1.1")
    }
    #expect(try Set(ShippedFiles.manifests().keys).isDisjoint(with: manifests.keys))
  }

  @Test("the policy grants each what it asks, and nothing to any other")
  func grants() throws {
    let policy = try ShippedFiles.policy("examples.json")
    for (moduleID, decoded) in try ShippedFiles.manifests(in: Self.folder) {
      for capability in Capability.allCases {
        let isAsked = decoded.manifest.capabilitiesRequested.contains(capability)
        #expect(policy.decision(moduleID: moduleID, capability: capability).isGranted == isAsked)
        #expect(!policy.decision(moduleID: moduleID + ".x", capability: capability).isGranted)
      }
    }
  }

  @Test(
    "the policy for bundles gives the two examples their storage by hash or key, and the host's modules nothing"
  )
  func thirdParties() throws {
    let policy = try ShippedFiles.policy("third-party.json")
    let key = try #require(policy.signingKeys.first)
    let hash = String(repeating: "0", count: 64)
    for (id, origin) in [
      ("com.example.c-module", ModuleOrigin.bundle(sha256: hash, key: nil)),
      ("com.example.meter", .bundle(sha256: "any", key: key)),
    ] {
      for capability in Capability.allCases {
        let decision = policy.decision(moduleID: id, capability: capability, origin: origin)
        #expect((decision.verdict == .granted) == (capability == .storage))
        #expect(!policy.decision(moduleID: id, capability: capability).isGranted)
      }
    }
    #expect(policy.registration == .reviewed && policy.onDrift == .refuse)
  }

  @Test("both run under it: compatible, nothing missing, in its order, unlocked by their product")
  func runnable() throws {
    let policy = try ShippedFiles.policy("examples.json")
    let manifests = try ShippedFiles.manifests(in: Self.folder).mapValues(\.manifest)
    let checker = CompatibilityChecker(standsInFor: policy.standsInFor)
    let providers = ProviderDirectory(roles: policy.roles, manifests: Array(manifests.values)) { _ in true }
    for manifest in manifests.values {
      #expect(checker.check(manifest, policy: policy).issues.isEmpty, "\(manifest.moduleID)")
      try RuntimeRequirementsCheck.check(
        manifest, grants: policy.grants(for: manifest).granted, providers: providers)
    }
    #expect(policy.activationOrder(of: manifests.keys.sorted(), manifests: manifests) == Self.order)
    #expect(policy.selectedUIModuleID == "com.forsetti.example.ui")
    #expect(
      policy.entitlements
        == .fixed(moduleIDs: [], productIDs: manifests.values.compactMap(\.iapProductID)))
  }

  @Test("the UI module hears the service beside it, and of others only their own kind of event")
  func events() throws {
    let policy = try ShippedFiles.policy("examples.json")
    let ui = policy.eventRules(for: Self.order[1], origin: .builtIn)
    #expect(ui.maySubscribe("com.forsetti.example.service.started"))
    #expect(ui.mayPublish("com.forsetti.example.ui.greet"))
    #expect(!ui.mayPublish("com.forsetti.example.service.started"))
    #expect(!ui.maySubscribe("com.forsetti.jamfpro.service.jamf.started"))
    let service = policy.eventRules(for: Self.order[0], origin: .builtIn)
    #expect(!service.maySubscribe("com.forsetti.example.ui.greet"))
  }
}
