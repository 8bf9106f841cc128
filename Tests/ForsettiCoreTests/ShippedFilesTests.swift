import Foundation
import Testing

@testable import ForsettiCore

/// The files that the product ships, read from the checkout.
enum ShippedFiles {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: root.appending(path: path)))
  }

  static func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path).sorted()
  }

  static func policy(_ name: String) throws -> Policy {
    try PolicyDecoder.decode(bytes: bytes("policy/\(name)"), file: name)
  }

  static func manifests(
    in folder: String = "Resources/ForsettiManifests"
  ) throws -> [String: DecodedManifest] {
    var manifests: [String: DecodedManifest] = [:]
    for name in try names(in: folder) {
      let decoded = try ManifestDecoder.decode(bytes: bytes("\(folder)/\(name)"), file: name)
      manifests[decoded.manifest.moduleID] = decoded
    }
    return manifests
  }

  /// The sources of one of the eleven, whose folder is named by its entry point.
  static func code(of manifest: ModuleManifest) throws -> String {
    let folder = root.appending(
      path: "Sources/Modules/\(manifest.entryPoint.dropFirst("Forsetti".count).dropLast("Module".count))")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".swift")
    }
    return try files.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }.joined()
  }

  static func object(_ path: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(bytes(path))) as? [String: Any])
  }
}

@Suite("Shipped manifests and policies")
struct ShippedFilesTests {
  /// SPEC §7: the shipped set in its order, each with the entry point that the seeds give it.
  static let order: [(moduleID: String, entryPoint: String)] = [
    ("com.forsetti.jamfpro.service.jamf", "ForsettiJamfServiceModule"),
    ("com.forsetti.jamfpro.service.diagnostics", "ForsettiDiagnosticsServiceModule"),
    ("com.forsetti.jamfpro.service.scanner", "ForsettiScannerServiceModule"),
    ("com.forsetti.jamfpro.feature.computer-search", "ForsettiComputerSearchModule"),
    ("com.forsetti.jamfpro.feature.mobile-device-search", "ForsettiMobileDeviceSearchModule"),
    ("com.forsetti.jamfpro.feature.support-technician", "ForsettiSupportTechnicianModule"),
    ("com.forsetti.jamfpro.feature.prestage-director", "ForsettiPrestageDirectorModule"),
    ("com.forsetti.jamfpro.feature.reports", "ForsettiReportsModule"),
    ("com.forsetti.jamfpro.feature.deployment-tracker", "ForsettiDeploymentTrackerModule"),
    ("com.forsetti.jamfpro.feature.permissions-matrix", "ForsettiPermissionsMatrixModule"),
    ("com.forsetti.jamfpro.retail.ui", "ForsettiRetailUIModule"),
  ]

