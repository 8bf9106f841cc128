import Testing

@testable import ForsettiModules

@Suite("Paths in reports") struct JamfPathShapesTests {
  private static let shapes = [
    ("/api/v3/computers-inventory", "/api/v3/computers-inventory"),
    ("/api/v3/computers-inventory/17", "/api/v3/computers-inventory/{}"),
    ("/api/v1/computer-inventory/17/erase", "/api/v1/computer-inventory/{}/erase"),
    ("/api/v2/mobile-devices/detail", "/api/v2/mobile-devices/detail"),
    (
      "/api/v2/local-admin-password/0A1B-22/account/jssmanage/password",
      "/api/v2/local-admin-password/{}/account/{}/password"
    ),
    ("/JSSResource/policies/id/0", "/JSSResource/policies/id/{}"), ("/api/oauth/token", "/api/oauth/token"),
    ("/forsetti/privileges", "/forsetti/privileges"), ("/", ""), ("", ""),
    // What no module is known to ask may name anybody with any word, also one that a call has elsewhere.
    ("/JSSResource/users/name/alice", "/JSSResource/{}/{}/{}"),
    ("/JSSResource/computers/serialnumber/C02XL0", "/JSSResource/{}/{}/{}"),
    ("/api/v1/scripts/alice", "/api/v1/scripts/{}"), ("/api/v1/scripts/7/alice", "/api/v1/scripts/{}/{}"),
    ("/api/v9/erase/password", "/api/{}/{}/{}"), ("/alice", "/{}"), ("/api/v1/%7Ba%7D", "/api/v1/{}"),
  ]

  @Test("a report shows the words of known calls in their places, and nothing else", arguments: shapes)
  func shape(path: String, expected: String) { #expect(JamfPathShapes.known.shape(of: path) == expected) }

  @Test("every known call keeps its shape") func known() {
    for endpoint in PermissionMatrix.tables.flatMap(\.actions).flatMap(\.steps).flatMap(\.endpoints) {
      #expect(JamfPathShapes.known.shape(of: endpoint.path("C02XL0-7")) == endpoint.pattern)
    }
  }
}
