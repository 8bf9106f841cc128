import ForsettiCore
import ForsettiHTTP
import Testing

@testable import ForsettiModules
@testable import JamfSimulator

/// The matrix, held to what the made-up server refuses: with exactly the privileges that a call is said to need it passes,
/// and with any of them missing it does not.
@Suite("The matrix and the server") struct PermissionsAgainstServerTests {
  private static let time: Int64 = 1_800_000_000_000

  /// A request, and the call that it is said to be.
  private struct Asked {
    let endpoint: JamfEndpoint
    let path: String
    var body: [UInt8] = []
    var type = "application/json"

    /// A call with some ID in it. What is wrong with the rest of it comes after the question who may.
    init(_ endpoint: JamfEndpoint) {
      self.endpoint = endpoint
      path = endpoint.path("1")
    }

    /// A request of a technician's action: what an order needs depends on its body.
    init(_ endpoint: JamfEndpoint, _ call: SupportCall) {
      self.endpoint = endpoint
      path = call.path
      switch call.body {
      case .none: break
      case .json(let json): body = JSONWriter.bytes(json)
      case .xml(let text): (body, type) = (Array(text.utf8), "application/xml")
      case .form(let form): (body, type) = (form.body, form.contentType)
      }
    }
  }

  private let tenant = Tenant(seed: 1, computers: 20, mobileDevices: 20, tokenLifetime: 600)

  private func status(_ asked: Asked, holding names: [String]) throws -> Int {
    var tenant = tenant
    let privileges = try names.map { name in try #require(Privilege(rawValue: name), "\(name) is invented") }
    let account = Account(kind: .client, name: "x", secret: "x", privileges: Set(privileges))
    let token = tenant.tokens.issue(account, now: Self.time)
    let request = ServerRequest(
      method: asked.endpoint.method, path: asked.path,
      headers: ["Authorization": "Bearer \(token.text)", "Content-Type": asked.type], body: asked.body)
    return Router().answer(request, &tenant, now: Self.time, distortion: nil).status.rawValue
  }

  private func check(_ asked: Asked) throws {
    let names = asked.endpoint.privileges.map(\.rawValue)
    let title = "\(asked.endpoint.method) \(asked.path)"
    #expect(
      ![401, 403, 405].contains(try status(asked, holding: names)), "\(title) needs more than \(names)")
    for missing in names {
      #expect(
        try status(asked, holding: names.filter { $0 != missing }) == 403, "\(title) does not need \(missing)"
      )
    }
  }

  @Test("every privilege is one that there is") func names() {
    #expect(JamfPrivilege.allCases.allSatisfy { Privilege(rawValue: $0.rawValue) != nil })
  }

  @Test("every call of every table is refused exactly where a privilege is missing") func calls() throws {
    let endpoints = Set(PermissionMatrix.rows.flatMap(\.action.steps).flatMap(\.endpoints))
    #expect(endpoints.count > 40)
    for endpoint in endpoints where !Self.isOrder(endpoint) && !Self.absent.contains(endpoint.pattern) {
      try check(Asked(endpoint))
    }
  }

  /// What the made-up server doesn't have: the elders of calls that it has.
  private static let absent = [
    "/JSSResource/computerextensionattributes", "/JSSResource/mobiledeviceextensionattributes",
  ]

  /// Orders say in their bodies, or in a word of their path, what they are.
  private static func isOrder(_ endpoint: JamfEndpoint) -> Bool {
    endpoint.method == "POST"
      && (endpoint.pattern == "/api/v2/mdm/commands" || endpoint.pattern.contains("commands/command"))
  }

  @Test("so is every order of a technician, by what it orders", arguments: SupportAction.allCases)
  func orders(action: SupportAction) throws {
    for kind in action.kinds {
      let managementID =
        kind == .computer
        ? tenant.fleet.computer(1)?.managementID : tenant.fleet.mobileDevice(1)?.managementID
      let device = SupportDevice(
        kind, inventoryID: "1", name: "N", serial: "S", managementID: managementID)
      let input = SupportActionInput(pin: "012345", message: "Lost")
      let calls: [SupportCall] =
        switch SupportProcedure(action, on: device, input) {
        case .send(let attempts, _), .reveal(let attempts, _), .countApplications(let attempts):
          attempts.calls
        case .revealLocalPassword, .rotateLocalPasswords, .setLocalPassword, nil: []
        }
      for (endpoint, call) in zip(SupportEndpoints.steps(of: action, on: kind).flatMap(\.endpoints), calls) {
        try check(Asked(endpoint, call))
      }
    }
  }

  @Test("so is remote desktop") func remote() throws {
    let row = try #require(PermissionMatrix.rows.first { $0.action.id == "support-technician.remote" })
    let endpoint = try #require(row.action.steps.first?.endpoints.first)
    let managementID = try #require(tenant.fleet.computer(1)?.managementID)
    try check(Asked(endpoint, MDMOrder.call("ENABLE_REMOTE_DESKTOP", to: managementID)))
  }
}