  @Test("there are eleven manifests, valid and without a warning, one file an entry point")
  func manifests() throws {
    let manifests = try ShippedFiles.manifests()
    #expect(manifests.count == 11)
    #expect(
      try ShippedFiles.names(in: "Resources/ForsettiManifests")
        == Self.order.map { $0.entryPoint + ".json" }.sorted())
    for (moduleID, entryPoint) in Self.order {
      let decoded = try #require(manifests[moduleID])
      #expect(decoded.manifest.entryPoint == entryPoint)
      #expect(decoded.warnings.isEmpty)
      #expect(decoded.manifest.supportedPlatforms == [.iOS, .macOS, .linux])
    }
  }

  @Test("only the Jamf service asks for networking and secure storage")
  func isolation() throws {
    for (moduleID, decoded) in try ShippedFiles.manifests() {
      let asksForThem = !Set(decoded.manifest.capabilitiesRequested).isDisjoint(with: [
        .networking, .secureStorage,
      ])
      #expect(asksForThem == (moduleID == "com.forsetti.jamfpro.service.jamf"))
    }
  }

  /// Of services for which a manifest has no I/O kind: where they are used, the code alone says.
  private static let statedByCode = Set(Capability.allCases.filter { $0.service != nil })
    .subtracting(ModuleIOKind.allCases.map(\.capability))

  @Test(
    "every requested capability has a use: an I/O entry, the module's role, its UI block, else its code")
  func noIdleCapabilities() throws {
    for manifest in try ShippedFiles.manifests().values.map(\.manifest) {
      var used = Set(manifest.runtimeRequirements.io.map(\.kind.capability))
      if let capability = manifest.defaultModuleRole?.capability { used.insert(capability) }
      if manifest.runtimeRequirements.ui != nil {
        used.formUnion([.routingOverlay, .uiThemeMask, .toolbarItems, .viewInjection])
      }
      let code = try ShippedFiles.code(of: manifest)
      used.formUnion(Self.statedByCode.filter { code.contains("services.\($0)") })
      #expect(Set(manifest.capabilitiesRequested) == used, "\(manifest.moduleID)")
    }
  }

  @Test("strict grants each module exactly what its manifest asks, and nothing to any other")
  func strictGrants() throws {
    let policy = try ShippedFiles.policy("strict.json")
    for (moduleID, decoded) in try ShippedFiles.manifests() {
      let granted = Capability.allCases.filter {
        policy.decision(moduleID: moduleID, capability: $0).isGranted
      }
      #expect(Set(granted) == Set(decoded.manifest.capabilitiesRequested), "\(moduleID)")
      for capability in Capability.allCases {
        let other = policy.decision(moduleID: moduleID + ".x", capability: capability)
        #expect(!other.isGranted)
        let stranger = policy.decision(
          moduleID: moduleID, capability: capability, origin: PrecedenceCase.signed)
        #expect(stranger.verdict == .denied)
      }
    }
    #expect(policy.rules.allSatisfy { $0.pattern.isExact && $0.deny.isEmpty && $0.optional.isEmpty })
  }

  @Test(
    "strict activates in the seeds' order, selects the Retail UI, and gives api and diagnostics to their modules"
  )
  func strictActivation() throws {
    let policy = try ShippedFiles.policy("strict.json")
    let manifests = try ShippedFiles.manifests().mapValues(\.manifest)
    let order = policy.activationOrder(of: manifests.keys.sorted(), manifests: manifests)
    #expect(order == Self.order.map(\.moduleID))
    #expect(policy.activationOrder == order)
    #expect(policy.selectedUIModuleID == "com.forsetti.jamfpro.retail.ui")
    #expect(policy.provider(of: .api) == .module("com.forsetti.jamfpro.service.jamf"))
    #expect(policy.provider(of: .diagnostics) == .module("com.forsetti.jamfpro.service.diagnostics"))
    for role in [DefaultModuleRole.sharedDatabase, .authentication, .security] {
      #expect(policy.provider(of: role) == .host)
    }
  }

  @Test(
    "under either policy each of the eleven is compatible and has all it requires",
    arguments: ["strict.json", "development.json"])
  func runnable(policyName: String) throws {
    let policy = try ShippedFiles.policy(policyName)
    let manifests = try ShippedFiles.manifests().values.map(\.manifest)
    let checker = CompatibilityChecker(standsInFor: policy.standsInFor)
    let providers = ProviderDirectory(roles: policy.roles, manifests: manifests) {
      checker.check($0, policy: policy).isCompatible
    }
    for manifest in manifests {
      #expect(checker.check(manifest, policy: policy).issues.isEmpty, "\(manifest.moduleID)")
      #expect(throws: Never.self) {
        try RuntimeRequirementsCheck.check(
          manifest, grants: policy.grants(for: manifest).granted, providers: providers)
      }
      #expect(providers.unusedRoleWarning(for: manifest) == nil)
    }
  }

  @Test("strict fails closed: no stand-in, no drift, no missing layer, no direct grant, tight limits")
  func strictIsTight() throws {
    let policy = try ShippedFiles.policy("strict.json")
    #expect(policy.standsInFor.isEmpty)
    #expect(policy.onDrift == .refuse)
    #expect(!policy.mayHostUseThemeMasks)
    #expect(policy.entitlements == .fixed(moduleIDs: [], productIDs: []))
    for (moduleID, _) in Self.order {
      let sandbox = policy.sandbox(for: moduleID)
      #expect(sandbox.mayBeMissing.isEmpty)
      #expect(sandbox.direct.isEmpty)
      #expect(sandbox.limits.addressSpaceBytes <= 512 << 20)
      #expect(sandbox.limits.dataBytes <= 256 << 20)
      #expect(sandbox.limits.fileSizeBytes == 0)
    }
  }

  @Test(
    "demo is strict with a console and a made-up server on this machine; Tests/Python/demo_policy.py makes it"
  )
  func demo() throws {
    var demo = try ShippedFiles.object("policy/demo.json")
    var strict = try ShippedFiles.object("policy/strict.json")
    let policy = try ShippedFiles.policy("demo.json")
    #expect(policy.console != nil)
    let jamf = "com.forsetti.jamfpro.service.jamf"
    var rules = try #require(demo["rules"] as? [[String: Any]])
    for index in rules.indices where rules[index]["modules"] as? String == jamf {
      let networking = try #require(rules[index].removeValue(forKey: "networking") as? [String: Any])
      let targets = try #require(networking["allow"] as? [[String: Any]])
      #expect(targets.map { $0["hosts"] as? [String] } == [["127.0.0.1"]])
    }
    demo["rules"] = rules
    for key in ["console", "reason"] {
      demo[key] = nil
      strict[key] = nil
    }
    #expect(demo as NSDictionary == strict as NSDictionary, "run Tests/Python/demo_policy.py")
  }

  @Test("development grants at least what strict does and runs macOS manifests")
  func development() throws {
    let strict = try ShippedFiles.policy("strict.json")
    let development = try ShippedFiles.policy("development.json")
    for (moduleID, _) in Self.order {
      for capability in Capability.allCases
      where strict.decision(moduleID: moduleID, capability: capability).isGranted {
        #expect(development.decision(moduleID: moduleID, capability: capability).isGranted)
      }
    }
    #expect(development.standsInFor == [.macOS])
    #expect(development.onDrift == .accept)
    #expect(
      development.decision(moduleID: "com.example.a", capability: .networking, origin: .builtIn).verdict
        == .leftOut)
  }

  @Test("development says why wherever it is looser than a policy that says nothing")
  func developmentReasons() throws {
    let root = try ShippedFiles.object("policy/development.json")
    let strict = try ShippedFiles.object("policy/strict.json")
    for (key, value) in root
    where !["$schema", "policyVersion", "reason", "activation", "roles", "views", "messages"].contains(key) {
      if let entry = value as? [String: Any], key != "defaults" {
        #expect(entry["reason"] is String, "\(key)")
      } else if let entries = value as? [String: [String: Any]] {
        for (name, entry) in entries {
          let parts = [entry] + entry.values.compactMap { $0 as? [String: Any] }
          #expect(parts.contains { $0["reason"] is String }, "\(key).\(name)")
        }
      } else if let rules = value as? [[String: Any]] {
        #expect(rules.allSatisfy { $0["reason"] is String })
      } else {
        Issue.record("\(key) has no room for a reason")
      }
    }
    // What it shares with strict needs no reason, and has to stay shared.
    for key in ["activation", "views"] {
      #expect(root[key] as? NSDictionary == strict[key] as? NSDictionary)
    }
  }
}
