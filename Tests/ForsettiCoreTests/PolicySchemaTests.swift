import Foundation
import Testing

@testable import ForsettiCore

/// Holds the published schemas and the decoders to each other. That the shipped files fit the schemas is checked
/// by Tests/Python/validate_schemas.py, with a validator of other people.
@Suite("Published schemas")
struct PolicySchemaTests {
  private static func keys(_ definition: Any?) throws -> Set<String> {
    let object = try #require(definition as? [String: Any])
    return Set(try #require(object["properties"] as? [String: Any]).keys)
  }

  private static func definitions(_ schema: [String: Any]) throws -> [String: Any] {
    try #require(schema["$defs"] as? [String: Any])
  }

  @Test("every key the policy decoder knows is in the schema, and the other way round")
  func policyKeys() throws {
    let schema = try ShippedFiles.object("Resources/Schemas/policy.schema.json")
    let definitions = try Self.definitions(schema)
    for kind in PolicyObject.allCases {
      switch kind {
      case .policy: #expect(try Self.keys(schema) == Set(kind.keys))
      case .choice:
        for name in ["registration", "onDrift", "spin", "audit"] {
          let forms = (definitions[name] as? [String: Any])?["anyOf"] as? [[String: Any]]
          #expect(try Self.keys(forms?.last) == Set(kind.keys))
        }
      default:
        let definition = try #require(definitions[kind.rawValue] as? [String: Any], "\(kind.rawValue)")
        #expect(try Self.keys(definition) == Set(kind.keys), "\(kind.rawValue)")
        #expect(Set(definition["required"] as? [String] ?? []) == Set(kind.requiredKeys), "\(kind.rawValue)")
        #expect(definition["additionalProperties"] as? Bool == false, "\(kind.rawValue)")
      }
    }
    let objects = definitions.filter { ($0.value as? [String: Any])?["properties"] != nil }.keys
    #expect(Set(objects).isSubset(of: PolicyObject.allCases.map(\.rawValue)))
  }

  @Test("every closed set and every range of the policy decoder is the schema's")
  func policyValues() throws {
    let definitions = try Self.definitions(ShippedFiles.object("Resources/Schemas/policy.schema.json"))
    func values(_ path: String...) -> [String]? {
      var node: Any? = definitions
      for step in path { node = (node as? [String: Any])?[step] }
      return node as? [String]
    }
    func range(_ object: String, _ key: String) throws -> ClosedRange<Int64> {
      let properties = (definitions[object] as? [String: Any])?["properties"] as? [String: Any]
      let number = try #require(properties?[key] as? [String: Any], "\(object).\(key)")
      let least = try #require(number["minimum"] as? NSNumber).int64Value
      return least...(try #require(number["maximum"] as? NSNumber).int64Value)
    }
    #expect(values("capability", "enum") == Capability.allCases.map(\.rawValue))
    #expect(
      values("restart", "properties", "kind", "enum") == RestartPolicy.Kind.allCases.map(\.rawValue))
    #expect(
      values("restart", "properties", "strategy", "enum") == RestartPolicy.Strategy.allCases.map(\.rawValue))
    #expect(
      values("restart", "properties", "quarantineEnds", "enum")
        == RestartPolicy.QuarantineEnd.allCases.map(\.rawValue))
    #expect(
      values("entitlements", "properties", "provider", "enum")
        == EntitlementProviderName.allCases.map(\.rawValue))
    #expect(
      values("sandbox", "properties", "direct", "items", "enum") == DirectGrant.allCases.map(\.rawValue))
    #expect(
      values("rule", "properties", "audit", "enum") == AuditPermission.allCases.map(\.rawValue))
    #expect(
      values("sandbox", "properties", "mayBeMissing", "items", "enum")
        == SandboxLayer.dispensable.map(\.rawValue))
    #expect(
      values("secretField", "properties", "kind", "enum")
        == SecretDeclaration.Field.Kind.allCases.map(\.rawValue))
    for name in SandboxLimits.Name.allCases { #expect(try range("limits", name.rawValue) == name.range) }
    for name in CgroupLimits.Name.allCases { #expect(try range("cgroup", name.rawValue) == name.range) }
    for name in PhaseDeadlines.Name.allCases {
      #expect(try range("deadlineMilliseconds", name.rawValue) == PhaseDeadlines.range)
    }
    for number in RestartPolicy.Number.allCases {
      #expect(try range("restart", number.rawValue) == number.range)
    }
    for number in HeartbeatPolicy.Number.allCases {
      #expect(try range("heartbeat", number.rawValue) == number.range)
    }
    for name in ModuleRates.Name.allCases { #expect(try range("rates", name.rawValue) == name.range) }
    #expect(try range("userIDs", "first") == UserIDRange.firstRange)
    #expect(try range("userIDs", "count") == UserIDRange.countRange)
  }

  @Test("every key the manifest decoder knows is in the schema, and the other way round")
  func manifestKeys() throws {
    let schema = try ShippedFiles.object("Resources/Schemas/manifest.schema.json")
    let definitions = try Self.definitions(schema)
    #expect(try Self.keys(schema) == Set(ManifestReader.rootKeys))
    #expect(try Self.keys(definitions["version"]) == Set(ManifestReader.versionKeys))
    #expect(try Self.keys(definitions["runtimeRequirements"]) == Set(ManifestReader.requirementsKeys))
    #expect(try Self.keys(definitions["io"]) == Set(ManifestReader.ioKeys))
    #expect(try Self.keys(definitions["ui"]) == Set(ManifestReader.uiKeys))
    #expect(try Self.keys(definitions["dataIsolation"]) == Set(ManifestReader.isolationKeys))
    #expect(
      (definitions["capability"] as? [String: Any])?["enum"] as? [String]
        == Capability.allCases.map(\.rawValue))
    #expect(
      (definitions["role"] as? [String: Any])?["enum"] as? [String]
        == DefaultModuleRole.allCases.map(\.rawValue))
  }

  @Test("every key of a policy is explained in docs/policy.md")
  func documentation() throws {
    let text = String(decoding: try ShippedFiles.bytes("docs/policy.md"), as: UTF8.self)
    for key in Set(PolicyObject.allCases.flatMap(\.keys)) {
      #expect(text.contains("`\(key)`"), "\(key)")
    }
  }
}
