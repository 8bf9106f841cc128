import Testing

@testable import ForsettiModules

@Suite struct JamfRequirementTests {
  private typealias P = JamfPrivilege

  private static func endpoint(_ privileges: JamfPrivilege...) -> JamfEndpoint {
    JamfEndpoint("GET", "/api/v1/things", needs: privileges)
  }

  private static func action(_ steps: [JamfStep]) -> JamfAction {
    JamfAction(id: "m.a", title: "A", steps: steps)
  }

  private static let a = P.readMobilePrestages
  private static let b = P.readMobileDevices
  private static let c = P.updateMobilePrestages

  @Test("what every step needs is needed whole, by name, once") func allOf() {
    let needed = JamfRequirement(
      Self.action([
        JamfStep("1", [Self.endpoint(Self.c, Self.b)]),
        JamfStep("2", [Self.endpoint(Self.b), Self.endpoint(Self.b)]),
        JamfStep("3", [Self.endpoint()]),
      ]))
    #expect(needed.allOf == [Self.b, Self.c])
    #expect(needed.anyOf.isEmpty)
    #expect(needed.optional.isEmpty)
  }

  @Test("calls that need different things are alternatives, and none of them is needed whole") func anyOf() {
    let needed = JamfRequirement(
      Self.action([JamfStep("1", [Self.endpoint(Self.b, Self.c), Self.endpoint(Self.a)])]))
    #expect(needed.allOf.isEmpty)
    #expect(needed.anyOf == [[[Self.a], [Self.b, Self.c]]])
  }

  @Test("an alternative that needs more than another is none, and one that is had anyway decides nothing")
  func smallest() {
    let more = JamfStep("1", [Self.endpoint(Self.a), Self.endpoint(Self.a, Self.b)])
    #expect(JamfRequirement(Self.action([more])).allOf == [Self.a])
    #expect(JamfRequirement(Self.action([more])).anyOf.isEmpty)
    let choice = JamfStep("2", [Self.endpoint(Self.a, Self.b), Self.endpoint(Self.a, Self.c)])
    let needed = JamfRequirement(Self.action([choice, JamfStep("3", [Self.endpoint(Self.b)])]))
    #expect(needed.allOf == [Self.b])
    #expect(needed.anyOf.isEmpty == false)
    #expect(
      JamfRequirement(Self.action([choice, JamfStep("3", [Self.endpoint(Self.a, Self.b)])])).anyOf.isEmpty)
    #expect(JamfRequirement(Self.action([choice, choice])).anyOf.count == 1)
  }

  @Test("a step of one kind of device is needed for a list that holds it") func assets() {
    let action = Self.action([
      JamfStep("1", [Self.endpoint(Self.a)], of: [.mobileDevice]),
      JamfStep("2", [Self.endpoint(Self.b)], of: [.computer]),
    ])
    #expect(JamfRequirement(action, for: [.mobileDevice]).allOf == [Self.a])
    #expect(JamfRequirement(action, for: [.computer]).allOf == [Self.b])
    #expect(JamfRequirement(action).allOf == [Self.a, Self.b])
  }

  private static let held: [(Set<String>?, JamfVerdict)] = [
    (nil, .unchecked), ([a.rawValue, b.rawValue, c.rawValue], .allowed),
    ([b.rawValue, c.rawValue], .limited([a])),
    ([], .refused(missing: [c], unmet: [[[a], [b]]])),
    ([c.rawValue], .refused(missing: [], unmet: [[[a], [b]]])),
    ([a.rawValue, "Update Everything"], .refused(missing: [c], unmet: [])),
    ([c.rawValue.lowercased(), a.rawValue], .refused(missing: [c], unmet: [])),
  ]

  @Test("an account may do what it has everything for, and is told what it lacks", arguments: held)
  func verdict(held: Set<String>?, verdict: JamfVerdict) {
    let needed = JamfRequirement(
      Self.action([
        JamfStep("1", [Self.endpoint(Self.c)]),
        JamfStep("2", [Self.endpoint(Self.a), Self.endpoint(Self.b)]),
        JamfStep("3", [Self.endpoint(Self.a)], isOptional: true),
      ]))
    #expect(needed.verdict(held: held) == verdict)
  }

  private static let requests: [(String, String, Bool)] = [
    ("GET", "/api/v1/x/7/scope", true), ("POST", "/api/v1/x/7/scope", false),
    ("GET", "/api/v1/x/7/scope/", false),
    ("GET", "/api/v1/x//scope", false), ("GET", "/api/v1/x/7/8/scope", false), ("GET", "/api/v1/x/7", false),
  ]

  @Test("a call covers a request of its method and form", arguments: requests)
  func covers(method: String, path: String, isCovered: Bool) {
    let endpoint = JamfEndpoint("GET", "/api/v1/x/{}/scope", needs: [])
    #expect(endpoint.covers(method: method, path: path) == isCovered)
    #expect(endpoint.path("7") == "/api/v1/x/7/scope")
  }
}
