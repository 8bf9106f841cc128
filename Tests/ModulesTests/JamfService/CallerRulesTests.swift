import ForsettiCore
import Foundation
import Testing

@testable import ForsettiModules

/// The policies limit each caller of the api role to what its module really asks: no less, and no more.
@Suite("What the policy lets modules ask of Jamf Pro") struct CallerRulesTests {
  private static let tables = [
    ComputerSearchEndpoints.table, MobileDeviceSearchEndpoints.table, SupportEndpoints.table,
    PrestageEndpoints.table, ReportsEndpoints.table, PermissionsEndpoints.table,
  ]

  private static func policy() throws -> Policy {
    let checkout = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let file = checkout.appending(path: "policy/strict.json").path
    return try PolicyDecoder.decode(bytes: Array(Data(contentsOf: URL(filePath: file))), file: file)
  }

  /// Methods and paths as a module asks for them. The account's own record is read by Jamf Service, which answers for it.
  private static func calls(_ table: JamfActionTable) -> [(method: String, path: String)] {
    table.actions.flatMap(\.steps).flatMap(\.endpoints).map { endpoint in
      (
        endpoint.method,
        endpoint == PermissionsEndpoints.account ? PermissionsEndpoints.held : endpoint.path("7")
      )
    }
  }

  @Test("each call that a module makes passes", arguments: tables.indices) func passes(index: Int) throws {
    let table = Self.tables[index]
    let rules = try #require(try Self.policy().apiRules(for: table.moduleID))
    for call in Self.calls(table) {
      #expect(rules.allows(method: call.method, path: call.path), "\(call.method) \(call.path)")
    }
  }

  @Test("nothing passes that no call of the module needs", arguments: tables.indices) func tight(index: Int)
    throws
  {
    let table = Self.tables[index]
    for target in try #require(try Self.policy().apiRules(for: table.moduleID)).allow {
      let methods = try #require(target.methods, "\(target.paths) with every method")
      for (path, method) in target.paths.flatMap({ path in methods.map { (path, $0.rawValue) } }) {
        let one = APIRules(allow: [APITarget(paths: [path], methods: methods)])
        #expect(
          Self.calls(table).contains { $0.method == method && one.allows(method: method, path: $0.path) },
          "\(method) \(path)")
      }
    }
  }

  @Test("a module that only reads can't change anything")
  func reading() throws {
    let policy = try Self.policy()
    for name in ["reports", "computer-search", "mobile-device-search", "permissions-matrix"] {
      let rules = try #require(policy.apiRules(for: "com.forsetti.jamfpro.feature.\(name)"))
      #expect(rules.allow.allSatisfy { $0.methods == [.get] }, "\(name)")
    }
  }
}
